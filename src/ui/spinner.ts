import ora from 'ora'
import type { Progress } from './progress.ts'

/** A spinner on stderr. It leaves stdin alone: a pipe into `--from -` must not be read by it. */
export function startSpinner(text: string): Progress {
  const spinner = ora({ text, stream: process.stderr, discardStdin: false }).start()
  return {
    line: line => {
      spinner.clear()
      process.stderr.write(`${line}\n`)
      spinner.render()
    },
    stop: () => spinner.stop(),
  }
}
