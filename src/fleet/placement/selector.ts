import type { LabelExpression, LabelSelector, StringMap } from '../records.ts'
import { labelKeyErrors, labelValueErrors } from './label-syntax.ts'

/**
 * Label selectors as Kubernetes judges them (kubernetes/apimachinery pkg/apis/meta/v1/helpers.go LabelSelectorAsSelector,
 * pkg/labels/selector.go NewRequirement and Requirement.Matches).
 */
const OPERATORS: ReadonlySet<string> = new Set(['In', 'NotIn', 'Exists', 'DoesNotExist'])

/** `matchLabels` as expressions with one value, then `matchExpressions`: all of them must hold. Keys of `matchLabels` sorted. */
export function requirementsOf(selector: LabelSelector): readonly LabelExpression[] {
  const equals = Object.keys(selector.matchLabels)
    .sort()
    .map(key => ({ key, operator: 'In', values: [selector.matchLabels[key] ?? ''] }))
  return [...equals, ...selector.matchExpressions]
}

/** A string as Go's `%q` prints it, as far as labels go. */
function goQuoted(value: string): string {
  return JSON.stringify(value)
    .replace(/\\u0007/g, '\\a')
    .replace(/\\u000b/g, '\\v')
    .replace(/\\u00([01][0-9a-f])/g, '\\x$1')
    .replace(/\x7f/g, '\\x7f')
}

/** A list as Go's JSON encoder prints it inside an error. */
function goList(values: readonly string[]): string {
  if (values.length === 0) return 'null'
  return JSON.stringify(values).replace(/[<>&]/g, c => `\\u00${c.charCodeAt(0).toString(16)}`)
}

function requirementErrors({ key, operator, values }: LabelExpression): readonly string[] {
  const errors: string[] = []
  const keyErrors = labelKeyErrors(key)
  if (keyErrors.length > 0) errors.push(`key: Invalid value: ${goQuoted(key)}: ${keyErrors.join('; ')}`)
  const takesValues = operator === 'In' || operator === 'NotIn'
  if (takesValues && values.length === 0) {
    errors.push(`values: Invalid value: null: for 'in', 'notin' operators, values set can't be empty`)
  }
  if (!takesValues && values.length > 0) {
    errors.push(`values: Invalid value: ${goList(values)}: values set must be empty for exists and does not exist`)
  }
  for (const [i, value] of values.entries()) {
    const valueErrors = labelValueErrors(value)
    if (valueErrors.length > 0) {
      errors.push(`values[${i}][${key}]: Invalid value: ${goQuoted(value)}: ${valueErrors.join('; ')}`)
    }
  }
  return [...new Set(errors)]
}

/**
 * What Kubernetes says about the first invalid part of a selector, in its own words; undefined for a valid selector. (Of
 * several invalid `matchLabels` the real code names any one, since Go maps have no order; here it is the first by key.)
 */
export function selectorError(selector: LabelSelector): string | undefined {
  return requirementsError(requirementsOf(selector))
}

/** The same for bare expressions, as in a Placement's claim selector. */
export function requirementsError(requirements: readonly LabelExpression[]): string | undefined {
  for (const requirement of requirements) {
    if (!OPERATORS.has(requirement.operator)) {
      return `${goQuoted(requirement.operator)} is not a valid label selector operator`
    }
    const [first, ...more] = requirementErrors(requirement)
    if (first !== undefined) return more.length === 0 ? first : `[${[first, ...more].join(', ')}]`
  }
  return undefined
}

/** Whether one expression holds. An expression with an unknown operator never holds. */
export function matchesRequirement(labels: StringMap, { key, operator, values }: LabelExpression): boolean {
  // hasOwn: a label may be named like a member of Object.prototype
  const value = Object.hasOwn(labels, key) ? labels[key] : undefined
  switch (operator) {
    case 'In':
      return value !== undefined && values.includes(value)
    case 'NotIn':
      return value === undefined || !values.includes(value)
    case 'Exists':
      return value !== undefined
    case 'DoesNotExist':
      return value === undefined
    default:
      return false
  }
}

/**
 * Whether a selector matches a set of labels. An empty selector matches everything; an invalid one (see `selectorError`)
 * matches nothing, and so does an absent one where Kubernetes takes it as "nothing" (pass undefined).
 */
export function matchesSelector(labels: StringMap, selector: LabelSelector | undefined): boolean {
  return compileSelector(selector)(labels)
}

/** `matchesSelector` with the validation done once, for use over many objects. */
export function compileSelector(selector: LabelSelector | undefined): (labels: StringMap) => boolean {
  if (selector === undefined) return () => false
  const requirements = requirementsOf(selector)
  if (requirementsError(requirements) !== undefined) return () => false
  return labels => requirements.every(requirement => matchesRequirement(labels, requirement))
}

/** One expression in the notation of `kubectl get -l`: `env in (prod,stage)`, `env=prod`, `!region`. */
export function requirementText({ key, operator, values }: LabelExpression): string {
  switch (operator) {
    case 'In':
      return values.length === 1 ? `${key}=${values[0]}` : `${key} in (${values.join(',')})`
    case 'NotIn':
      return values.length === 1 ? `${key}!=${values[0]}` : `${key} notin (${values.join(',')})`
    case 'Exists':
      return key
    case 'DoesNotExist':
      return `!${key}`
    default:
      return `${key} ${operator} (${values.join(',')})`
  }
}

/** A selector in the notation of `kubectl get -l`; `everything` for an empty one. */
export function selectorText(selector: LabelSelector): string {
  return requirementsOf(selector).map(requirementText).join(',') || 'everything'
}
