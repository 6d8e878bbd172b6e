import type { FieldChange } from '../plan/diff.ts'
import type { ObjectStep } from '../plan/plan.ts'
import { shorten, wrap } from './layout.ts'
import type { RenderOptions } from './options.ts'
import { oneLine } from './sanitize.ts'
import { toYaml } from './yaml.ts'

const LONGEST_VALUE = 70

/** The fields that a step changes, one line each: `.spec.x: a -> b`. */
export function fieldLines(step: ObjectStep, options: RenderOptions, indent: string, whole: boolean): string[] {
  return step.changes.flatMap(change => {
    const owners = change.owners.length === 0 ? '' : ` (set by ${change.owners.join(', ')})`
    const text = `${change.path}: ${values(change, options, whole)}${owners}`
    return wrap(text, options.width, indent, `${indent}  `)
  })
}

function values({ change, from, to }: FieldChange, options: RenderOptions, whole: boolean): string {
  const text = (value: unknown): string => {
    const json = oneLine(JSON.stringify(value) ?? '')
    return whole ? json : shorten(json, LONGEST_VALUE, options.symbols.ellipsis)
  }
  if (change === 'add') return `+ ${text(to)}`
  return change === 'remove' ? `- ${text(from)}` : `${text(from)} -> ${text(to)}`
}

/** A new object as YAML, each line with a plus. */
export function manifestLines({ manifest }: ObjectStep, { style }: RenderOptions, indent: string): string[] {
  return toYaml(manifest)
    .trimEnd()
    .split('\n')
    .map(line => `${indent}${style.green(`+ ${line}`)}`)
}
