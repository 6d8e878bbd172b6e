import { Readable } from 'node:stream'
import type { Context, OutputStream } from '../../src/context.ts'
import { run as runMain } from '../../src/main.ts'

export interface RealOutcome {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

/** Runs a command line with the real engine inside the test's process, without a terminal and without a kubeconfig. */
export async function run(argv: readonly string[], cwd: string = process.cwd()): Promise<RealOutcome> {
  const out: string[] = []
  const err: string[] = []
  const stream = (into: string[]): OutputStream => ({
    write(text, done) {
      into.push(text)
      done?.()
      return true
    },
  })
  const context: Context = {
    argv,
    command: 'fleetctl',
    env: { HOME: '/nonexistent', CI: 'true' },
    platform: 'linux',
    cwd,
    stdout: stream(out),
    stderr: stream(err),
    stdin: Readable.from([]),
    signal: new AbortController().signal,
  }
  const code = await runMain(context)
  return { code, stdout: out.join(''), stderr: err.join('') }
}
