import type { Context } from '../context.ts'
import type { FleetSource } from '../source/source.ts'
import type { ProgressText } from '../ui/progress.ts'
import type { Engine } from './deps.ts'
import type { CommonFlags, RawOptions } from './flag-values.ts'
import { refuseLiveFlags } from './live.ts'

/** One call of a command: what the user said, and what the command may use. */
export interface Call {
  readonly context: Context
  readonly engine: Engine
  readonly flags: CommonFlags
  /** Options of the command itself, not narrowed yet. */
  readonly options: RawOptions
  readonly args: readonly string[]
  /** Where readers say how far they are. */
  readonly progress: ProgressText
}

/** Live sources by the options of their call: what is read again and again keeps its logins. */
const live = new WeakMap<RawOptions, FleetSource>()

/**
 * The source that the flags name: a path, or else the live hub of the kubeconfig.
 *
 * @throws UsageError when the flags contradict each other or lead nowhere
 */
export async function openSource(call: Call): Promise<FleetSource> {
  const { context, engine, flags } = call
  if (flags.from === undefined) {
    const known = live.get(call.options)
    if (known !== undefined) return known
    const source = await engine.openLive(call)
    live.set(call.options, source)
    return source
  }
  refuseLiveFlags(call)
  return engine.openPath(flags.from, {
    ...(flags.hub === undefined ? {} : { hub: flags.hub }),
    // stdin is opened only for `-`: an open stdin keeps the process waiting.
    ...(flags.from === '-' ? { stdin: context.stdin } : {}),
  })
}

/** The flags that make another command read the same recording; none for a live fleet, or stdin, which is read once. */
export function recordingFlags({ flags: { from, hub } }: Call): readonly string[] {
  if (from === undefined || from === '-') return []
  return ['--from', from, ...(hub === undefined ? [] : ['--hub', hub])]
}

/** What is shown while the source is read. */
export function reading({ flags }: Call): string {
  return `Reading ${flags.from ?? 'the hub'}`
}

/** A line on stderr for people; never with --quiet. */
export function note(call: Call, text: string): void {
  if (!call.flags.quiet) call.context.stderr.write(`${text}\n`)
}
