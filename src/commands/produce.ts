import type { ExitCode } from '../errors.ts'
import { errorIn } from '../output/error-document.ts'
import type { RenderOptions } from '../output/options.ts'
import { type Prepared, prepare } from '../output/render.ts'
import { parseTargets, type Target } from '../output/targets.ts'
import { look } from '../output/terminal.ts'
import type { View } from '../output/view.ts'
import { writeFileAtomically, writeStream } from '../output/write.ts'
import { type Progress, startProgress } from '../ui/progress.ts'
import { type Call, note, recordingFlags } from './call.ts'
import { deadline } from './deadline.ts'

/** What a command does besides showing: all of it is the same for every format. */
export interface Production<T extends object> {
  readonly view: View<T>
  /** Shown while the work runs. */
  readonly doing: string
  run(signal: AbortSignal, progress: Progress): Promise<T>
  exitCode(document: T): ExitCode
  /** False where the command itself ends at --timeout, with a result. */
  readonly limited?: boolean
  readonly show?: Partial<Pick<RenderOptions, 'showSymptoms' | 'failOn' | 'allowIncomplete' | 'since'>>
}

/**
 * Runs a command to its end: formats are understood before anything is read, the exit code is decided before anything is
 * rendered, files are written before stdout.
 */
export async function produce<T extends object>(call: Call, production: Production<T>): Promise<ExitCode> {
  const { context, flags } = call
  const forms = await prepareForms(call, production.view)
  const limit = deadline(context.signal, production.limited === false ? 0 : flags.timeout)
  const progress = await startProgress(call, production.doing)
  let document: T
  try {
    document = await limit.race(production.run(limit.signal, progress))
  } catch (error) {
    await writeError(
      call,
      forms.map(form => form.target),
      error,
    )
    throw error
  } finally {
    progress.stop()
    limit.stop()
  }
  const exitCode = production.exitCode(document)
  const texts = rendered(call, forms, document, exitCode, production)
  await writeFiles(call, texts)
  for (const { target, text } of texts) if (target.file === undefined) await writeStream(context.stdout, text)
  return exitCode
}

/** A target with what renders it. */
export interface Form<T> {
  readonly target: Target
  readonly render: Prepared<T>
}

/** What `-o` asks for, ready to be rendered. @throws UsageError for a form or an expression that cannot be understood */
export async function prepareForms<T extends object>(call: Call, view: View<T>): Promise<readonly Form<T>[]> {
  const targets = parseTargets(call.flags.output, view)
  return Promise.all(targets.map(async target => ({ target, render: await prepare(target, view, call.context.cwd) })))
}

export interface RenderedForm {
  readonly target: Target
  readonly text: string
}

/** The document in every form. */
export function rendered<T extends object>(
  call: Call,
  forms: readonly Form<T>[],
  document: T,
  exitCode: ExitCode,
  production: Pick<Production<T>, 'show'>,
): readonly RenderedForm[] {
  return forms.map(({ target, render }) => ({
    target,
    text: render(document, renderOptions(call, target, exitCode, production)),
  }))
}

/** Writes those that go to files. */
export async function writeFiles(call: Call, texts: readonly RenderedForm[]): Promise<void> {
  for (const { target, text } of texts) {
    if (target.file === undefined) continue
    await writeFileAtomically(target.file, text, call.context.cwd)
    note(call, `wrote ${target.format} to ${target.file}`)
  }
}

/** The error in place of the result, in files too: there the result of an earlier run must not pass for this one's. */
export async function writeError({ context }: Call, targets: readonly Target[], error: unknown): Promise<void> {
  for (const { format, file } of targets) {
    const text = await errorIn(format, error)
    if (text === undefined) continue
    if (file === undefined) await writeStream(context.stdout, text)
    else await writeFileAtomically(file, text, context.cwd)
  }
}

function renderOptions<T extends object>(
  call: Call,
  target: Target,
  exitCode: ExitCode,
  { show = {} }: Pick<Production<T>, 'show'>,
): RenderOptions {
  const { context, flags } = call
  return {
    ...look(context, flags, target.file === undefined ? 'stdout' : 'file'),
    command: context.command,
    source: recordingFlags(call),
    headers: flags.headers,
    showSymptoms: show.showSymptoms ?? false,
    failOn: show.failOn ?? 'error',
    allowIncomplete: show.allowIncomplete ?? false,
    since: show.since ?? false,
    exitCode,
  }
}
