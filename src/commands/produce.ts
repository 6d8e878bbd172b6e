import type { ExitCode } from '../errors.ts'
import { errorIn } from '../output/error-document.ts'
import type { RenderOptions } from '../output/options.ts'
import { prepare } from '../output/render.ts'
import { parseTargets, type Target } from '../output/targets.ts'
import { look } from '../output/terminal.ts'
import type { View } from '../output/view.ts'
import { writeFileAtomically, writeStream } from '../output/write.ts'
import { startProgress } from '../ui/progress.ts'
import { type Call, note } from './call.ts'
import { deadline } from './deadline.ts'

/** What a command does besides showing: all of it is the same for every format. */
export interface Production<T extends object> {
  readonly view: View<T>
  /** Shown while the work runs. */
  readonly doing: string
  run(signal: AbortSignal): Promise<T>
  exitCode(document: T): ExitCode
  readonly show?: Partial<Pick<RenderOptions, 'showSymptoms' | 'failOn' | 'allowIncomplete' | 'since'>>
}

/**
 * Runs a command to its end: formats are understood before anything is read, the exit code is decided before anything is
 * rendered, files are written before stdout.
 */
export async function produce<T extends object>(call: Call, production: Production<T>): Promise<ExitCode> {
  const { context, flags } = call
  const { view } = production
  const targets = parseTargets(flags.output, view)
  const renderers = await Promise.all(targets.map(target => prepare(target, view, context.cwd)))
  const limit = deadline(context.signal, flags.timeout)
  const progress = await startProgress(call, production.doing)
  let document: T
  try {
    document = await limit.race(production.run(limit.signal))
  } catch (error) {
    await writeError(call, targets, error)
    throw error
  } finally {
    progress.stop()
    limit.stop()
  }
  const exitCode = production.exitCode(document)
  const texts = targets.map(
    (target, i) => renderers[i]?.(document, renderOptions(call, target, exitCode, production)) ?? '',
  )
  for (const [i, target] of targets.entries()) {
    if (target.file === undefined) continue
    await writeFileAtomically(target.file, texts[i] ?? '', context.cwd)
    note(call, `wrote ${target.format} to ${target.file}`)
  }
  for (const [i, target] of targets.entries()) {
    if (target.file === undefined) await writeStream(context.stdout, texts[i] ?? '')
  }
  return exitCode
}

/** The error in place of the result, in files too: there the result of an earlier run must not pass for this one's. */
async function writeError({ context }: Call, targets: readonly Target[], error: unknown): Promise<void> {
  for (const { format, file } of targets) {
    const text = await errorIn(format, error)
    if (text === undefined) continue
    if (file === undefined) await writeStream(context.stdout, text)
    else await writeFileAtomically(file, text, context.cwd)
  }
}

function renderOptions<T extends object>(
  { context, flags }: Call,
  target: Target,
  exitCode: ExitCode,
  { show = {} }: Production<T>,
): RenderOptions {
  return {
    ...look(context, flags, target.file === undefined ? 'stdout' : 'file'),
    command: context.command,
    headers: flags.headers,
    showSymptoms: show.showSymptoms ?? false,
    failOn: show.failOn ?? 'error',
    allowIncomplete: show.allowIncomplete ?? false,
    since: show.since ?? false,
    exitCode,
  }
}
