import { readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import * as problemJoins from '../../src/checks/argo/problems.ts'
import type { Check } from '../../src/checks/check.ts'
import { CHECKS } from '../../src/checks/registry.ts'
import type { Fleet, Join, KindSet } from '../../src/fleet/fleet.ts'
import { placements } from '../../src/fleet/joins/placements.ts'
import { ways } from '../../src/fleet/joins/ways.ts'
import type { KindName } from '../../src/fleet/kinds.ts'
import { FLEET_NAMES, readRecorded } from '../support/fleets.ts'

/** Everything that was asked of a fleet, as `hub Kind` and `spoke Kind`. */
function watching(fleet: Fleet): { readonly fleet: Fleet; readonly read: ReadonlySet<string> } {
  const read = new Set<string>()
  return { fleet: fleet.observedBy((role, kind) => read.add(`${role} ${kind}`)), read }
}

function declared(...sets: readonly (KindSet | undefined)[]): Set<string> {
  const texts = (role: string, kinds: readonly KindName[] = []) => kinds.map(kind => `${role} ${kind}`)
  return new Set(sets.flatMap(set => [...texts('hub', set?.hub), ...texts('spoke', set?.spoke)]))
}

/** What a check reads beyond its declaration. */
function undeclaredBy(check: Check, of: Fleet): string[] {
  const { fleet, read } = watching(of)
  const scope = fleet.withSpokesKnowing(check.needs.spoke ?? [])
  if (check.notApplicable?.(scope) === undefined) Array.from(check.run(scope))
  const may = declared(check.needs, check.uses)
  return [...read].filter(kind => !may.has(kind))
}

function isJoin(value: unknown): value is Join<unknown> {
  return typeof value === 'object' && value !== null && 'inputs' in value && 'compute' in value
}

/** Every join: the exported values of src/fleet/joins, and those that checks bring. */
const FOLDER = join(dirname(fileURLToPath(import.meta.url)), '../../src/fleet/joins')
const modules: object[] = [problemJoins]
for (const file of readdirSync(FOLDER)) modules.push(await import(join(FOLDER, file)))
const JOINS = modules.flatMap(module =>
  Object.entries(module).flatMap(([name, value]: [string, unknown]) => (isJoin(value) ? [{ name, of: value }] : [])),
)

/** Joins that work out a part only when they are asked for it. */
function askAll(fleet: Fleet, of: Join<unknown>): void {
  if (of === ways) ways.compute(fleet).through('')
  else if (of === placements) {
    const { explain } = placements.compute(fleet)
    for (const { meta } of fleet.hub.of('Placement').all) explain(meta.namespace, meta.name)
  } else of.compute(fleet)
}

test('finds the joins', () => {
  const names = JOINS.map(j => j.name)
  expect(names).toEqual(expect.arrayContaining(['applications', 'appSets', 'works', 'ways', 'placements', 'problems']))
  expect(new Set(names).size).toBe(names.length)
})

describe.each(FLEET_NAMES)('on %s', name => {
  test('checks and joins read what they declare', async () => {
    const { fleet } = await (await readRecorded(name)).load()
    const found: Record<string, string[]> = {}
    for (const check of CHECKS) {
      const beyond = undeclaredBy(check, fleet)
      if (beyond.length > 0) found[`${check.code} ${check.slug}`] = beyond
    }
    for (const { name: joinName, of } of JOINS) {
      const { fleet: watched, read } = watching(fleet.withoutJoins())
      askAll(watched, of)
      const may = declared(of.inputs)
      const beyond = [...read].filter(kind => !may.has(kind))
      if (beyond.length > 0) found[`join ${joinName}`] = beyond
    }
    expect(found).toEqual({})
  })
})

test('notices a check that reads more than it declares', async () => {
  const { fleet } = await (await readRecorded('pull-healthy')).load()
  const check = CHECKS.find(c => c.slug === 'cluster-set-lost')
  if (check === undefined) throw new Error('the check is gone')
  const nosy: Check = {
    ...check,
    run(f) {
      f.hub.of('Lease')
      for (const view of f.spokes.values()) view.of('Pod')
      return []
    },
  }
  expect(undeclaredBy(nosy, fleet)).toEqual(['hub Lease', 'spoke Pod'])
})
