import { expect, test } from 'vitest'
import { canonicalHash } from '../../../src/fleet/project/canonical.ts'
import { type FieldNote, Fields } from '../../../src/fleet/project/fields.ts'

function time(text: string) {
  const notes: FieldNote[] = []
  return { value: new Fields({ at: text }, notes).time('at'), notes }
}

test.each([
  '2026-11-30T16:17:47Z',
  '2026-02-28T23:59:59Z',
  '2024-02-29T00:00:00Z',
  '1970-01-01T00:00:00Z',
  '2026-11-30T16:17:25.483342Z',
  '2026-11-30T16:17:47+02:00',
  '2026-11-30T16:17:47.000Z',
])('the time %s is read as RFC 3339 has it', text => {
  expect(time(text)).toEqual({ value: new Date(text).getTime(), notes: [] })
})

test.each(['2026-13-01T00:00:00Z', '2026-11-30T24:60:00Z', '2026-11-30T1x:17:47Z', '2026-11-30x16:17:47Z', 'soon'])(
  'the time %s is none, and noted',
  text => {
    expect(time(text)).toEqual({
      value: undefined,
      notes: [{ path: '.at', expected: 'an RFC 3339 time', found: 'a string' }],
    })
  },
)

test('notes name the place of a field in lists and objects', () => {
  const notes: FieldNote[] = []
  const object = new Fields({ spec: { list: [{ name: 'a' }, { name: 7, map: { x: 1, y: 'z' } }, 'b'] } }, notes)
  const [, second] = object.obj('spec').objs('list')
  expect(second?.word('name')).toBe('')
  expect(second?.map('map')).toEqual({ y: 'z' })
  expect(notes.map(n => `${n.path}: ${n.found}`)).toEqual([
    '.spec.list[2]: a string',
    '.spec.list[1].name: a number',
    '.spec.list[1].map["x"]: a number',
  ])
})

test('lists of strings lose what is none', () => {
  const notes: FieldNote[] = []
  expect(new Fields({ names: ['a', 1, 'b'] }, notes).strs('names')).toEqual(['a', 'b'])
  expect(notes).toHaveLength(1)
})

test('words that are as long and look alike stay apart', () => {
  const texts = Array.from({ length: 20_000 }, (_, i) => `workload-${String(i).padStart(6, '0')}-of-before`)
  for (const text of [...texts, ...texts]) expect(new Fields({ name: text }, []).word('name')).toBe(text)
})

const SPEC = {
  project: 'default',
  source: { repoURL: 'http://git', path: 'a', targetRevision: '1' },
  syncPolicy: { automated: { prune: true }, syncOptions: ['A=1', 'B=2'] },
}

test('the fingerprint of a spec does not count what means nothing', () => {
  const { syncPolicy, source, project } = SPEC
  for (const same of [
    { syncPolicy, source, project },
    { ...SPEC, sources: [], info: null, ignoreDifferences: {} },
    { ...SPEC, source: { ...source, helm: {}, kustomize: { images: [] } } },
    { ...SPEC, destination: { server: 'https://elsewhere' } },
  ])
    expect(canonicalHash(same, ['destination'])).toBe(canonicalHash(SPEC, ['destination']))
})

test('the fingerprint of a spec counts all else', () => {
  const others = [
    { ...SPEC, project: 'Default' },
    { ...SPEC, source: { ...SPEC.source, path: 'b' } },
    { ...SPEC, source: { ...SPEC.source, path: '1', targetRevision: 'a' } },
    { ...SPEC, source: { ...SPEC.source, targetRevision: 1 } },
    { ...SPEC, syncPolicy: { ...SPEC.syncPolicy, syncOptions: ['B=2', 'A=1'] } },
    { ...SPEC, syncPolicy: { ...SPEC.syncPolicy, automated: { prune: false } } },
    { ...SPEC, syncPolicy: { ...SPEC.syncPolicy, automated: { prune: 'true' } } },
    { ...SPEC, syncPolicy: { automated: { prune: true, syncOptions: ['A=1', 'B=2'] } } },
    { ...SPEC, source: { ...SPEC.source, destination: 'x' } },
    { ...SPEC, sources: [{}] },
  ]
  expect(new Set([SPEC, ...others].map(s => canonicalHash(s, ['destination']))).size).toBe(others.length + 1)
})
