import { appSets } from '../../fleet/joins/appsets.ts'
import type { Check } from '../check.ts'
import { fact } from '../support.ts'

export const placementRuleLegacy: Check = {
  code: 'FLT0113',
  slug: 'placement-rule-legacy',
  title: 'No ApplicationSet takes its clusters from a PlacementRule',
  severity: 'warning',
  category: 'selection',
  models: ['push', 'pull', 'agent'],
  needs: { hub: ['ApplicationSet', 'ConfigMap'] },
  uses: appSets.inputs,
  docs: {
    why: 'PlacementRule is deprecated and gone from newer hubs. An ApplicationSet whose generator reads ConfigMap `acm-placementrule` (kind `placementrules`) stops generating with the API; manifests that were copied from old examples cannot even be applied.',
    remedy:
      'Write a Placement with the same rules, and let the generator read `acm-placement` with `labelSelector.matchLabels: {cluster.open-cluster-management.io/placement: NAME}`.',
    sources: ['failures in the field B-5', 'push-pull 1.5, 1.6'],
  },
  *run(fleet) {
    for (const { appSet, generators } of fleet.join(appSets).all) {
      const old = generators.find(g => g.configMap?.data.kind === 'placementrules')
      if (old?.configMap === undefined) continue
      yield {
        subject: appSet.subject,
        message: `ApplicationSet "${appSet.meta.name}" takes its clusters from PlacementRules, which are deprecated.`,
        evidence: [
          fact(appSet, '.spec.generators', `configMapRef ${old.generator.configMapRef}`),
          fact(old.configMap, '.data[kind]', 'placementrules'),
        ],
        effect: 'it generates nothing any more once the hub no longer serves PlacementRule',
        fix: 'write a Placement, and let the generator read ConfigMap acm-placement with the label of the Placement',
        breaks: false,
      }
    }
  },
}
