import { expect, it } from 'vitest'
import { explainPlacement } from '../../../src/fleet/placement/explain.ts'
import type { PlacementWorld } from '../../../src/fleet/placement/world.ts'
import { isObject, type RawObject } from '../../../src/raw.ts'
import { clusters, fixture, placementOf, raws, records } from './support.ts'

/** Placements that OCM's scheduler was run on; see `what` in the file. */
const file = fixture('scheduler-cases.json')
if (!isObject(file)) throw new Error('no cases')

const world: PlacementWorld = {
  clusters: clusters(raws(file.clusters)),
  sets: records('ManagedClusterSet', raws(file.sets)),
  bindings: records('ManagedClusterSetBinding', raws(file.bindings)),
  now: Date.parse(String(file.now)),
}

function explain(c: RawObject) {
  const decided = new Set(Array.isArray(c.decided) ? c.decided.map(String) : [])
  return explainPlacement(placementOf(c), world, { decided })
}

/** Whether prioritizers that look beyond the Placement choose among more clusters than are wanted. */
function isOpen({ spec }: RawObject, candidates: number): boolean {
  const wanted = isObject(spec) ? spec.numberOfClusters : undefined
  if (typeof wanted !== 'number' || wanted === 0 || wanted >= candidates) return false
  const policy = isObject(spec) && isObject(spec.prioritizerPolicy) ? spec.prioritizerPolicy : {}
  const weights = new Map<unknown, unknown>(policy.mode === 'Exact' ? [] : [['Balance', 1]])
  for (const { scoreCoordinate, weight } of raws(policy.configurations ?? [])) {
    if (isObject(scoreCoordinate)) weights.set(scoreCoordinate.builtIn ?? 'AddOn', weight)
  }
  return ['Balance', 'AddOn'].some(name => (weights.get(name) ?? 0) !== 0)
}

it.each(raws(file.cases).map(c => ({ name: c.name, c })))('$name', ({ c }) => {
  const explained = explain(c)
  if (c.error !== undefined) {
    expect(explained.frozen).toBeDefined()
    expect(explained.satisfied.status).toBe('')
    return
  }
  const { satisfied, misconfigured, selected } = c
  expect(explained.satisfied).toEqual(satisfied)
  expect(explained.misconfigured).toMatchObject(isObject(misconfigured) ? misconfigured : {})
  expect(explained.certain).toBe(!isOpen(c, explained.candidates.length))
  if (explained.certain) expect(explained.selected).toEqual(selected)
  else expect(explained.candidates).toEqual(expect.arrayContaining(Array.isArray(selected) ? selected : []))
})
