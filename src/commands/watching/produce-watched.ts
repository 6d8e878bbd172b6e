import type { OutputStream } from '../../context.ts'
import { EXIT, type ExitCode, FleetctlError, InterruptedError, TimeoutError, UsageError } from '../../errors.ts'
import type { View } from '../../output/view.ts'
import { startProgress } from '../../ui/progress.ts'
import { type Call, note } from '../call.ts'
import { deadline } from '../deadline.ts'
import {
  type Form,
  type Production,
  prepareForms,
  type RenderedForm,
  rendered,
  writeError,
  writeFiles,
} from '../produce.ts'
import { intervalFlag } from './flags.ts'
import { startLooks } from './looks.ts'
import { CHAIN } from './plans.ts'
import { timeless } from './same.ts'

/** Cursor to the corner, screen and what was scrolled off cleared. */
const CLEAR = '\x1b[H\x1b[2J\x1b[3J'

/** Formats for machines are a stream of documents; the others are read by people. */
const MACHINE = new Set(['json', 'jsonl', 'yaml', 'name', 'jsonpath', 'jsonpath-file', 'custom-columns', 'junit'])

/**
 * Runs a command again whenever the fleet has changed, and shows the document when it differs in more than its ages: redrawn on
 * a terminal, one after another elsewhere, files anew each time. Ends by SIGINT (130), SIGTERM (143), --timeout (5), or when
 * nobody reads stdout any more.
 *
 * @throws UsageError with --from; the error of the first look, after which the hub may go and come back
 */
export async function produceWatched<T extends object>(call: Call, production: Production<T>): Promise<ExitCode> {
  const { context, flags } = call
  if (flags.from !== undefined)
    throw new UsageError('-w watches live clusters; a recording given by --from does not change')
  const forms = await formsOf(call, production.view)
  const limit = deadline(context.signal, flags.timeout)
  const screen = new Screen(call, forms)
  try {
    return await limit.race(watched(call, production, forms, screen, limit.signal))
  } catch (error) {
    if (error instanceof InterruptedError) return error.exitCode
    if (!(error instanceof TimeoutError)) throw error
    note(call, `stopped after --timeout ${flags.timeout / 1000}s`)
    return EXIT.timeout
  } finally {
    limit.stop()
  }
}

/** A line of `jsonl` is a whole document here: rows of several looks could not be told apart. */
async function formsOf<T extends object>(call: Call, view: View<T>): Promise<readonly Form<T>[]> {
  const { toJsonLines } = await import('../../output/json.ts')
  return (await prepareForms(call, view)).map(form =>
    form.target.format === 'jsonl' ? { ...form, render: document => toJsonLines([document], '') } : form,
  )
}

async function watched<T extends object>(
  call: Call,
  production: Production<T>,
  forms: readonly Form<T>[],
  screen: Screen,
  signal: AbortSignal,
): Promise<ExitCode> {
  const progress = await startProgress(call, production.doing)
  const looks = await startLooks(call, CHAIN, intervalFlag(call.options), signal, text => progress.line(text)).catch(
    error => {
      progress.stop()
      throw error
    },
  )
  let shown: string | undefined
  let trouble = ''
  try {
    for (;;) {
      const from = Date.now()
      try {
        const document = await production.run(signal, progress)
        progress.stop()
        if (trouble !== '') note(call, 'the hub can be read again')
        trouble = ''
        const is = timeless(document)
        if (is !== shown) {
          shown = is
          const texts = rendered(call, forms, document, production.exitCode(document), production)
          if (!(await screen.show(texts))) return EXIT.ok
        }
      } catch (error) {
        progress.stop()
        signal.throwIfAborted()
        if (!(error instanceof FleetctlError)) throw error
        // After the first look a hub may go and come back, and so may an Application.
        if (shown === undefined) {
          await writeError(
            call,
            forms.map(form => form.target),
            error,
          )
          throw error
        }
        if (error.message !== trouble) note(call, `${error.message}; trying again`)
        trouble = error.message
      }
      await looks.next(Date.now() - from)
      signal.throwIfAborted()
    }
  } finally {
    looks.close()
  }
}

/** Where documents are shown one after another. */
class Screen {
  readonly #call: Call
  readonly #stdout: OutputStream
  readonly #isRedrawn: boolean
  #isFirst = true

  constructor(call: Call, forms: readonly Form<never>[]) {
    const { env, stdout } = call.context
    const format = forms.find(form => form.target.file === undefined)?.target.format ?? ''
    const isCi = env.CI !== undefined && env.CI !== '' && env.CI !== 'false'
    this.#call = call
    this.#stdout = stdout
    this.#isRedrawn = stdout.isTTY === true && env.TERM !== 'dumb' && !isCi && !MACHINE.has(format)
  }

  /** @returns false when nobody reads any more */
  async show(texts: readonly RenderedForm[]): Promise<boolean> {
    await writeFiles(this.#call, texts)
    const text = texts.find(({ target }) => target.file === undefined)
    if (text === undefined) return true
    const { format } = text.target
    const between = format === 'yaml' ? '---\n' : MACHINE.has(format) ? '' : '\n'
    const before = this.#isRedrawn ? CLEAR : this.#isFirst ? '' : between
    this.#isFirst = false
    const error = await new Promise<Error | null | undefined>(done => this.#stdout.write(before + text.text, done))
    return !(error instanceof Error)
  }
}
