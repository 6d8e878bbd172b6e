import { MANAGED_BY } from '../../fleet/labels.ts'
import type { PolicyTemplate } from './policy.ts'

/** Gives a ServiceAccount a ClusterRole everywhere on its cluster. */
export function clusterRoleBinding(
  name: string,
  clusterRole: string,
  account: { readonly namespace: string; readonly name: string },
): PolicyTemplate {
  return {
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'ClusterRoleBinding',
    metadata: { name },
    subjects: [{ kind: 'ServiceAccount', name: account.name, namespace: account.namespace }],
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: clusterRole },
  }
}

/** A namespace in which the operator of OpenShift GitOps gives the Argo CD of `argoNamespace` admin rights, and only there. */
export function managedByNamespace(name: string, argoNamespace: string): PolicyTemplate {
  return {
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: { name, labels: { [MANAGED_BY]: argoNamespace } },
  }
}
