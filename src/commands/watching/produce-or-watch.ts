import { type ExitCode, UsageError } from '../../errors.ts'
import type { Call } from '../call.ts'
import { type Production, produce } from '../produce.ts'
import { intervalFlag } from './flags.ts'

/** Runs a command once, or with -w whenever the fleet has changed. */
export async function produceOrWatch<T extends object>(call: Call, production: Production<T>): Promise<ExitCode> {
  if (call.options.watch === true) return (await import('./produce-watched.ts')).produceWatched(call, production)
  if (intervalFlag(call.options) !== undefined) throw new UsageError('--interval goes with -w')
  return produce(call, production)
}
