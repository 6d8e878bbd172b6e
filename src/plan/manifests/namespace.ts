import type { StringMap } from '../../fleet/records.ts'
import type { Manifest } from '../object.ts'

export function namespace(name: string, labels?: StringMap): Manifest {
  return { apiVersion: 'v1', kind: 'Namespace', metadata: { name, ...(labels === undefined ? {} : { labels }) } }
}

/** Lets a GitOpsCluster of another namespace register clusters with the Argo CD in this one (push-pull.md 1.6). */
export const GITOPS_ARGO_NAMESPACE: StringMap = { 'apps.open-cluster-management.io/gitops-argo-namespace': 'true' }
