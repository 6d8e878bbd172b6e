import type { ExitCode } from '../../errors.ts'
import type { RenderOptions } from '../../output/options.ts'
import { type Prepared, prepare } from '../../output/render.ts'
import { parseTargets, type Target } from '../../output/targets.ts'
import { look } from '../../output/terminal.ts'
import type { View } from '../../output/view.ts'
import { writeFileAtomically, writeStream } from '../../output/write.ts'
import { type Call, note, recordingFlags } from '../call.ts'

/** Where a document goes in which forms, understood before anything else is done. */
export interface Outputs<T> {
  /** Is a person reading stdout, and not a program? */
  readonly isText: boolean
  show(document: T, exitCode: ExitCode): Promise<void>
}

/** How a document looks in this place; it is told the exit code, which it may explain. */
export function renderOptionsOf(call: Call, target: 'stdout' | 'file', exitCode: ExitCode): RenderOptions {
  const { context, flags } = call
  return {
    ...look(context, flags, target),
    command: context.command,
    source: recordingFlags(call),
    headers: flags.headers,
    showSymptoms: false,
    failOn: 'error',
    allowIncomplete: false,
    since: false,
    exitCode,
  }
}

/**
 * Reads `-o` for a command that shows its result itself, because it has written text before.
 *
 * @throws UsageError for a format that there is not
 */
export async function outputsFor<T extends object>(call: Call, view: View<T>): Promise<Outputs<T>> {
  const { context, flags } = call
  const targets = parseTargets(flags.output, view)
  const renderers: readonly (readonly [Target, Prepared<T>])[] = await Promise.all(
    targets.map(async target => [target, await prepare(target, view, context.cwd)] as const),
  )
  const onStdout = targets.find(target => target.file === undefined)
  return {
    isText: onStdout === undefined || onStdout.format in view.forms,
    async show(document, exitCode) {
      for (const [target, render] of renderers) {
        const { file, format } = target
        const text = render(document, renderOptionsOf(call, file === undefined ? 'stdout' : 'file', exitCode))
        if (file !== undefined) {
          await writeFileAtomically(file, text, context.cwd)
          note(call, `wrote ${format} to ${file}`)
        } else if (!(format in view.forms)) await writeStream(context.stdout, text)
      }
    },
  }
}
