import { describe, expect, test } from 'vitest'
import type { DoctorReport, ReportedFinding } from '../../src/checks/report.ts'
import { doctorExitCode } from '../../src/commands/exit-code.ts'
import { runDoctor } from '../../src/doctor.ts'
import { type Expected, isOneOf, judge, KNOWN, readExpected, same, say } from '../support/expected.ts'
import { FLEET_NAMES, FLEETS, readRecorded } from '../support/fleets.ts'
import { patched } from '../support/patch.ts'

const exitCode = (report: DoctorReport) => doctorExitCode(report, { failOn: 'error', allowIncomplete: false })

/** Roots that expected.yaml calls a consequence, and not a root or as good as one. */
function symptomsAsRoots(expected: Expected, findings: readonly ReportedFinding[]): string[] {
  const fine = [...(expected.root ?? []), ...(expected.allowed ?? [])]
  return findings
    .filter(f => (expected.symptoms ?? []).some(s => same(f.subject, s)) && !fine.some(r => isOneOf(f.subject, r)))
    .map(f => `${f.severity} ${f.code} ${say(f.subject)}`)
}

test('every recorded fleet has its expectation, and every expectation its fleet', () => {
  expect(FLEET_NAMES.length).toBe(90)
  for (const name of FLEET_NAMES) expect(readExpected(FLEETS, name).name).toBe(name)
  for (const name of Object.keys(KNOWN)) expect(FLEET_NAMES).toContain(name)
})

describe.each(FLEET_NAMES.filter(name => !(name in KNOWN)))('doctor on %s', name => {
  const expected = readExpected(FLEETS, name)
  let reading: Promise<DoctorReport> | undefined
  const doctor = () => {
    reading ??= readRecorded(name).then(fleet => runDoctor(fleet))
    return reading
  }

  test('finds the roots and nothing else', async () => {
    expect(judge(expected, (await doctor()).findings).notes).toEqual([])
  })

  test('shows no consequence as a root', async () => {
    expect(symptomsAsRoots(expected, (await doctor()).findings)).toEqual([])
  })

  test('has seen everything', async () => {
    const report = await doctor()
    expect(report.unknown).toEqual([])
    expect(report.source.problems).toEqual([])
  })

  test('says so in its summary and its exit code', async () => {
    const report = await doctor()
    const visible = (expected.root ?? []).filter(r => r.visible !== false)
    const broken = visible.some(r => r.severity !== 'warning')
    expect(report.summary.errors > 0).toBe(broken)
    expect(exitCode(report)).toBe(broken ? 1 : 0)
    if (expected.healthy) expect(visible).toEqual([])
  })
})

test('what is known to differ differs for the reason given', async () => {
  const annotation = ['metadata', 'annotations', 'argocd.argoproj.io/skip-reconcile']
  const secrets = ['bm', 'sno'].map(cluster => `hub/Secret/openshift-gitops/cluster-${cluster}`)
  const asRecorded = await patched('agent-double-reconciliation', patch => {
    // Throws where the Secret does not carry the annotation, against what is known of it.
    for (const secret of secrets) patch.unset(secret, annotation)
  })
  const report = await runDoctor(asRecorded)
  const verdict = judge(readExpected(FLEETS, 'agent-double-reconciliation'), report.findings)
  expect(verdict.notes).toEqual([])
})
