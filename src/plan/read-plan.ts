import { API_VERSION } from '../checks/report.ts'
import { UsageError } from '../errors.ts'
import { kindOf } from '../fleet/kinds.ts'
import { isObject, textAt, valueAt } from '../raw.ts'
import type { Plan } from './plan.ts'

/** What is wrong with a step of a saved plan; undefined for a usable one. */
function stepError(step: unknown): string | undefined {
  if (!isObject(step) || typeof step.number !== 'number') return 'has a step without a number'
  const where = `step ${step.number}`
  if (step.type === 'wait') return isObject(step.signal) ? undefined : `${where} awaits nothing`
  if (step.type !== 'object') return `${where} is neither an object nor a wait`
  const { manifest, subject, precondition } = step
  if (!isObject(manifest) || !isObject(subject) || !isObject(precondition)) return `${where} is incomplete`
  const kind = kindOf(textAt(manifest, 'apiVersion'), textAt(manifest, 'kind'))
  if (kind === undefined || kind !== subject.kind) return `${where} is of a kind that fleetctl does not write`
  const isAboutSecret = Object.keys(manifest).every(key => ['apiVersion', 'kind', 'metadata'].includes(key))
  if (kind === 'Secret' && !(isAboutSecret && precondition.state === 'present')) return `${where} writes a Secret`
  const names = textAt(manifest, 'metadata', 'name') === subject.name
  return names && (textAt(manifest, 'metadata', 'namespace') || '') === subject.namespace
    ? undefined
    : `${where} says of two objects that it writes them`
}

/**
 * Reads a plan that --plan-out saved.
 *
 * @param file its name, for messages
 * @throws UsageError for anything else
 */
export function readPlan(text: string, file: string): Plan {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (cause) {
    throw new UsageError(`${file} is no plan: it is not JSON; save one with --plan-out`, { cause })
  }
  if (valueAt(value, 'kind') !== 'Plan' || valueAt(value, 'apiVersion') !== API_VERSION) {
    throw new UsageError(`${file} is no plan of ${API_VERSION}; save one with --plan-out`)
  }
  const steps = valueAt(value, 'steps')
  const isWhole = Array.isArray(steps) && Array.isArray(valueAt(value, 'gates')) && isObject(valueAt(value, 'target'))
  const error = isWhole ? steps.map(stepError).find(e => e !== undefined) : 'is incomplete'
  if (error !== undefined) throw new UsageError(`${file} is no usable plan: it ${error}`)
  // Every part that is acted upon was looked at above.
  return value as Plan
}
