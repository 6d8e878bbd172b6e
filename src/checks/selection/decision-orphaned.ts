import { selection } from '../../fleet/joins/selection.ts'
import { missing, subject } from '../../fleet/subject.ts'
import type { Check } from '../check.ts'
import { fact, names } from '../support.ts'

export const decisionOrphaned: Check = {
  code: 'FLT0114',
  slug: 'decision-orphaned',
  title: 'Every PlacementDecision belongs to a Placement that exists',
  severity: 'warning',
  category: 'selection',
  models: ['push', 'pull', 'agent'],
  needs: { hub: ['Placement', 'PlacementDecision'] },
  uses: { hub: ['ManagedClusterSetBinding'] },
  whole: { hub: ['Placement'] },
  docs: {
    why: 'The decisions of a deleted Placement are removed by the garbage collector. ApplicationSets that read them then fail with "no clusterDecisionResources found" and keep their Applications as they are. Decisions that stay without a Placement were made by hand, and nobody changes them any more.',
    remedy: 'Create the Placement again. A decision made by hand should be replaced by a Placement.',
    sources: ['push-pull 1.4, 1.5', 'failures in the field D-1'],
  },
  *run(fleet) {
    for (const list of fleet.join(selection).orphans.values()) {
      const first = list[0]
      if (first === undefined || first.placement === '') continue
      const { namespace } = first.meta
      const at = missing(subject('hub', 'Placement', namespace, first.placement))
      yield {
        subject: at,
        message: `Placement "${first.placement}" does not exist in namespace "${namespace}", but its decision is still there (${names([...new Set(list.flatMap(d => d.clusterNames))].sort())}).`,
        evidence: [
          fact(at, '', 'does not exist'),
          ...list.slice(0, 5).map(d => fact(d, '.status.decisions', names(d.clusterNames))),
        ],
        effect: 'the decision is about to be removed, or is never changed again; ApplicationSets on it freeze',
        fix: `create Placement ${namespace}/${first.placement}`,
        because: [{ subject: at }],
        breaks: false,
      }
    }
  },
}
