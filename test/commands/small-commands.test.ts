import { readFileSync } from 'node:fs'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { describe, expect, test } from 'vitest'
import { CHECKS } from '../../src/checks/registry.ts'
import { listedCheck } from '../../src/commands/doctor/list.ts'
import { SCHEMA_KINDS, schemaOf } from '../../src/output/schema/schemas.ts'
import { runCli } from './run-cli.ts'

const version: string = JSON.parse(readFileSync('package.json', 'utf8')).version

function expectValid(kind: string, stdout: string): void {
  const validate = new Ajv2020({ allErrors: true, strictRequired: false }).compile(schemaOf(kind) ?? false)
  validate(JSON.parse(stdout))
  expect(validate.errors).toBeNull()
}

describe('version', () => {
  test('--version prints the version alone', async () => {
    expect(await runCli(['--version'])).toEqual({ code: 0, stdout: `${version}\n`, stderr: '' })
    expect(await runCli(['-V'])).toEqual(await runCli(['--version']))
  })

  test('the command prints text, JSON, and one field', async () => {
    expect((await runCli(['version'])).stdout).toMatch(
      new RegExp(`^fleetctl ${version} \\(node \\d+\\.\\d+\\.\\d+, \\w+-\\w+\\)\n$`),
    )
    const { stdout } = await runCli(['version', '-o', 'json', '--client'])
    expect(JSON.parse(stdout).client.version).toBe(version)
    expectValid('Version', stdout)
    expect((await runCli(['version', '-o', 'jsonpath={.client.version}'])).stdout).toBe(version)
  })
})

describe('doctor list', () => {
  test('lists checks by code', async () => {
    expect((await runCli(['doctor', 'list'])).stdout).toBe(`\
CODE     SLUG                        SEVERITY  CATEGORY      TITLE
FLT0102  clusterset-binding-missing  error     selection     clusterset-binding-missing holds
FLT0103  placement-empty             error     selection     placement-empty holds
FLT0201  token-expired               warning   registration  token-expired holds
`)
  })

  test('lists what the flags of doctor choose', async () => {
    const listed = async (...argv: string[]) => (await runCli(['doctor', 'list', ...argv, '-o', 'name'])).stdout
    expect(await listed('--category', 'registration')).toBe('check/FLT0201\n')
    expect(await listed('--checks', 'FLT01*')).toBe('check/FLT0102\ncheck/FLT0103\n')
    expect(await listed('--checks', 'FLT01*', '--skip', 'placement-empty')).toBe('check/FLT0102\n')
  })

  test.each([
    ['--category', 'nope', 'no check has the category "nope" (--category)'],
    ['--checks', 'FLT9*', 'no check is called "FLT9*" (--checks)'],
    ['--skip', 'nope', 'no check is called "nope" (--skip)'],
  ])('refuses %s %s', async (flag, value, message) => {
    const { code, stderr } = await runCli(['doctor', 'list', flag, value])
    expect(code).toBe(2)
    expect(stderr).toContain(message)
  })

  test('as JSON says what each reads', async () => {
    const { stdout } = await runCli(['doctor', 'list', '-o', 'json'])
    expectValid('CheckList', stdout)
    expect(JSON.parse(stdout).checks[1].reads).toEqual({ hub: ['Placement'], spoke: ['Application'] })
  })

  test('names every kind once, also one that a check needs and uses', () => {
    for (const { code, reads } of CHECKS.map(listedCheck)) {
      expect([code, reads]).toEqual([code, { hub: [...new Set(reads.hub)], spoke: [...new Set(reads.spoke)] }])
    }
  })

  test('as names', async () => {
    expect((await runCli(['doctor', 'list', '-o', 'name'])).stdout).toBe(
      'check/FLT0102\ncheck/FLT0103\ncheck/FLT0201\n',
    )
  })

  test('fits the terminal', async () => {
    for (const columns of [100, 80, 61]) {
      const { stdout } = await runCli(['doctor', 'list'], { terminal: true, columns })
      expect(Math.max(...stdout.split('\n').map(line => line.length))).toBeLessThanOrEqual(columns)
    }
  })
})

describe('explain', () => {
  test('takes a code in any case or a slug', async () => {
    const { stdout } = await runCli(['explain', 'FLT0102'])
    expect(stdout).toBe(`\
FLT0102 clusterset-binding-missing   error, selection, models: pull
  Holds when: clusterset-binding-missing holds.

Why
  Why clusterset-binding-missing.

Fix
  Mend it.

By machine
  fleetctl doctor fix FLT0102 (shows a plan first): bind the set to the namespace of the Placement.
  What it risks: Placements of the namespace select the clusters of the set; Applications are made for them.
  It is part of --all-safe.

Reads
  hub: Placement

Sources
  push-pull 1.2
`)
    expect((await runCli(['explain', 'flt0102'])).stdout).toBe(stdout)
    expect((await runCli(['explain', 'clusterset-binding-missing'])).stdout).toBe(stdout)
  })

  test('takes a finding, a report or a code from stdin', async () => {
    const { stdout } = await runCli(['explain', 'FLT0102'])
    const piped = async (stdin: string) => runCli(['explain', '-'], { stdin })
    const finding = { code: 'FLT0102', message: 'x', explains: [{ code: 'FLT0103' }] }
    for (const text of [
      JSON.stringify(finding),
      JSON.stringify({ findings: [finding, finding] }),
      'code: FLT0102\n',
      'FLT0102\n',
    ])
      expect(await piped(text)).toEqual({ code: 0, stdout, stderr: '' })
    for (const [text, error] of [
      ['', 'what explain reads from stdin is no finding: it has no code'],
      ['{"findings": []}', 'what explain reads from stdin is no finding: it has no code'],
      ['{', 'what explain reads from stdin is neither JSON nor YAML'],
    ] as const) {
      const { code, stderr } = await piped(text)
      expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining(error) })
    }
  })

  test('takes several codes, and every finding of a report, each check once', async () => {
    const one = (await runCli(['explain', 'FLT0102'])).stdout
    const other = (await runCli(['explain', 'FLT0103'])).stdout
    const both = { code: 0, stdout: `${one}\n${other}`, stderr: '' }
    expect(await runCli(['explain', 'FLT0102', 'FLT0103', 'clusterset-binding-missing'])).toEqual(both)
    const findings = [{ code: 'FLT0102', explains: [{ code: 'FLT0201' }] }, { code: 'FLT0103' }, { code: 'FLT0102' }]
    for (const stdin of [
      JSON.stringify({ kind: 'DoctorReport', findings }),
      JSON.stringify(findings),
      findings.map(finding => `${JSON.stringify(finding)}\n`).join(''),
    ])
      expect(await runCli(['explain', '-'], { stdin })).toEqual(both)
    expect((await runCli(['explain', 'FLT0102', '-'], { stdin: 'FLT0103' })).stdout).toBe(both.stdout)
    expect(await runCli(['explain', 'FLT0102', 'nothing'])).toMatchObject({ code: 2, stdout: '' })
  })

  test('a report without findings leaves nothing to explain', async () => {
    const stdin = '{"kind": "DoctorReport", "findings": []}'
    expect(await runCli(['explain', '-'], { stdin })).toEqual({
      code: 0,
      stdout: 'No finding to explain.\n',
      stderr: '',
    })
  })

  test('as JSON keeps to its schema', async () => {
    expectValid('List', (await runCli(['explain', 'FLT0102', 'FLT0103', '-o', 'json'])).stdout)
    expectValid('CheckExplanation', (await runCli(['explain', 'FLT0102', '-o', 'json'])).stdout)
  })
})

describe('schema', () => {
  test('prints one schema or all, always one JSON document', async () => {
    expect(JSON.parse((await runCli(['schema', 'doctorreport'])).stdout)).toEqual(schemaOf('DoctorReport'))
    const all = JSON.parse((await runCli(['schema'])).stdout)
    expect(all.oneOf).toHaveLength(SCHEMA_KINDS.length)
    expect(all.$schema).toBe('https://json-schema.org/draft/2020-12/schema')
  })

  test('lists its kinds', async () => {
    const { stdout } = await runCli(['schema', '-o', 'custom-columns=KIND:.kind', '--no-headers'])
    expect(stdout).toMatch(/^DoctorReport\nApplicationTrace\nApplicationSetTrace\nClusterTrace\n/)
  })
})
