import { appSets } from '../../fleet/joins/appsets.ts'
import type { Check } from '../check.ts'
import { conditionFact, fact, names } from '../support.ts'
import { APPSET_NEEDS, decidedClusters } from './appset-support.ts'

export const appsetNameStatic: Check = {
  code: 'FLT0307',
  slug: 'appset-name-static',
  title: 'The names of generated Applications tell their clusters apart',
  severity: 'warning',
  category: 'generation',
  models: ['push', 'pull', 'agent'],
  needs: APPSET_NEEDS,
  uses: appSets.inputs,
  docs: {
    why: 'A template name without a parameter of the generator is the same for every decided cluster. With two clusters the ApplicationSet fails ("contains applications with duplicate name"); with one the Application jumps when the decision changes to another.',
    remedy:
      'Put the cluster into `spec.template.metadata.name`: `{{name}}`, or `{{.name}}` with goTemplate. Or let the Placement choose one cluster on purpose (`numberOfClusters: 1`).',
    sources: ['push-pull 1.8', 'failures in the field D-11'],
  },
  *run(fleet) {
    for (const link of fleet.join(appSets).all) {
      const { appSet, generators } = link
      const { name } = appSet.template
      if (!appSet.simple || appSet.hasTemplatePatch || name === '' || name.includes('{{')) continue
      const decided = decidedClusters(link)
      const single = generators.every(
        g => g.placements.length > 0 && g.placements.every(p => p.placement.numberOfClusters === 1),
      )
      if (decided.length < 2 && single) continue
      const clash = decided.length > 1
      yield {
        subject: appSet.subject,
        severity: clash ? 'error' : 'warning',
        message: `ApplicationSet "${appSet.meta.name}" gives every Application the name "${name}"; ${clash ? `${decided.length} clusters are decided (${names(decided)})` : 'its Placement may select more than one cluster'}.`,
        evidence: [fact(appSet, '.spec.template.metadata.name', name), conditionFact(appSet, 'ErrorOccurred')],
        effect: clash
          ? 'it generates nothing: two Applications cannot have one name'
          : 'a second cluster makes it fail; another cluster takes the Application away from the first',
        fix: `put the cluster into the name, e.g. ${name}-${appSet.goTemplate ? '{{.name}}' : '{{name}}'}`,
        breaks: clash,
      }
    }
  },
}
