import type { Context } from '../context.ts'

export interface Progress {
  /** A line that stays, above the spinner where there is one; nothing under --quiet. */
  line(text: string): void
  stop(): void
}

/** Where those who work say how far they are; shown while a progress is on, lost otherwise. */
export interface ProgressText {
  /** Set by whoever shows it. */
  onText: ((text: string) => void) | undefined
}

const NOTHING: Progress = { line: () => {}, stop: () => {} }

/**
 * Says on stderr that something is going on: a spinner on a terminal outside CI, one plain line under -v elsewhere, nothing
 * under --quiet.
 */
export async function startProgress(
  {
    context,
    flags,
    progress,
  }: { context: Context; flags: { quiet: boolean; verbose: number }; progress?: ProgressText },
  text: string,
): Promise<Progress> {
  if (flags.quiet) return NOTHING
  // A terminal without columns would keep a spinner clearing lines for ever.
  const terminal = context.stderr.isTTY === true && (context.stderr.columns ?? 0) > 0 && context.env.TERM !== 'dumb'
  const ci = context.env.CI !== undefined && context.env.CI !== '' && context.env.CI !== 'false'
  if (terminal && !ci) {
    const { startSpinner } = await import('./spinner.ts')
    return startSpinner(text, progress)
  }
  if (flags.verbose > 0) context.stderr.write(`${text}\n`)
  return { line: line => void context.stderr.write(`${line}\n`), stop: () => {} }
}
