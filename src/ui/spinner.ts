import ora from 'ora'
import type { Progress, ProgressText } from './progress.ts'

/** A spinner on stderr. It leaves stdin alone: a pipe into `--from -` must not be read by it. */
export function startSpinner(text: string, progress?: ProgressText): Progress {
  const spinner = ora({ text, stream: process.stderr, discardStdin: false }).start()
  if (progress !== undefined) {
    progress.onText = more => {
      spinner.text = `${text}: ${more}`
    }
  }
  return {
    line: line => {
      spinner.clear()
      process.stderr.write(`${line}\n`)
      spinner.render()
    },
    stop: () => {
      if (progress !== undefined) progress.onText = undefined
      spinner.stop()
    },
  }
}
