import type { ApplicationSet, DecisionGenerator } from '../records.ts'
import { destination, sources, syncPolicy } from './application.ts'
import { projectBase, projectConditions, projectSelector } from './common.ts'
import type { Fields } from './fields.ts'

interface Generators {
  readonly decisions: DecisionGenerator[]
  readonly types: string[]
  nested: boolean
}

/** Generators of a list, matrix and merge included: both hold further `generators` (argo-cd applicationset types). */
function collectGenerators(list: readonly Fields[], into: Generators, depth: number): void {
  if (depth > 4) return
  for (const g of list) {
    for (const type of Object.keys(g.raw)) {
      if (type === 'selector' || !g.has(type)) continue
      if (type === 'matrix' || type === 'merge') {
        into.nested = true
        collectGenerators(g.obj(type).objs('generators'), into, depth + 1)
        continue
      }
      into.types.push(type)
      if (type !== 'clusterDecisionResource') continue
      const d = g.obj(type)
      into.decisions.push({
        configMapRef: d.str('configMapRef'),
        resourceName: d.str('name'),
        labelSelector: projectSelector(d, 'labelSelector'),
        requeueAfterSeconds: d.num('requeueAfterSeconds'),
        values: d.map('values'),
      })
    }
  }
}

export function applicationSet(cluster: string, o: Fields): ApplicationSet {
  const spec = o.obj('spec')
  const status = o.obj('status')
  const generators: Generators = { decisions: [], types: [], nested: false }
  const list = spec.objs('generators')
  collectGenerators(list, generators, 0)
  const template = spec.obj('template')
  const generated = template.obj('metadata')
  const appSpec = template.obj('spec')
  const policy = spec.obj('syncPolicy')
  const preserved = spec.obj('preservedFields')
  const { subject, meta } = projectBase(cluster, 'ApplicationSet', o)
  return {
    subject,
    meta,
    goTemplate: spec.bool('goTemplate') ?? false,
    decisionGenerators: generators.decisions,
    generatorTypes: generators.types,
    simple:
      !generators.nested &&
      generators.types.length === 1 &&
      generators.decisions.length === 1 &&
      !(list[0]?.has('selector') ?? false),
    template: {
      name: generated.str('name'),
      namespace: generated.str('namespace'),
      labels: generated.map('labels'),
      annotations: generated.map('annotations'),
      finalizers: generated.strs('finalizers'),
      project: appSpec.str('project'),
      sources: sources(appSpec),
      destination: destination(appSpec),
      syncPolicy: syncPolicy(appSpec),
    },
    hasTemplatePatch: spec.str('templatePatch') !== '',
    preserveResourcesOnDeletion: policy.bool('preserveResourcesOnDeletion') ?? false,
    applicationsSync: policy.str('applicationsSync'),
    preservedKeys: [...preserved.strs('annotations'), ...preserved.strs('labels')],
    ignoresDifferences: spec.objs('ignoreApplicationDifferences').length > 0,
    hasStatus: o.has('status'),
    conditions: projectConditions(status),
    resources: status.objs('resources').map(r => ({ namespace: r.str('namespace'), name: r.str('name') })),
  }
}
