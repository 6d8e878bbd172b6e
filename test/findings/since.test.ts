import { expect, test } from 'vitest'
import { API_VERSION } from '../../src/checks/report.ts'
import { runDoctor } from '../../src/doctor.ts'
import { changedWithin } from '../../src/findings/since.ts'
import { isObject } from '../../src/raw.ts'
import { doctorOf, runCli } from '../commands/run-cli.ts'
import { ago, FINDING, report, symptom, WARNING } from '../output/samples.ts'
import { recorded } from '../support/fleets.ts'
import { patched } from '../support/patch.ts'

const MINUTE = 60_000
const codes = (all: readonly { readonly code: string }[]) => all.map(f => f.code)

/** `lastTransitionTime` of a condition, as it was recorded. */
async function transition(name: string, kind: string, type: string): Promise<string> {
  const { objects } = await recorded(name)
  for (const { raw } of objects.filter(o => o.kind === kind)) {
    const status = isObject(raw.status) ? raw.status : {}
    const all: readonly unknown[] = Array.isArray(status.conditions) ? status.conditions : []
    const found = all.find(c => isObject(c) && c.type === type && c.status === 'False')
    if (isObject(found)) return String(found.lastTransitionTime)
  }
  throw new Error(`no condition ${type} in ${name}`)
}

test('a finding is as old as the newest condition behind it', async () => {
  const seen = await runDoctor(await recorded('pull-binding-deleted'), { checks: ['FLT0102'] })
  const { found } = { found: seen.findings[0] }
  expect(found?.code).toBe('FLT0102')
  expect(found?.evidence.map(e => e.path)).toContain('.spec.clusterSets')
  expect(found?.changedAt).toBe(await transition('pull-binding-deleted', 'Placement', 'PlacementSatisfied'))
})

test('a consequence without a time makes the age of the whole unknown', async () => {
  const all = await runDoctor(await recorded('pull-binding-deleted'))
  const root = all.findings.find(f => f.code === 'FLT0102')
  expect(root?.explains.some(f => f.changedAt === '')).toBe(true)
  expect(root?.changedAt).toBe('')
})

test('a sync is as old as its end, and one that runs has no age', async () => {
  const fleet = 'pull-destination-namespace-missing'
  const finding = async (source: Awaited<ReturnType<typeof recorded>>) =>
    (await runDoctor(source, { checks: ['FLT0503'] })).findings[0]
  const ended = await finding(await recorded(fleet))
  expect(ended?.evidence.map(e => e.path)).toContain('.status.operationState')
  expect(ended?.changedAt).toMatch(/^2026-/)
  const running = await patched(fleet, patch => {
    for (const { cluster, kind, raw } of patch.objects) {
      if (cluster === 'hub' || kind !== 'Application' || !isObject(raw.metadata)) continue
      const ref = `${cluster}/Application/${String(raw.metadata.namespace)}/${String(raw.metadata.name)}`
      const { status } = patch.edit(ref)
      if (!isObject(status) || !isObject(status.operationState)) continue
      delete status.operationState.finishedAt
    }
  })
  expect((await finding(running))?.changedAt).toBe('')
})

test('what is older is parted, what is young or of unknown age stays', () => {
  const of = (code: string, changedAt: string) => ({ ...symptom(code), code, changedAt })
  const findings = [of('FLT0301', ago(9 * 60)), of('FLT0302', ago(11 * 60)), of('FLT0303', ''), of('FLT0304', ago(600))]
  const seen = changedWithin(report({ findings }), 10 * MINUTE)
  expect(codes(seen.findings)).toEqual(['FLT0301', 'FLT0303', 'FLT0304'])
  expect(codes(seen.older)).toEqual(['FLT0302'])
  expect(seen.summary).toMatchObject({ errors: 3, older: 1 })
  expect(seen.apiVersion).toBe(API_VERSION)
})

test('the summary says what is left out and what has no age, and the exit code is that of the rest', async () => {
  const old = { ...FINDING, changedAt: ago(3600), explains: [] }
  const args = ['doctor', '--from', 'x', '--since', '10m']
  const alone = await runCli(args, doctorOf(report({ findings: [old] })))
  expect(alone.code).toBe(0)
  expect(alone.stdout).toContain('1 older')
  expect(alone.stdout).toContain('FLT0102')
  const both = await runCli(args, doctorOf(report({ findings: [old, WARNING] })))
  expect(both.stdout).toContain('1 older, 1 finding of unknown age shown')
  expect((await runCli([...args.slice(0, -1), '2h'], doctorOf(report({ findings: [old] })))).code).toBe(1)
  expect((await runCli([...args.slice(0, -1), 'soon'])).code).toBe(2)
})
