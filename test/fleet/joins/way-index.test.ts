import { expect, test } from 'vitest'
import { stopsOf, ways } from '../../../src/fleet/joins/ways.ts'
import { subjectKey } from '../../../src/fleet/subject.ts'
import { FLEET_NAMES, recordedTyped } from '../../support/fleets.ts'

test.each(FLEET_NAMES)('the index of %s leads through each object as the ways themselves do', async name => {
  const { all, through } = (await recordedTyped(name)).join(ways)
  const fleet = await recordedTyped(name)
  const expected = new Map<string, Set<string>>()
  for (const way of all) {
    for (const key of stopsOf(fleet, way).map(subjectKey))
      expected.set(key, (expected.get(key) ?? new Set()).add(way.key))
  }
  for (const [key, keys] of expected) {
    const found = through(key).map(w => w.key)
    expect(new Set(found), key).toEqual(keys)
    expect(found, key).toHaveLength(keys.size)
  }
  expect(through('hub|x|Nothing||')).toEqual([])
})
