import type { Context } from '../context.ts'
import { UsageError } from '../errors.ts'
import type { FleetSource } from '../source/source.ts'
import type { Engine } from './deps.ts'
import type { CommonFlags, RawOptions } from './flag-values.ts'

/** One call of a command: what the user said, and what the command may use. */
export interface Call {
  readonly context: Context
  readonly engine: Engine
  readonly flags: CommonFlags
  /** Options of the command itself, not narrowed yet. */
  readonly options: RawOptions
  readonly args: readonly string[]
}

/**
 * The source that the flags name.
 *
 * @throws UsageError when none is named
 */
export async function openSource({ context, engine, flags }: Call): Promise<FleetSource> {
  if (flags.from === undefined) return liveSource()
  return engine.openPath(flags.from, {
    ...(flags.hub === undefined ? {} : { hub: flags.hub }),
    // stdin is opened only for `-`: an open stdin keeps the process waiting.
    ...(flags.from === '-' ? { stdin: context.stdin } : {}),
  })
}

/** The place where the live hub of the kubeconfig comes in. */
function liveSource(): FleetSource {
  throw new UsageError(
    'no source: give --from PATH (a recorded fleet, must-gather, folder, archive or -) or set FLEETCTL_FROM',
  )
}

/** What is shown while the source is read. */
export function reading({ flags }: Call): string {
  return `Reading ${flags.from ?? 'the fleet'}`
}

/** A line on stderr for people; never with --quiet. */
export function note(call: Call, text: string): void {
  if (!call.flags.quiet) call.context.stderr.write(`${text}\n`)
}
