import type { Readable } from 'node:stream'
import { EXIT, InterruptedError } from './errors.ts'

/** The part of a writable stream that fleetctl uses. */
export interface OutputStream {
  readonly isTTY?: boolean
  readonly columns?: number
  write(text: string, done?: (error?: Error | null) => void): boolean
}

/** Everything impure, in one place: a test gives its own. */
export interface Context {
  /** Arguments after the program's name. */
  readonly argv: readonly string[]
  /** How the user calls the tool: `fleetctl`, or `kubectl fleetctl` when it runs as a plugin. */
  readonly command: string
  readonly env: Readonly<Record<string, string | undefined>>
  readonly platform: NodeJS.Platform
  readonly cwd: string
  readonly stdout: OutputStream
  readonly stderr: OutputStream
  readonly stdin: Readable
  /** Aborted by SIGINT and SIGTERM, with an `InterruptedError` as the reason. */
  readonly signal: AbortSignal
}

/** `kubectl fleetctl` for a program called `kubectl-fleetctl`, as kubectl and oc run their plugins. */
export function commandName(script: string | undefined): string {
  const base = (script ?? '').split(/[\\/]/).at(-1) ?? ''
  const plugin = /^(kubectl|oc)[-_](?:complete-)?fleetctl/.exec(base)
  return plugin ? `${plugin[1]} fleetctl` : 'fleetctl'
}

/** Aborts on SIGINT and SIGTERM; the second of them does not wait for anything. */
function interruption(): AbortSignal {
  const controller = new AbortController()
  const stop = (signal: 'SIGINT' | 'SIGTERM') => {
    const reason = new InterruptedError(signal)
    if (controller.signal.aborted) process.exit(reason.exitCode)
    controller.abort(reason)
  }
  process.on('SIGINT', stop)
  process.on('SIGTERM', stop)
  return controller.signal
}

/**
 * A reader that has gone (`| head`) is no error. Anything else that keeps the result from being written (no space left) is
 * told in a line, and the exit code says so.
 */
function result(stream: NodeJS.WriteStream): NodeJS.WriteStream {
  return stream.on('error', error => {
    if ('code' in error && error.code === 'EPIPE') return
    process.exitCode = EXIT.usage
    process.stderr.write(`error: cannot write the output: ${error.message}\n`)
  })
}

/** What cannot be said on stderr is not said. */
function messages(stream: NodeJS.WriteStream): NodeJS.WriteStream {
  return stream.on('error', () => {})
}

/** Makes a value when it is first asked for. */
function lazy<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined
  return () => {
    made ??= { value: make() }
    return made.value
  }
}

/** The context of the running process. Streams and signals are set up when they are first used: each costs time at start. */
export function processContext(): Context {
  const signal = lazy(interruption)
  const stdout = lazy(() => result(process.stdout))
  const stderr = lazy(() => messages(process.stderr))
  return {
    argv: process.argv.slice(2),
    command: commandName(process.argv[1]),
    env: process.env,
    platform: process.platform,
    cwd: process.cwd(),
    get signal() {
      return signal()
    },
    get stdout() {
      return stdout()
    },
    get stderr() {
      return stderr()
    },
    get stdin() {
      return process.stdin
    },
  }
}
