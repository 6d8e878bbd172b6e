import { placementUsers } from '../../fleet/joins/placement-users.ts'
import { placementKey } from '../../fleet/joins/selection.ts'
import type { Check } from '../check.ts'
import { fact, names } from '../support.ts'

/** Taints that the hub puts on a cluster when it loses contact (push-pull.md 1.1). */
const OUTAGE_TAINTS = [
  'cluster.open-cluster-management.io/unreachable',
  'cluster.open-cluster-management.io/unavailable',
]

export const placementTolerationsMissing: Check = {
  code: 'FLT0108',
  slug: 'placement-tolerations-missing',
  title: 'Placements for delivery tolerate an outage of a cluster',
  severity: 'warning',
  category: 'selection',
  models: ['push', 'pull', 'agent'],
  needs: { hub: ['Placement'] },
  uses: placementUsers.inputs,
  docs: {
    why: 'When a cluster loses contact with the hub it is tainted, leaves the decision of every Placement that does not tolerate that, and the ApplicationSet deletes its Applications; with push the resources are pruned from a cluster that is running well.',
    remedy:
      'Add to the Placement: `tolerations: [{key: cluster.open-cluster-management.io/unreachable, operator: Exists}, {key: cluster.open-cluster-management.io/unavailable, operator: Exists}]`.',
    sources: ['push-pull 1.4, 5 (4)', 'seen on running controllers: 1.1/1.4'],
  },
  *run(fleet) {
    const users = fleet.join(placementUsers)
    for (const placement of fleet.hub.of('Placement').all) {
      const { namespace, name } = placement.meta
      const by = users.get(placementKey(namespace, name))
      if (by === undefined) continue
      const lacking = OUTAGE_TAINTS.filter(
        key =>
          !placement.tolerations.some(
            t =>
              (t.key === key || t.key === '') &&
              t.operator === 'Exists' &&
              (t.effect === '' || t.effect === 'NoSelect'),
          ),
      )
      if (lacking.length === 0) continue
      yield {
        subject: placement.subject,
        message: `Placement "${name}" in namespace "${namespace}" does not tolerate ${names(lacking)}.`,
        evidence: [
          fact(placement, '.spec.tolerations', names(placement.tolerations.map(t => t.key || '*'))),
          fact(placement, '', `used by ${names(by.map(b => `${b.subject.kind}/${b.meta.name}`))}`),
        ],
        effect: 'a cluster that loses contact for five minutes loses its Applications',
        fix: `add tolerations with operator Exists for ${names(lacking)}`,
      }
    }
  },
}
