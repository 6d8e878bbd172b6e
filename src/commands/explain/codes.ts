import { parse } from 'yaml'
import { UsageError } from '../../errors.ts'
import { isObject } from '../../raw.ts'
import type { Call } from '../call.ts'
import { readText } from '../read-text.ts'

/** The codes in what a person pipes in: a finding, several, a whole report, or a code alone. */
function codesIn(document: unknown): string[] {
  if (typeof document === 'string') return [document]
  if (Array.isArray(document)) return document.flatMap(codesIn)
  if (!isObject(document)) return []
  return typeof document.code === 'string' ? [document.code] : codesIn(document.findings)
}

/** One document, or one of JSON on each line, as `-o jsonl` prints them. */
function documents(text: string): unknown[] {
  const lines = text.split('\n').filter(line => line.trim() !== '')
  if (lines.length > 1 && lines.every(line => /^\{.*\}\s*$/.test(line)))
    return lines.map((line): unknown => JSON.parse(line))
  return [parse(text)]
}

/** @throws UsageError where there is no finding, and no report that might have had some */
async function codesOnStdin(call: Call): Promise<string[]> {
  const text = await readText(call, '-', 'explain')
  let all: unknown[]
  try {
    all = documents(text)
  } catch (cause) {
    throw new UsageError('what explain reads from stdin is neither JSON nor YAML', { cause })
  }
  const codes = all.flatMap(codesIn)
  const isReport = all.some(document => isObject(document) && document.kind === 'DoctorReport')
  if (codes.length === 0 && !isReport)
    throw new UsageError('what explain reads from stdin is no finding: it has no code')
  return codes
}

/**
 * The checks that are to be explained, each once, in the order in which they are named; `-` stands for those of the findings
 * on stdin.
 *
 * @throws UsageError where stdin holds none
 */
export async function namedCodes(call: Call): Promise<string[]> {
  const names: string[] = []
  for (const arg of call.args) names.push(...(arg === '-' ? await codesOnStdin(call) : [arg]))
  return [...new Set(names)]
}
