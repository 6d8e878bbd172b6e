import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import type { ReportedFinding } from '../../src/checks/report.ts'
import { runDoctor } from '../../src/doctor.ts'
import { subjectKey } from '../../src/fleet/subject.ts'
import { openPath } from '../../src/source/open.ts'
import { ROOT } from './binary.ts'

const folder = mkdtempSync(join(tmpdir(), 'fleetctl-synthetic-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

interface Fault {
  readonly kind: string
  readonly root: { readonly cluster: string; readonly kind: string; readonly namespace: string; readonly name: string }
}

/** A synthetic fleet with what is broken in it, and what the doctor says of it. */
async function examined(name: string, ...options: readonly string[]) {
  const out = join(folder, name)
  const args = [join(ROOT, 'scripts', 'synthetic-fleet.mjs'), '200', '2000', out, ...options]
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' })
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
  const faults = stdout.split('\n').flatMap((line): Fault[] => (line === '' ? [] : [JSON.parse(line)]))
  return { faults, report: await runDoctor(await openPath(out)) }
}

function key({ cluster, kind, namespace, name }: Fault['root'] | ReportedFinding['subject']): string {
  return `${cluster}/${kind}/${namespace}/${name}`
}

describe('a synthetic fleet of 200 clusters and 2,000 Applications', () => {
  test('is healthy, and the report on it does not grow with what was not recorded', async () => {
    const { faults, report } = await examined('healthy')
    expect(faults).toEqual([])
    expect(report.source.problems).toEqual([])
    expect(report.findings).toEqual([])
    expect(report.clusters.filter(c => c.read).map(c => c.name)).toEqual(['hub'])
    expect(report.unknown.length).toBeGreaterThan(0)
    for (const { reason, unseen } of report.unknown) {
      expect(unseen.length).toBeLessThanOrEqual(20)
      expect(reason).toMatch(/was not read \(and 199 more\)$/)
    }
  })

  test('says the same without white space', async () => {
    const [{ report: spaced }, { report: compact }] = [await examined('spaced'), await examined('compact', '--compact')]
    const said = ({ clusters, summary, findings, unknown }: typeof spaced) => ({ clusters, summary, findings, unknown })
    expect(said(compact)).toEqual(said(spaced))
  })

  test.each(['binding', 'label', 'account', 'unavailable', 'work'])('names the root of one fault: %s', async kind => {
    const { faults, report } = await examined(kind, '--broken', '1', '--kinds', kind)
    const errors = report.findings.filter(f => f.severity === 'error')
    expect(faults).toHaveLength(1)
    expect(errors.map(f => key(f.subject))).toEqual(faults.map(f => key(f.root)))
    expect(report.findings[0]).toBe(errors[0])
  })

  test('names the roots of ten faults at once, and nothing else', async () => {
    const { faults, report } = await examined('ten', '--broken', '10')
    const errors = report.findings.filter(f => f.severity === 'error')
    expect(new Set(errors.map(f => key(f.subject)))).toEqual(new Set(faults.map(f => key(f.root))))
    expect(errors).toHaveLength(10)
  })

  test('keeps findings short, although the hub joins one error per cluster', async () => {
    const { report } = await examined('accounts', '--broken', '100', '--kinds', 'account')
    const all = (f: ReportedFinding): ReportedFinding[] => [f, ...f.explains.flatMap(all)]
    const findings = report.findings.flatMap(all)
    expect(new Set(findings.map(f => `${f.code} ${subjectKey(f.subject)}`)).size).toBe(findings.length)
    for (const { explains: _, ...own } of findings) expect(JSON.stringify(own).length).toBeLessThan(10_000)
  })
})

test('the generator says what is wrong with its arguments', () => {
  const script = join(ROOT, 'scripts', 'synthetic-fleet.mjs')
  const say = (...args: string[]) => spawnSync(process.execPath, [script, ...args], { encoding: 'utf8' })
  expect(say('3', '10', folder)).toMatchObject({
    status: 2,
    stderr: 'error: APPLICATIONS must be a multiple of CLUSTERS\n',
  })
  expect(say('3')).toMatchObject({ status: 2, stdout: '' })
})
