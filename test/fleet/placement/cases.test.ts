import { describe, expect, it } from 'vitest'
import { explainPlacement } from '../../../src/fleet/placement/explain.ts'
import { loadCel } from '../../../src/fleet/placement/load-cel.ts'
import { isObject, type RawObject } from '../../../src/raw.ts'
import { casesWorld, fixture, placementOf, raws } from './support.ts'

/** What the real placement controller wrote for each Placement of `cases.yaml` in the world of `world.yaml`. */
const file = fixture('cases.yaml')
const cases = raws(isObject(file) ? file.cases : undefined)
const world = casesWorld()
const cel = await loadCel()

/** Here Balance, which looks at the decisions of other Placements at that moment, chooses. */
const UNCERTAIN = ['n-2', 'spread']

function condition(c: RawObject, type: string): RawObject {
  const { status = '', reason = '', message = '' } = raws(c.conditions).find(one => one.type === type) ?? {}
  return { status, reason, message }
}

describe.each(cases.map(c => ({ name: String(c.name), c })))('case $name', ({ name, c }) => {
  const explained = explainPlacement(placementOf(c), world, { cel })

  it(UNCERTAIN.includes(name) ? 'has the winners among the candidates' : 'selects the same clusters', () => {
    expect(explained.certain).toBe(!UNCERTAIN.includes(name))
    if (explained.certain) expect(explained.selected).toEqual(c.selected)
    else expect(explained.candidates).toEqual(expect.arrayContaining(Array.isArray(c.selected) ? c.selected : []))
  })

  it('says what the conditions say', () => {
    expect(explained.satisfied).toEqual(condition(c, 'PlacementSatisfied'))
    const misconfigured = condition(c, 'PlacementMisconfigured')
    // the words of a compile error are those of another CEL compiler
    const message = String(misconfigured.message).startsWith('Predicate:compilation failed: ')
      ? expect.stringMatching(/^Predicate:compilation failed: syntax error: /)
      : misconfigured.message
    expect(explained.misconfigured).toEqual({ ...misconfigured, message })
  })

  it('gives a reason for every cluster that is not selected', () => {
    if (!explained.certain) return
    const selected = new Set(explained.selected)
    const others = world.clusters.map(cluster => cluster.meta.name).filter(other => !selected.has(other))
    expect(explained.notSelected.map(entry => entry.cluster)).toEqual(others.sort())
  })
})
