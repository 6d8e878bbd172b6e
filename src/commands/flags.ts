import { type Command, Option } from 'commander'
import { UsageError } from '../errors.ts'
import type { ColourWhen } from '../output/terminal.ts'
import { didYouMean } from '../ui/nearest.ts'
import { parseDuration } from './duration.ts'

/** A parser for a flag with few values; the error names the flag, the values and the nearest of them. */
export function oneOf<T extends string>(flag: string, values: readonly T[]): (value: string) => T {
  return value => {
    const found = values.find(v => v === value)
    if (found !== undefined) return found
    const list = `${values.slice(0, -1).join(', ')} or ${values.at(-1)}`
    throw new UsageError(`invalid value "${value}" for ${flag}: expected ${list}${didYouMean(value, values, '')}`)
  }
}

/** A repeatable flag whose values may also stand together with commas between them. */
export function commaList(value: string, before: unknown): string[] {
  const items = value.split(',').map(item => item.trim())
  return [...(Array.isArray(before) ? before : []), ...items.filter(item => item !== '')]
}

/** A repeatable flag whose values may hold commas. */
export function collect(value: string, before: unknown): string[] {
  return [...(Array.isArray(before) ? before : []), value]
}

function verbosity(value: string): number {
  const level = /^=?(\d)$/.exec(value)?.[1]
  if (level === undefined) throw new UsageError(`invalid value "${value}" for -v: expected a number from 0 to 9`)
  return Number(level)
}

const filled = (flag: string) => (value: string) => {
  if (value === '') throw new UsageError(`${flag} needs a value`)
  return value
}

/** Declares the common flags at the top, where commander accepts them before and after the command's name. */
export function addCommonFlags(program: Command): void {
  program
    .addOption(
      new Option(
        '--from <path>',
        'read a recorded fleet, must-gather, folder, file or archive; "-" is stdin',
      ).argParser(filled('--from')),
    )
    .addOption(
      new Option('--hub <dir>', 'folder of the source that is the hub, where it cannot be told').argParser(
        filled('--hub'),
      ),
    )
    .addOption(
      new Option('-o, --output <format>', 'FORMAT, or FORMAT=FILE to write a file (repeatable)').argParser(collect),
    )
    .addOption(
      new Option('--color <when>', 'auto, always or never').argParser(
        oneOf<ColourWhen>('--color', ['auto', 'always', 'never']),
      ),
    )
    .option('--no-emoji', 'no symbols in front of states')
    .option('--no-headers', 'no header lines')
    .option('--no-input', 'never ask, not even on a terminal')
    .addOption(
      new Option('--timeout <duration>', 'limit for the whole command, such as 5m; exceeding it exits 5').argParser(
        value => parseDuration(value, '--timeout'),
      ),
    )
    .option('-q, --quiet', 'nothing on stderr but errors')
    .addOption(new Option('-v, --verbose [level]', 'say more on stderr, 0 to 9').argParser(verbosity))
}
