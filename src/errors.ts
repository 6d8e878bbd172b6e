/** Exit codes of every command; one table, see docs/exit-codes.md. */
export const EXIT = {
  ok: 0,
  findings: 1,
  usage: 2,
  incomplete: 3,
  unreachable: 4,
  timeout: 5,
  refused: 6,
  partlyWritten: 7,
  internal: 70,
  interrupted: 130,
  terminated: 143,
} as const

export type ExitCode = (typeof EXIT)[keyof typeof EXIT]

/** An error whose message is meant for the user: one line, lower case, what failed and what to do. */
export class FleetctlError extends Error {
  readonly exitCode: ExitCode
  constructor(message: string, exitCode: ExitCode, options?: ErrorOptions) {
    super(message, options)
    this.name = new.target.name
    this.exitCode = exitCode
  }
}

/** Wrong flags, arguments or configuration. */
export class UsageError extends FleetctlError {
  constructor(message: string, options?: ErrorOptions) {
    super(message, EXIT.usage, options)
  }
}

/** The source cannot be read at all: no such path, nothing in it, a limit exceeded. */
export class SourceError extends FleetctlError {
  constructor(message: string, options?: ErrorOptions) {
    super(message, EXIT.usage, options)
  }
}

/** The whole command took longer than `--timeout`. */
export class TimeoutError extends FleetctlError {
  constructor(message: string, options?: ErrorOptions) {
    super(message, EXIT.timeout, options)
  }
}

/** The user or the system asked the process to stop. */
export class InterruptedError extends FleetctlError {
  constructor(signal: 'SIGINT' | 'SIGTERM') {
    super('interrupted', signal === 'SIGINT' ? EXIT.interrupted : EXIT.terminated)
  }
}
