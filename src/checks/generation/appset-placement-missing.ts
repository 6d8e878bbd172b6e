import { appSets } from '../../fleet/joins/appsets.ts'
import { subject } from '../../fleet/subject.ts'
import { nearest } from '../../ui/nearest.ts'
import type { Check } from '../check.ts'
import { conditionFact, fact, names } from '../support.ts'
import { APPSET_NEEDS } from './appset-support.ts'

export const appsetPlacementMissing: Check = {
  code: 'FLT0315',
  slug: 'appset-placement-missing',
  title: 'Every generator selects a decision that exists',
  severity: 'warning',
  category: 'generation',
  models: ['push', 'pull', 'agent'],
  needs: { hub: [...(APPSET_NEEDS.hub ?? []), 'Placement'] },
  uses: appSets.inputs,
  whole: { hub: ['PlacementDecision', 'Placement'] },
  docs: {
    why: 'A generator finds its decisions by a label with the name of the Placement, in the namespace of the controller. A name that is misspelt, or a Placement that was renamed or lies elsewhere, selects nothing; the ApplicationSet says so at its next look ("no clusterDecisionResources found") and keeps its Applications as they are.',
    remedy: 'Correct the label in `labelSelector.matchLabels`, or create the Placement in the Argo CD namespace.',
    sources: ['push-pull 1.8', 'failures in the field B-6'],
  },
  *run(fleet) {
    for (const { appSet, generators, argoNamespace } of fleet.join(appSets).all) {
      const dangling = generators.filter(g => g.decisions.length === 0)
      const first = dangling[0]
      if (first === undefined || argoNamespace === '' || appSet.meta.deleting !== undefined) continue
      const wanted =
        first.placementNames.length > 0 ? first.placementNames : [first.generator.resourceName].filter(n => n !== '')
      const there = fleet.hub
        .of('Placement')
        .in(argoNamespace)
        .map(p => p.meta.name)
      const like = wanted[0] === undefined ? undefined : nearest(wanted[0], there)
      yield {
        subject: appSet.subject,
        message: `The generator of ApplicationSet "${appSet.meta.name}" selects no decision in namespace "${argoNamespace}"${wanted.length === 0 ? '' : `: there is none of Placement ${names(wanted.map(w => `"${w}"`))}`}${like === undefined || wanted.includes(like) ? '' : `; there is one of "${like}"`}.`,
        evidence: [
          fact(
            appSet,
            '.spec.generators',
            wanted.length > 0 ? `placement ${names(wanted)}` : 'a selector without a Placement',
          ),
          fact(appSet, '', `Placements in ${argoNamespace}: ${names(there)}`),
          conditionFact(appSet, 'ErrorOccurred'),
        ],
        effect: 'nothing is generated; Applications that exist are kept and not changed any more',
        fix:
          like === undefined || wanted.includes(like)
            ? `create the Placement in ${argoNamespace}, or correct the labelSelector`
            : `set cluster.open-cluster-management.io/placement: ${like} in the labelSelector`,
        because: [
          { subject: appSet.subject },
          ...wanted.map(w => ({ subject: subject('hub', 'Placement', argoNamespace, w) })),
        ],
        breaks: false,
      }
    }
  },
}
