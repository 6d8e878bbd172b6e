import { UsageError } from '../errors.ts'
import { didYouMean } from '../ui/nearest.ts'
import { formatsOf, type View } from './view.ts'

/** One form of the result and where it goes. */
export interface Target {
  readonly format: string
  /** Path as the user gave it; undefined is stdout. */
  readonly file: string | undefined
  /** Expression of `jsonpath` and `custom-columns`, path of `jsonpath-file`. */
  readonly expression: string
}

/** Their `=` belongs to the expression, so they cannot go to a file. */
const WITH_EXPRESSION = new Set(['jsonpath', 'jsonpath-file', 'custom-columns'])

/**
 * Reads the values of `-o`: `FORMAT`, `FORMAT=FILE`, `jsonpath=EXPRESSION`, `custom-columns=COLUMNS`.
 *
 * @returns the targets in the given order; the view's default on stdout when there is no value
 * @throws UsageError for an unknown format, a format twice on stdout, one file twice
 */
export function parseTargets<T>(values: readonly string[], view: View<T>): Target[] {
  if (values.length === 0) return [{ format: Object.keys(view.forms)[0] ?? 'json', file: undefined, expression: '' }]
  const targets = values.map(value => parseTarget(value, view))
  const onStdout = targets.filter(target => target.file === undefined)
  if (onStdout.length > 1) {
    const names = onStdout.map(target => target.format).join(' and ')
    throw new UsageError(`only one format can go to stdout, not ${names}; write the others with -o FORMAT=FILE`)
  }
  const files = targets.flatMap(target => target.file ?? [])
  const twice = files.find((file, i) => files.indexOf(file) !== i)
  if (twice !== undefined) throw new UsageError(`-o names the file "${twice}" twice`)
  return targets
}

function parseTarget<T>(value: string, view: View<T>): Target {
  const cut = value.indexOf('=')
  const format = cut < 0 ? value : value.slice(0, cut)
  const rest = cut < 0 ? undefined : value.slice(cut + 1)
  const known = formatsOf(view)
  if (!known.includes(format)) {
    const meant = didYouMean(format, known, `: expected ${known.join(', ')}`)
    throw new UsageError(`unknown output format "${format}" for ${view.what}${meant}`)
  }
  if (WITH_EXPRESSION.has(format)) {
    if (rest === undefined || rest === '') throw new UsageError(`-o ${format} needs a value: -o ${format}=...`)
    return { format, file: undefined, expression: rest }
  }
  if (rest === '') throw new UsageError(`-o ${format}= names no file`)
  return { format, file: rest === '-' ? undefined : rest, expression: '' }
}
