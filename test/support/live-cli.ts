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

interface LiveSetting {
  readonly signal?: AbortSignal
  /** Stdout is a terminal of so many columns. */
  readonly columns?: number
}

/** A command that runs: what it has said so far, and how it ends. */
export interface LiveRun {
  now(): Omit<LiveOutcome, 'code'>
  readonly done: Promise<LiveOutcome>
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
    return this.start(argv, { ...(signal === undefined ? {} : { signal }) }).done
  }

  /** Begins a command line that goes on for a while. */
  start(argv: readonly string[], { signal, columns }: LiveSetting = {}): LiveRun {
    const out: string[] = []
    const err: string[] = []
    const stream = (into: string[], isTerminal = false): OutputStream => ({
      ...(isTerminal ? { isTTY: true, columns: columns ?? 80 } : {}),
      write(text, done) {
        into.push(text)
        done?.()
        return true
      },
    })
    const context: Context = {
      argv,
      command: 'fleetctl',
      env: columns === undefined ? this.env() : { ...this.env(), CI: '', TERM: 'xterm' },
      platform: 'linux',
      cwd: this.state,
      stdout: stream(out, columns !== undefined),
      stderr: stream(err),
      stdin: Readable.from([]),
      signal: signal ?? new AbortController().signal,
    }
    const now = (): Omit<LiveOutcome, 'code'> => ({ stdout: out.join(''), stderr: err.join('') })
    return { now, done: run(context).then(code => ({ code, ...now() })) }
  }

  end(): void {
    rmSync(this.state, { recursive: true, force: true })
  }
}
