import { mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { parseAllDocuments } from 'yaml'
import { BROKEN, chain, FINDING, LIST, report, UNKNOWN, WARNING } from '../output/samples.ts'
import { doctorOf, listOf, runCli, type Setting, traceOf } from './run-cli.ts'

/** The exit code never depends on the format: every command, format and outcome. */

const GENERAL = ['json', 'yaml', 'jsonl', 'name', 'jsonpath={.kind}', 'custom-columns=A:.code']
const PROBLEM = [{ where: 'hub/x.yaml', message: 'no YAML' }]

const DOCTOR: readonly (readonly [outcome: string, flags: string[], Setting, code: number])[] = [
  ['healthy', [], doctorOf(report()), 0],
  ['an error', [], doctorOf(report({ findings: [FINDING] })), 1],
  ['a warning', [], doctorOf(report({ findings: [WARNING] })), 0],
  ['a warning and --fail-on warning', ['--fail-on', 'warning'], doctorOf(report({ findings: [WARNING] })), 1],
  ['a warning and --fail-on info', ['--fail-on=info'], doctorOf(report({ findings: [WARNING] })), 1],
  ['an unknown check', [], doctorOf(report({ unknown: [UNKNOWN] })), 3],
  ['an unknown check, allowed', ['--allow-incomplete'], doctorOf(report({ unknown: [UNKNOWN] })), 0],
  ['a file that could not be read', [], doctorOf(report({ problems: PROBLEM })), 3],
  ['a file that could not be read, allowed', ['--allow-incomplete'], doctorOf(report({ problems: PROBLEM })), 0],
  ['findings win over incompleteness', [], doctorOf(report({ findings: [FINDING], unknown: [UNKNOWN] })), 1],
  ['a suppressed error', [], doctorOf(report({ suppressed: [{ ...FINDING, by: '--ignore' }] })), 0],
]

const TRACE: readonly (readonly [outcome: string, flags: string[], Setting, code: number])[] = [
  ['broken', [], traceOf(BROKEN), 1],
  ['broken, and incomplete is allowed', ['--allow-incomplete'], traceOf(BROKEN), 1],
  ['ok', [], traceOf(chain('ok')), 0],
  ['stale', [], traceOf(chain('stale')), 0],
  ['waiting', [], traceOf(chain('waiting')), 0],
  ['unknown', [], traceOf(chain('unknown')), 3],
  ['unknown, allowed', ['--allow-incomplete'], traceOf(chain('unknown')), 0],
  [
    'a file that could not be read',
    [],
    traceOf({ ...chain('ok'), source: { ...BROKEN.source, problems: PROBLEM } }),
    3,
  ],
]

const OK_LIST = { ...LIST, traces: [chain('ok')] }
const LISTS: readonly (readonly [outcome: string, flags: string[], Setting, code: number])[] = [
  ['one broken', [], listOf(LIST), 1],
  ['all ok', [], listOf(OK_LIST), 0],
  ['one unknown', [], listOf({ ...LIST, traces: [chain('ok'), chain('unknown')] }), 3],
  ['nothing generated, and a finding that says why', [], listOf({ ...LIST, traces: [], finding: FINDING }), 1],
  ['nothing generated', [], listOf({ ...LIST, traces: [] }), 0],
  [
    'no traces of a source with a problem',
    [],
    listOf({ ...LIST, traces: [], source: { ...LIST.source, problems: PROBLEM } }),
    3,
  ],
]

/** Fails unless the output is what the format promises. */
function expectParses(format: string, stdout: string): void {
  if (format === 'json') expect(JSON.parse(stdout)).toHaveProperty('apiVersion', 'fleetctl/v1')
  if (format === 'jsonl')
    for (const line of stdout.split('\n').slice(0, -1)) expect(JSON.parse(line)).toHaveProperty('kind')
  if (format === 'yaml') expect(parseAllDocuments(stdout)).toHaveLength(1)
  if (format === 'junit') expect(stdout.startsWith('<?xml')).toBe(true)
}

async function expectCode(argv: string[], format: string, setting: Setting, code: number): Promise<void> {
  const outcome = await runCli([...argv, '--from', 'lab', '-o', format], setting)
  expect(outcome).toMatchObject({ code, stderr: '' })
  expectParses(format, outcome.stdout)
}

describe.each(['text', 'wide', 'short', 'junit', ...GENERAL])('doctor -o %s', format => {
  test.each(DOCTOR)('%s', (_, flags, setting, code) => expectCode(['doctor', ...flags], format, setting, code))
})

describe.each(['text', 'wide', 'short', 'tree', 'dot', 'mermaid', ...GENERAL])('trace app -o %s', format => {
  test.each(TRACE)('%s', (_, flags, setting, code) =>
    expectCode(['trace', 'app', 'x', ...flags], format, setting, code),
  )

  test('several names: the worst counts', () =>
    expectCode(['trace', 'app', 'x', 'y'], format, { engine: { traceApp: firstOk() } }, 1))
})

describe.each(['text', 'wide', 'short', 'tree', ...GENERAL])('trace appset and trace cluster -o %s', format => {
  test.each(LISTS)('%s', async (_, flags, setting, code) => {
    await expectCode(['trace', 'appset', 'x', ...flags], format, setting, code)
    await expectCode(['trace', 'cluster', 'x', ...flags], format, setting, code)
  })
})

/** The first Application arrives, the next does not. */
function firstOk() {
  let calls = 0
  return async () => (calls++ === 0 ? chain('ok') : BROKEN)
}

describe.each(['text', 'wide', ...GENERAL])('doctor list -o %s', format => {
  test('exits 0', () => expectCode(['doctor', 'list'], format, {}, 0))
})

test.each(['explain', 'version'])('%s prints JSON and text with the same exit code', async command => {
  const argv = command === 'explain' ? ['explain', 'FLT0102'] : ['version']
  for (const format of ['text', 'json', 'yaml', 'jsonl', 'name', 'jsonpath={.kind}']) {
    await expectCode(argv, format, {}, 0)
  }
})

test('the exit code is the same when all goes to files', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'fleetctl-exit-'))
  const outputs = ['json', 'yaml', 'junit', 'wide'].flatMap(format => ['-o', `${format}=${format}.out`])
  const setting = { ...doctorOf(report({ findings: [FINDING] })), cwd: folder }
  const outcome = await runCli(['doctor', '--from', 'lab', '-q', ...outputs], setting)
  expect(outcome).toEqual({ code: 1, stdout: '', stderr: '' })
  expect(JSON.parse(readFileSync(join(folder, 'json.out'), 'utf8')).kind).toBe('DoctorReport')
})
