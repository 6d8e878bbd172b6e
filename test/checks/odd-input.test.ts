import { describe, expect, test } from 'vitest'
import { CHECKS } from '../../src/checks/registry.ts'
import { runChecks } from '../../src/checks/run.ts'
import { examine, reported } from '../../src/diagnosis.ts'
import type { LostField } from '../../src/fleet/load.ts'
import { FLEET_NAMES, RecordedFleet, type RecordedObject, readRecorded, recorded } from '../support/fleets.ts'
import { patched } from '../support/patch.ts'

/** Rounds for each fleet; more on demand, to search for longer. */
const ROUNDS = Number(process.env.FUZZ_ROUNDS ?? 3)

/** Seeded numbers, so that a failure can be repeated (mulberry32). */
function random(seed: number): (below: number) => number {
  let state = seed
  return below => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return Math.floor((((t ^ (t >>> 14)) >>> 0) / 4294967296) * below)
  }
}

const ODD: readonly unknown[] = [
  null,
  '',
  'x',
  0,
  -1,
  1e308,
  Number.MAX_SAFE_INTEGER,
  true,
  false,
  [],
  {},
  [null],
  [[]],
  [{}],
  ['x', 7, null],
  { a: { b: [1] } },
  '9999-99-99T99:99:99Z',
  'x'.repeat(5000),
  '\u0000\u001b[31m\r\n\u202e',
  '{{ .name }}{{',
  '(((((((((((((((((((((a*)*)*)*',
  '__proto__',
  { __proto__: null, constructor: 'x', toString: 1 },
]

interface Place {
  readonly parent: Record<string, unknown> | unknown[]
  readonly key: string
  readonly path: string
}

function places(value: unknown, path: string, into: Place[]): Place[] {
  if (typeof value !== 'object' || value === null) return into
  const entries: [string, unknown][] = Object.entries(value)
  for (const [key, child] of entries) {
    // Narrowed above to an object or a list; both are written by key.
    into.push({ parent: value as Place['parent'], key, path: `${path}.${key}` })
    places(child, `${path}.${key}`, into)
  }
  return into
}

interface Spoilt {
  readonly fleet: RecordedFleet
  readonly what: readonly string[]
}

/** Some fields of some objects of a fleet replaced by odd values. */
function spoil(fleet: RecordedFleet, seed: number): Spoilt {
  const next = random(seed)
  const objects: RecordedObject[] = [...fleet.objects]
  const what: string[] = []
  for (let i = 0; i < 12; i++) {
    const at = next(objects.length)
    const object = objects[at]
    if (object === undefined) continue
    const raw = structuredClone(object.raw)
    const all = places(raw, '', [])
    const place = all[next(all.length)]
    if (place === undefined) continue
    const odd = ODD[next(ODD.length)]
    Reflect.set(place.parent, place.key, odd)
    what.push(`${object.cluster}/${object.kind} ${object.where}${place.path} = ${JSON.stringify(odd)?.slice(0, 60)}`)
    objects[at] = { ...object, raw }
  }
  return { fleet: new RecordedFleet(fleet.name, objects, fleet.report), what }
}

/** Codes of checks that look at what was lost, on the side where it was lost. */
function lookersAt(lost: readonly LostField[]): Set<string> {
  const codes = new Set<string>()
  for (const { kind, subject } of lost) {
    const side = subject.cluster === 'hub' ? 'hub' : 'spoke'
    for (const check of CHECKS)
      if ([check.needs, check.uses].some(inputs => inputs?.[side]?.includes(kind))) codes.add(check.code)
  }
  return codes
}

async function examineSpoilt({ fleet, what }: Spoilt, hint: string) {
  const loaded = await fleet.load()
  const diagnosis = examine(loaded, CHECKS)
  const text = JSON.stringify(diagnosis.roots.map(node => reported(diagnosis, node)))
  const { passed, unknown } = diagnosis.run
  const context = `${hint}: ${what.join('; ')}`
  expect(
    unknown.filter(u => u.reason.startsWith('the check failed')),
    context,
  ).toEqual([])
  expect(text, context).not.toMatch(/\\n\s+at /)
  const lookers = lookersAt(loaded.lost)
  expect(
    passed.filter(p => lookers.has(p.code)).map(p => p.code),
    `${context}; lost: ${loaded.lost.map(l => l.text).join('; ')}`,
  ).toEqual([])
  return loaded.lost.length
}

describe('odd fields in recorded objects', () => {
  test.each(FLEET_NAMES)('%s', async name => {
    const fleet = await readRecorded(name)
    let lost = 0
    for (let round = 0; round < ROUNDS; round++)
      lost += await examineSpoilt(spoil(fleet, round + 1), `seed ${round + 1}`)
    if (ROUNDS >= 3) expect(lost).toBeGreaterThan(0)
  })
})

test('objects that are no objects, or have no name, are lost and named', async () => {
  const fleet = await recorded('pull-healthy')
  const odd: RecordedObject[] = []
  for (const [i, raw] of [null, 5, 'x', [], {}, { metadata: null }, { metadata: { name: 7 } }].entries()) {
    // What a file may hold where an object should be.
    odd.push({ cluster: 'hub', kind: 'ManifestWork', raw: raw as RecordedObject['raw'], where: `works.yaml ${i}` })
  }
  const spoilt = new RecordedFleet(fleet.name, [...fleet.objects, ...odd], fleet.report)
  const { lost } = await spoilt.load()
  expect(new Set(lost.map(l => l.subject.name))).toEqual(new Set(odd.map(o => o.where)))
  expect(await examineSpoilt({ fleet: spoilt, what: ['odd ManifestWorks'] }, 'by hand')).toBe(lost.length)
})

test('ten thousand lost fields of one kind do not hide those of another', async () => {
  const fleet = await recorded('pull-healthy')
  const events: RecordedObject[] = Array.from({ length: 2000 }, (_, i) => ({
    cluster: 'hub',
    kind: 'Event',
    raw: { metadata: { name: `e${i}`, labels: 5 }, reason: [], message: 1, type: {}, involvedObject: 0 },
    where: 'events.yaml',
  }))
  const work: RecordedObject = {
    cluster: 'hub',
    kind: 'Placement',
    raw: { metadata: { name: 'last', namespace: 'x' }, spec: { clusterSets: 5 } },
    where: 'placements.yaml',
  }
  const spoilt = new RecordedFleet(fleet.name, [...fleet.objects, ...events, work], fleet.report)
  const { lost } = await spoilt.load()
  expect(lost.length).toBeLessThan(2000)
  expect(lost.map(l => l.kind)).toContain('Placement')
})

describe('a field of a wrong type', () => {
  test.each([
    ['.status', ['status'], 'x'],
    ['.status.conditions', ['status', 'conditions'], 'x'],
    ['a condition', ['status', 'conditions', 0], 'x'],
  ])('is not taken for one that is absent: %s of a managed cluster', async (_, path, value) => {
    const fleet = await patched('push-healthy', patch => patch.set('hub/ManagedCluster/bm', path, value))
    const { fleet: typed, lost } = await fleet.load()
    const { found, unknown } = runChecks(typed, CHECKS, lost)
    const errors = found.filter(f => (f.finding.severity ?? f.check.severity) === 'error')
    expect(errors.map(f => `${f.check.code} ${f.finding.message}`)).toEqual([])
    expect(unknown.map(u => u.slug)).toContain('cluster-not-joined')
  })
})
