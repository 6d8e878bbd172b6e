import { describe, expect, test } from 'vitest'
import { type DoctorOptions, runDoctor } from '../../src/doctor.ts'
import { holdsAt, type Suppression } from '../../src/suppressions/suppression.ts'
import { recorded } from '../support/fleets.ts'
import { patched } from '../support/patch.ts'

/** A fleet whose one root is FLT0102 on a Placement. */
const FLEET = 'pull-binding-deleted'

const suppression = (rest: Partial<Suppression> = {}): Suppression => ({
  origin: '.fleetctl.yaml:4',
  check: 'FLT0102',
  codes: ['FLT0102'],
  object: '*',
  cluster: '*',
  reason: 'known',
  owner: 'team',
  expires: '2099-01-31',
  ...rest,
})

async function run(options: DoctorOptions) {
  const seen = await runDoctor(await recorded(FLEET), options)
  return {
    codes: seen.findings.map(f => f.code),
    suppressed: seen.suppressed.map(f => [f.code, f.by]),
    own: seen.findings.filter(f => f.category === 'settings').map(f => [f.code, f.severity, f.subject.name]),
    skipped: seen.skipped.filter(c => c.category === 'settings').map(c => c.code),
    passed: seen.passed.filter(c => c.category === 'settings').map(c => c.code),
  }
}

describe('a suppression of a settings file', () => {
  test('hides its findings, and says who answers for it', async () => {
    const seen = await run({ suppressions: [suppression()] })
    expect(seen.codes).not.toContain('FLT0102')
    expect(seen.suppressed).toEqual([['FLT0102', '.fleetctl.yaml:4 (team until 2099-01-31): known']])
    expect(seen.own).toEqual([])
    expect(seen.passed).toEqual(['FLT1001', 'FLT1002'])
  })

  test('is for its objects and clusters only', async () => {
    for (const one of [suppression({ object: '*/Placement/none-such' }), suppression({ cluster: 'bm' })])
      expect((await run({ suppressions: [one] })).codes).toContain('FLT0102')
  })

  test('that has ended hides nothing and is a warning', async () => {
    const seen = await run({ suppressions: [suppression({ expires: '2020-01-31' })] })
    expect(seen.codes).toContain('FLT0102')
    expect(seen.own).toEqual([['FLT1001', 'warning', 'FLT0102']])
  })

  test('that meets nothing is told, one of several checks only where all of them could look', async () => {
    const idle = suppression({ check: 'FLT0001', codes: ['FLT0001'] })
    expect((await run({ suppressions: [idle] })).own).toEqual([['FLT1002', 'info', 'FLT0001']])
    expect((await run({ suppressions: [idle], skip: ['FLT0001'] })).own).toEqual([])
    // Checks of the agent do not apply to a fleet without one.
    expect((await run({ suppressions: [suppression({ check: 'FLT08*', codes: ['FLT08*'] })] })).own).toEqual([])
  })

  test('of a consequence is in use', async () => {
    const all = await runDoctor(await recorded(FLEET))
    const [below] = all.findings.find(f => f.code === 'FLT0102')?.explains ?? []
    const code = below?.code ?? ''
    expect(code).toMatch(/^FLT/)
    expect((await run({ suppressions: [suppression({ check: code, codes: [code] })] })).own).toEqual([])
  })

  test('holds on the whole of its last day, in UTC', () => {
    const one = suppression({ expires: '2026-11-30' })
    expect(holdsAt(one, Date.parse('2026-11-30T23:59:59Z'))).toBe(true)
    expect(holdsAt(one, Date.parse('2026-12-01T00:00:00Z'))).toBe(false)
  })
})

test('a flag that meets nothing is told, and can be told not to be', async () => {
  expect((await run({ ignore: ['FLT0001'] })).own).toEqual([['FLT1002', 'info', 'FLT0001']])
  expect((await run({ ignore: ['FLT0001', 'FLT1002'] })).own).toEqual([])
  expect((await run({ ignore: ['FLT0001'], skip: ['FLT1002'] })).own).toEqual([])
  expect((await run({ ignore: ['FLT0*'] })).own).toEqual([])
})

test('an annotation that hides nothing is told on its object; one with a finding hides it', async () => {
  const annotate = (codes: string) =>
    patched('placement-bad-toleration', patch => {
      for (const { kind, raw } of [...patch.objects]) {
        const meta = raw.metadata as { namespace: string; name: string }
        if (kind !== 'Placement') continue
        const edited = patch.edit(`hub/Placement/${meta.namespace}/${meta.name}`)
        edited.metadata = { ...meta, annotations: { 'fleetctl.io/ignore': codes } }
      }
    })
  const used = await runDoctor(await annotate('FLT0103'))
  expect(used.suppressed.map(f => [f.code, f.by])).toEqual([['FLT0103', 'annotation fleetctl.io/ignore']])
  expect(used.findings.filter(f => f.category === 'settings')).toEqual([])
  const idle = await runDoctor(await annotate('FLT0103, FLT0104,FLT9999'))
  const [told] = idle.findings.filter(f => f.category === 'settings')
  expect([told?.code, told?.subject.kind, told?.severity]).toEqual(['FLT1002', 'Placement', 'info'])
  expect(told?.message).toContain('FLT0104, FLT9999')
})

test('where reading was refused, an old suppression is told, and none is called unused', async () => {
  const idle = suppression({ check: 'FLT0001', codes: ['FLT0001'] })
  const ended = suppression({ check: 'FLT0001', codes: ['FLT0001'], expires: '2020-01-31' })
  const blind = await patched(FLEET, patch => patch.refuse('hub', 'ManagedCluster'))
  const seen = await runDoctor(blind, { suppressions: [idle, ended] })
  expect(seen.unknown.map(u => u.code)).toContain('FLT0001')
  expect(seen.findings.filter(f => f.category === 'settings').map(f => f.code)).toEqual(['FLT1001'])
})

test('a run without suppressions skips what judges them', async () => {
  expect(await run({})).toMatchObject({ own: [], skipped: ['FLT1001', 'FLT1002'], passed: [] })
})
