import type { ClusterView } from '../../fleet/fleet.ts'
import { reconciled } from '../../fleet/joins/reconciled.ts'
import { MANAGED_BY } from '../../fleet/labels.ts'
import { can, RBAC_KINDS } from '../../fleet/rbac.ts'
import { subject } from '../../fleet/subject.ts'
import type { Check } from '../check.ts'
import { fact, names } from '../support.ts'

const CONTROLLER = /argocd-application-controller$/

/** Namespaces of a cluster that Applications reconciled there deploy into. */
function usedBy(
  view: ClusterView,
  list: readonly { readonly at: string; readonly app: { readonly destination: { readonly namespace: string } } }[],
): Set<string> {
  return new Set(list.filter(r => r.at === view.name).map(r => r.app.destination.namespace))
}

export const managedByIneffective: Check = {
  code: 'FLT0528',
  slug: 'managed-by-ineffective',
  title: 'Label managed-by of a namespace has given Argo CD its rights there',
  severity: 'warning',
  category: 'spokes',
  models: ['pull', 'agent'],
  needs: { hub: ['Application'], spoke: ['Namespace', 'ServiceAccount', ...RBAC_KINDS] },
  uses: reconciled.inputs,
  whole: { spoke: [...RBAC_KINDS] },
  docs: {
    why: 'The operator answers label `argocd.argoproj.io/managed-by` on a Namespace with a Role and RoleBinding for the application controller. When the label was there before the instance, some releases never react: the label is right and the right is not there. It also covers only what ClusterRole admin covers: kinds of operators need a role of their own.',
    remedy:
      'Take the label off and put it on again, or restart the operator. For kinds outside of admin use a ClusterRole labelled `rbac.authorization.k8s.io/aggregate-to-admin: "true"`.',
    sources: ['push-pull 1.12', 'failures in the field E-1, E-2, E-3'],
  },
  *run(fleet) {
    const list = fleet.join(reconciled)
    for (const [cluster, view] of fleet.spokes) {
      const used = usedBy(view, list)
      for (const namespace of view.of('Namespace').all) {
        const { name, labels, deleting } = namespace.meta
        const owner = labels[MANAGED_BY]
        if (owner === undefined || owner === name || deleting !== undefined || !used.has(name)) continue
        const accounts = view
          .of('ServiceAccount')
          .in(owner)
          .filter(a => CONTROLLER.test(a.meta.name))
        if (accounts.length === 0) continue
        const may = accounts.map(a =>
          can(
            view,
            { namespace: owner, name: a.meta.name },
            { verb: 'create', group: 'apps', resource: 'deployments', namespace: name },
          ),
        )
        if (may.some(answer => answer !== 'no')) continue
        yield {
          subject: namespace.subject,
          message: `Namespace "${name}" on cluster "${cluster}" is labelled managed-by "${owner}", but ${names(accounts.map(a => `ServiceAccount "${a.meta.name}"`))} may not deploy there.`,
          evidence: [
            fact(namespace, `.metadata.labels[${MANAGED_BY}]`, owner),
            fact(
              namespace,
              '',
              `RoleBindings: ${names(
                view
                  .of('RoleBinding')
                  .in(name)
                  .map(b => b.meta.name),
              )}`,
            ),
          ],
          effect: 'Applications that deploy there are forbidden to',
          fix: `on ${cluster}: oc label namespace ${name} ${MANAGED_BY}- and label it again, or restart the GitOps operator`,
          because: accounts.map(a => ({ subject: subject(cluster, 'ServiceAccount', owner, a.meta.name) })),
          clusters: [cluster],
          breaks: false,
          through: [],
        }
      }
    }
  },
}
