import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { ReportedFinding } from '../../src/checks/report.ts'
import { againstBaseline, baselineOf } from '../../src/findings/baseline.ts'
import { readBaseline, writeBaseline } from '../../src/findings/baseline-file.ts'
import { doctorOf, runCli } from '../commands/run-cli.ts'
import { FINDING, PASSED, report, symptom, UNKNOWN, WARNING } from '../output/samples.ts'

const printed = (finding: ReportedFinding, object: string): ReportedFinding => ({
  ...finding,
  fingerprint: `${finding.code}/hub||ConfigMap|argocd|${object}`,
})
const BROKEN = { ...printed(FINDING, 'set'), explains: [printed(symptom('one'), 'one')] }
const WARNED = printed(WARNING, 'token')
const fingerprints = (all: readonly ReportedFinding[]) => all.map(f => f.fingerprint)

function folder(files: Readonly<Record<string, string>> = {}): string {
  const made = mkdtempSync(join(tmpdir(), 'fleetctl-baseline-'))
  for (const [name, text] of Object.entries(files)) writeFileSync(join(made, name), text)
  return made
}

describe('a report against a baseline', () => {
  test('known findings do not count, new ones do', () => {
    const seen = againstBaseline(report({ findings: [BROKEN, WARNED] }), new Set([BROKEN.fingerprint]))
    expect(fingerprints(seen.findings)).toEqual([WARNED.fingerprint])
    expect(fingerprints(seen.baselined)).toEqual([BROKEN.fingerprint])
    expect(seen.summary).toMatchObject({ errors: 0, warnings: 1, baselined: 1 })
  })

  test('a finding is gone only where its check could look at everything', () => {
    const gone = `${PASSED.code}/hub||ConfigMap|argocd|a`
    const unseen = `${UNKNOWN.code}/hub||ConfigMap|argocd|b`
    const leftOut = 'FLT0777/hub||ConfigMap|argocd|c'
    expect(againstBaseline(report({ unknown: [UNKNOWN] }), new Set([gone, unseen, leftOut])).gone).toEqual([gone])
  })

  test('a finding that is folded under a new cause is not gone', () => {
    const [inside] = BROKEN.explains
    const seen = againstBaseline(report({ findings: [BROKEN] }), new Set(fingerprints(BROKEN.explains)))
    expect(inside).toBeDefined()
    expect(seen.gone).toEqual([])
    expect(fingerprints(seen.findings)).toEqual([BROKEN.fingerprint])
  })

  test('what is accepted holds consequences, what could not be judged, and nothing that is suppressed', () => {
    const unseen = `${UNKNOWN.code}/hub||ConfigMap|argocd|b`
    const gone = `${PASSED.code}/hub||ConfigMap|argocd|a`
    const seen = report({ findings: [BROKEN], unknown: [UNKNOWN], suppressed: [{ ...WARNED, by: '--ignore' }] })
    expect([...baselineOf(seen, new Set([unseen, gone, WARNED.fingerprint]))].sort()).toEqual(
      [BROKEN.fingerprint, 'FLT0301/hub||ConfigMap|argocd|one', unseen].sort(),
    )
  })
})

describe('the file', () => {
  test('is the same for the same findings in any order, and is read back', () => {
    const two = [BROKEN.fingerprint, WARNED.fingerprint]
    const text = writeBaseline(two)
    expect(writeBaseline([...two].reverse())).toBe(text)
    expect([...readBaseline(text, 'b.yaml')].sort()).toEqual([...two].sort())
    expect([
      ...readBaseline(JSON.stringify({ apiVersion: 'fleetctl/v1', kind: 'Baseline', findings: two }), 'b'),
    ]).toEqual(two)
  })

  const HEAD = 'apiVersion: fleetctl/v1\nkind: Baseline\n'
  test.each([
    ['another key', `${HEAD}finding: []\n`, 'b.yaml:3: unknown key "finding"'],
    ['another version', 'apiVersion: fleetctl/v2\nkind: Baseline\nfindings: []\n', 'b.yaml:1: apiVersion must be'],
    ['another kind', 'apiVersion: fleetctl/v1\nkind: Config\nfindings: []\n', 'b.yaml:2: kind must be Baseline'],
    ['no list', `${HEAD}findings: 3\n`, 'b.yaml:3: findings must be a list'],
    ['no findings', HEAD, 'findings must be a list'],
    ['no fingerprint', `${HEAD}findings:\n- FLT0102\n`, 'b.yaml:4: a finding is no fingerprint'],
    ['one twice', `${HEAD}findings:\n- FLT0102/hub||A|b|c\n- FLT0102/hub||A|b|c\n`, 'b.yaml:5: '],
    ['a list', '- a\n', 'a Baseline must be a map'],
    ['nothing', '', 'a Baseline must be a map'],
    ['no YAML', 'a: [1\n', 'b.yaml:2: '],
    ['two documents', `${HEAD}findings: []\n---\na: 1\n`, 'b.yaml'],
  ])('%s is one line that names the place, exit code 2, and no run', async (_, text, says) => {
    const cwd = folder({ 'b.yaml': text })
    for (const flag of ['--baseline', '--write-baseline']) {
      const outcome = await runCli(['doctor', '--from', 'x', `${flag}=b.yaml`], { cwd, ...doctorOf(report()) })
      expect(outcome.code).toBe(2)
      expect(outcome.stderr).toContain(says)
      expect(outcome.stderr.trimEnd().split('\n')).toHaveLength(1)
    }
    expect(readFileSync(join(cwd, 'b.yaml'), 'utf8')).toBe(text)
  })

  test('one that is not there is an error to read, and is made by writing', async () => {
    const cwd = folder()
    const seen = doctorOf(report({ findings: [BROKEN] }))
    expect((await runCli(['doctor', '--from', 'x', '--baseline', 'no.yaml'], { cwd, ...seen })).code).toBe(2)
    const written = await runCli(['doctor', '--from', 'x', '--write-baseline'], { cwd, ...seen })
    expect(written.code).toBe(0)
    expect(written.stdout).toContain('1 baselined')
    expect(readdirSync(cwd)).toEqual(['fleetctl-baseline.yaml'])
    const again = await runCli(['doctor', '--from', 'x', '--baseline', 'fleetctl-baseline.yaml'], { cwd, ...seen })
    expect(again.code).toBe(0)
    const worse = doctorOf(report({ findings: [BROKEN, { ...WARNED, severity: 'error' }] }))
    expect((await runCli(['doctor', '--from', 'x', '--baseline=fleetctl-baseline.yaml'], { cwd, ...worse })).code).toBe(
      1,
    )
  })

  test('the exit code is that of what counts in every format, and nothing is lost from JSON', async () => {
    const cwd = folder({ 'b.yaml': writeBaseline([BROKEN.fingerprint]) })
    for (const format of ['text', 'wide', 'short', 'json', 'yaml', 'jsonl', 'name', 'junit']) {
      const args = ['doctor', '--from', 'x', '--baseline', 'b.yaml', '-o', format]
      expect((await runCli(args, { cwd, ...doctorOf(report({ findings: [BROKEN] })) })).code, format).toBe(0)
    }
    const { stdout } = await runCli(['doctor', '--from', 'x', '--baseline', 'b.yaml', '-o', 'json'], {
      cwd,
      ...doctorOf(report({ findings: [BROKEN] })),
    })
    expect(JSON.parse(stdout)).toMatchObject({ findings: [], baselined: [{ code: 'FLT0102' }] })
  })

  test('an incomplete run stays incomplete', async () => {
    const cwd = folder()
    const seen = doctorOf(report({ findings: [BROKEN], unknown: [UNKNOWN] }))
    expect((await runCli(['doctor', '--from', 'x', '--write-baseline'], { cwd, ...seen })).code).toBe(3)
  })
})
