import { parse } from 'yaml'
import { UsageError } from '../../errors.ts'
import type { Call } from '../call.ts'
import { readText } from '../read-text.ts'

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The codes in what a person pipes in: a finding, several, a whole report, or a code alone. */
function codesIn(document: unknown): string[] {
  if (typeof document === 'string') return [document]
  if (Array.isArray(document)) return document.flatMap(codesIn)
  if (!isRecord(document)) return []
  return typeof document.code === 'string' ? [document.code] : codesIn(document.findings)
}

/**
 * The one check whose finding is piped in.
 *
 * @throws UsageError where there is none, or more than one
 */
export async function codeOnStdin(call: Call): Promise<string> {
  const text = await readText(call, '-', 'explain')
  let codes: Set<string>
  try {
    codes = new Set(codesIn(parse(text)))
  } catch (cause) {
    throw new UsageError('what explain reads from stdin is neither JSON nor YAML', { cause })
  }
  const [first, ...others] = codes
  if (first === undefined) throw new UsageError('what explain reads from stdin is no finding: it has no code')
  if (others.length > 0) {
    const all = [...codes].join(', ')
    throw new UsageError(`stdin holds findings of several checks (${all}); explain takes one, e.g. "explain ${first}"`)
  }
  return first
}
