import type { ApplicationSet } from '../../fleet/records.ts'
import type { Check } from '../check.ts'
import { conditionFact, fact } from '../support.ts'

/** What a clusterDecisionResource generator lacks or has too much of (argo-cd applicationset/generators/duck_type.go). */
function faults({ decisionGenerators }: ApplicationSet): string[] {
  return decisionGenerators.flatMap(g => {
    const wrong: string[] = []
    if (g.configMapRef === '') wrong.push('no configMapRef')
    if (g.resourceName === '' && g.labelSelector === undefined) wrong.push('neither name nor labelSelector')
    if (g.resourceName !== '' && g.labelSelector !== undefined) wrong.push('both name and labelSelector')
    return wrong
  })
}

export const appsetGeneratorIncomplete: Check = {
  code: 'FLT0316',
  slug: 'appset-generator-incomplete',
  title: 'Generators say which decisions they read, in one way',
  severity: 'warning',
  category: 'generation',
  models: ['push', 'pull', 'agent'],
  needs: { hub: ['ApplicationSet'] },
  docs: {
    why: 'A clusterDecisionResource generator needs a ConfigMap and exactly one of `name` and `labelSelector`. The API takes other forms; the controller then says "there is a problem with the definition of the ClusterDecisionResource generator".',
    remedy: 'Give it `configMapRef: acm-placement` and a `labelSelector` with the label of the Placement.',
    sources: ['push-pull 1.8', 'argoproj/argo-cd:applicationset/generators/duck_type.go'],
  },
  *run(fleet) {
    for (const appSet of fleet.hub.of('ApplicationSet').all) {
      const wrong = faults(appSet)
      if (wrong.length === 0) continue
      yield {
        subject: appSet.subject,
        message: `A generator of ApplicationSet "${appSet.meta.name}" has ${wrong.join(', ')}.`,
        evidence: [...wrong.map(w => fact(appSet, '.spec.generators', w)), conditionFact(appSet, 'ErrorOccurred')],
        effect: 'nothing is generated; Applications that exist are kept and not changed any more',
        fix: 'set configMapRef, and labelSelector.matchLabels with cluster.open-cluster-management.io/placement',
        because: [{ subject: appSet.subject }],
        breaks: false,
      }
    }
  },
}
