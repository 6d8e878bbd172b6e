import { placementUsers } from '../../fleet/joins/placement-users.ts'
import { placementKey } from '../../fleet/joins/selection.ts'
import { SCHEDULING_DISABLED } from '../../fleet/labels.ts'
import type { Check } from '../check.ts'
import { conditionFact, fact, names } from '../support.ts'

export const placementSchedulingDisabled: Check = {
  code: 'FLT0104',
  slug: 'placement-scheduling-disabled',
  title: 'No Placement in use is switched off',
  severity: 'error',
  category: 'selection',
  models: ['push', 'pull', 'agent'],
  needs: { hub: ['Placement'] },
  uses: placementUsers.inputs,
  docs: {
    why: 'With the annotation `experimental-scheduling-disable: "true"` the scheduler ignores the Placement completely: its decision and status stay as they were, no condition and no event say so, and new clusters never arrive.',
    remedy: 'Remove the annotation from the Placement.',
    sources: ['push-pull 1.4', 'seen on running controllers: 1.4'],
  },
  *run(fleet) {
    const users = fleet.join(placementUsers)
    for (const placement of fleet.hub.of('Placement').all) {
      if (placement.meta.annotations[SCHEDULING_DISABLED] !== 'true') continue
      const { namespace, name } = placement.meta
      const by = users.get(placementKey(namespace, name)) ?? []
      yield {
        subject: placement.subject,
        severity: by.length > 0 ? 'error' : 'warning',
        message: `Scheduling of Placement "${name}" in namespace "${namespace}" is switched off by an annotation.`,
        evidence: [
          fact(placement, `.metadata.annotations[${SCHEDULING_DISABLED}]`, 'true'),
          conditionFact(placement, 'PlacementSatisfied'),
          fact(placement, '', `used by ${names(by.map(b => `${b.subject.kind}/${b.meta.name}`))}`),
        ],
        effect: 'its decision never changes: clusters that come, go or lose labels make no difference',
        fix: `oc -n ${namespace} annotate placement ${name} ${SCHEDULING_DISABLED}-`,
      }
    }
  },
}
