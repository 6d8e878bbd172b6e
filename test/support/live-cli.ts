import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import type { Context, OutputStream } from '../../src/context.ts'
import { run } from '../../src/main.ts'

export interface LiveOutcome {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

/** Runs command lines with the real engine against the hub of a kubeconfig; journals go to a folder of the test. */
export class LiveCli {
  readonly state: string = mkdtempSync(join(tmpdir(), 'fleetctl-state-'))
  readonly #kubeconfig: string

  constructor(kubeconfig: string) {
    this.#kubeconfig = kubeconfig
  }

  env(): Record<string, string> {
    return { KUBECONFIG: this.#kubeconfig, XDG_STATE_HOME: this.state, HOME: this.state, CI: 'true' }
  }

  async run(argv: readonly string[], signal?: AbortSignal): Promise<LiveOutcome> {
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
      env: this.env(),
      platform: 'linux',
      cwd: this.state,
      stdout: stream(out),
      stderr: stream(err),
      stdin: Readable.from([]),
      signal: signal ?? new AbortController().signal,
    }
    const code = await run(context)
    return { code, stdout: out.join(''), stderr: err.join('') }
  }

  end(): void {
    rmSync(this.state, { recursive: true, force: true })
  }
}
