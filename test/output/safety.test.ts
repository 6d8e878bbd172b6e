import { describe, expect, test } from 'vitest'
import { parseDocument } from 'yaml'
import type { DoctorReport } from '../../src/checks/report.ts'
import { prepare } from '../../src/output/render.ts'
import { clean, oneLine } from '../../src/output/sanitize.ts'
import { parseTargets } from '../../src/output/targets.ts'
import { DOCTOR_VIEW, TRACE_LIST_VIEW, TRACE_VIEW } from '../../src/output/views.ts'
import { BROKEN, FINDING, LIST, OPTIONS, report } from './samples.ts'

/** What a cluster can hold in a name or message to fool a terminal or a reader of XML. */
const NASTY =
  'a\x1b[2J\x1b]0;title\x07b\x9b31mc\r\nError FLT9999 fake\u202Egnp.exe\x00\x08 & <b> "q" \ud800 \ufffe ]]> \u2028 é 漢'

/** Raw characters that no output may hold, whatever the format. */
const UNSAFE = /[\0-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069]|\p{Cs}/u

const subject = { ...FINDING.subject, name: NASTY, namespace: NASTY }
const finding = {
  ...FINDING,
  subject,
  message: NASTY,
  effect: NASTY,
  fix: NASTY,
  evidence: [{ subject, path: NASTY, value: NASTY }],
}
const doctor: DoctorReport = report({ findings: [finding], problems: [{ where: NASTY, message: NASTY }] })
const trace = {
  ...BROKEN,
  modelReason: NASTY,
  hops: BROKEN.hops.map(hop => ({ ...hop, message: NASTY, source: NASTY, subject: { ...hop.subject, name: NASTY } })),
  finding,
}
const list = { ...LIST, traces: [trace] }

async function render<T extends object>(format: string, view: Parameters<typeof prepare<T>>[1], document: T) {
  const [target] = parseTargets([format], view)
  if (target === undefined) throw new Error('no target')
  return (await prepare(target, view, '.'))(document, { ...OPTIONS, showSymptoms: true })
}

const GENERAL = [
  'json',
  'yaml',
  'jsonl',
  'name',
  'jsonpath={.kind}{..message}{..name}',
  'custom-columns=A:.code,B:.message',
]

describe('what a cluster holds cannot act on a terminal', () => {
  test.each(['text', 'wide', 'short', 'junit', ...GENERAL])('doctor as %s', async format => {
    expect(await render(format, DOCTOR_VIEW, doctor)).not.toMatch(UNSAFE)
  })

  test.each(['text', 'wide', 'short', 'tree', 'dot', 'mermaid', ...GENERAL])('trace as %s', async format => {
    expect(await render(format, TRACE_VIEW, trace)).not.toMatch(UNSAFE)
  })

  test.each(['text', 'wide', 'short', 'tree', ...GENERAL])('traces as %s', async format => {
    expect(await render(format, TRACE_LIST_VIEW, list)).not.toMatch(UNSAFE)
  })

  test('a message cannot pass for a line of its own', async () => {
    for (const format of ['text', 'short', 'wide']) {
      expect(
        (await render(format, DOCTOR_VIEW, doctor)).split('\n').filter(l => l.startsWith('Error FLT9999')),
      ).toEqual([])
    }
  })
})

describe('values survive', () => {
  test('JSON parses to the very document', async () => {
    expect(JSON.parse(await render('json', DOCTOR_VIEW, doctor))).toEqual(doctor)
  })

  test('YAML parses without a complaint to the very document', async () => {
    const parsed = parseDocument(await render('yaml', TRACE_VIEW, trace))
    expect([...parsed.errors, ...parsed.warnings]).toEqual([])
    expect(parsed.toJS()).toEqual(trace)
  })

  test('YAML keeps texts apart that YAML 1.1 takes for something else', async () => {
    const words = ['no', 'on', 'y', '1e3', '0x10', '2026-08-11', 'null', '~', '1:20', '']
    for (const modelReason of words) {
      const text = await render('yaml', TRACE_VIEW, { ...BROKEN, modelReason })
      expect(parseDocument(text, { version: '1.1' }).toJS().modelReason).toBe(modelReason)
    }
  })

  test('every line of jsonl is an object that names its kind', async () => {
    const lines = (await render('jsonl', DOCTOR_VIEW, doctor)).trimEnd().split('\n')
    expect(lines.map(line => JSON.parse(line))).toEqual([{ apiVersion: 'fleetctl/v1', kind: 'Finding', ...finding }])
  })
})

test('clean keeps line ends and text, and takes out what acts', () => {
  expect(clean('a\x1b[31mb\x1b[0m\tc\r\nd\u202Ee漢\x9b1mf')).toBe('ab c\nde漢f')
  expect(oneLine(' a\n\n b\tc ')).toBe('a b c')
})
