import { appSets } from '../../fleet/joins/appsets.ts'
import { PULL_LABEL, PULL_NAMESPACE, PULL_TARGET, SKIP_RECONCILE } from '../../fleet/labels.ts'
import { edit, listOf, NOT_SEEN } from '../edits.ts'
import type { Fix } from '../fix.ts'

const MARKS = [PULL_LABEL, PULL_TARGET, PULL_NAMESPACE, SKIP_RECONCILE]

export const appsetAnnotationDroppedFix: Fix = {
  code: 'FLT0310',
  does: 'have the ApplicationSet leave the marks alone that were set by hand',
  risk: 'nothing takes these marks away again when they are not wanted any more',
  safe: true,
  kinds: ['ApplicationSet'],
  repair(input) {
    const { finding, fleet } = input
    const link = fleet.join(appSets).byKey.get(`${finding.subject.namespace}/${finding.subject.name}`)
    if (link === undefined) return 'the ApplicationSet is gone'
    const { template, preservedKeys } = link.appSet
    const byHand = (of: 'labels' | 'annotations'): readonly string[] => {
      const keys = link.owned.flatMap(app => MARKS.filter(key => key in app.meta[of]))
      return [...new Set(keys)].filter(key => !(key in template[of]) && !preservedKeys.includes(key))
    }
    const preserved = (of: 'labels' | 'annotations'): Readonly<Record<string, unknown>> => {
      const keys = byHand(of)
      const there = listOf(input, finding.subject, 'spec', 'preservedFields', of) ?? []
      return keys.length === 0 ? {} : { [of]: [...there, ...keys] }
    }
    if (input.object(finding.subject) === undefined) return NOT_SEEN
    const preservedFields = { ...preserved('labels'), ...preserved('annotations') }
    return {
      steps: [
        edit(
          input,
          finding.subject,
          { spec: { preservedFields } },
          'its controller resets everything else to the template',
        ),
      ],
    }
  },
}
