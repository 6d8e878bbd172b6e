import type { Command, Option } from 'commander'
import type { Context } from '../context.ts'
import { UsageError } from '../errors.ts'

const YES = new Set(['1', 'true', 'yes', 'on'])
const NO = new Set(['0', 'false', 'no', 'off'])
/** FLEETCTL_VERSION is what install scripts set; it must not print the version. */
const NOT_FROM_ENVIRONMENT = new Set(['--version', '--help'])

/** `FLEETCTL_FAIL_ON` for `--fail-on`. */
export function variableOf(flag: string): string {
  return `FLEETCTL_${flag.replace(/^--/, '').replaceAll('-', '_').toUpperCase()}`
}

/**
 * Sets flags that the command line does not set from their `FLEETCTL_` variables. A repeatable flag takes one value a line.
 *
 * @throws UsageError naming the variable, when its value is none that the flag takes
 */
export function applyEnvironment(command: Command, env: Context['env']): void {
  for (let at: Command | null = command; at !== null; at = at.parent) {
    for (const option of at.options) applyOption(at, option, env)
  }
}

function applyOption(command: Command, option: Option, env: Context['env']): void {
  const key = option.attributeName()
  const from = command.getOptionValueSource(key)
  if (option.long === undefined || option.long === null || NOT_FROM_ENVIRONMENT.has(option.long)) return
  if (from !== undefined && from !== 'default') return
  const variable = variableOf(option.long)
  const value = env[variable]
  if (value === undefined || value === '') return
  try {
    const parsed = parse(option, value)
    if (parsed !== undefined) command.setOptionValueWithSource(key, parsed, 'env')
  } catch (error) {
    if (error instanceof UsageError) throw new UsageError(`${error.message} (from ${variable})`, { cause: error })
    throw error
  }
}

function parse(option: Option, value: string): unknown {
  if (option.isBoolean() || option.negate) {
    const wanted = value.toLowerCase()
    if (YES.has(wanted)) return !option.negate
    if (NO.has(wanted)) return undefined
    throw new UsageError(`invalid value "${value}" for ${option.long}: expected true or false`)
  }
  if (option.parseArg === undefined) return value
  let parsed: unknown
  for (const line of value.split(/\r?\n/)) if (line.trim() !== '') parsed = option.parseArg(line.trim(), parsed)
  return parsed
}
