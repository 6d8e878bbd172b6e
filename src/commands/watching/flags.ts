import { type Command, Option } from 'commander'
import { UsageError } from '../../errors.ts'
import { parseDuration } from '../duration.ts'
import type { RawOptions } from '../flag-values.ts'

const LEAST_MS = 1_000

/** Declares `--interval`. */
export function intervalOption(): Option {
  return new Option(
    '--interval <duration>',
    'read again at the latest after this time (default 1m, 15s where watching is refused)',
  ).argParser(value => {
    const ms = parseDuration(value, '--interval')
    if (ms < LEAST_MS) throw new UsageError(`invalid value "${value}" for --interval: expected 1s or more`)
    return ms
  })
}

/** Milliseconds of `--interval`, undefined where it is not given. */
export function intervalFlag(options: RawOptions): number | undefined {
  return typeof options.interval === 'number' ? options.interval : undefined
}

/** Declares `-w` and `--interval`. */
export function withWatch(command: Command): Command {
  return command
    .option('-w, --watch', 'keep going: show the result again whenever it has changed')
    .addOption(intervalOption())
}
