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
  command.setOptionValueWithSource(key, parseOption(option, value.split(/\r?\n/), `from ${variable}`), 'env')
}

/**
 * The value of a flag that is not given on the command line.
 *
 * @param texts as on the command line, one for each time that the flag would be given
 * @param origin where they are from, for the message
 * @throws UsageError when they are none that the flag takes
 */
export function parseOption(option: Option, texts: readonly string[], origin: string): unknown {
  try {
    return parse(
      option,
      texts.map(text => text.trim()).filter(text => text !== ''),
    )
  } catch (error) {
    if (error instanceof UsageError) throw new UsageError(`${error.message} (${origin})`, { cause: error })
    throw error
  }
}

function parse(option: Option, texts: readonly string[]): unknown {
  const [first = ''] = texts
  if (option.isBoolean() || option.negate) {
    const wanted = first.toLowerCase()
    if (YES.has(wanted)) return !option.negate
    // Said, not only left out: what comes after in precedence does not set it.
    if (NO.has(wanted)) return option.negate
    throw new UsageError(`invalid value "${first}" for ${option.long}: expected true or false`)
  }
  if (option.parseArg === undefined) return one(option, texts)
  let parsed: unknown
  for (const text of texts) parsed = option.parseArg(text, parsed)
  return Array.isArray(parsed) ? parsed : option.parseArg(one(option, texts), undefined)
}

function one({ long }: Option, texts: readonly string[]): string {
  const [first = ''] = texts
  if (texts.length > 1) throw new UsageError(`${long} takes one value`)
  return first
}
