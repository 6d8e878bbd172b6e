import type { Severity } from '../checks/check.ts'
import type { ExitCode } from '../errors.ts'
import type { Style } from './style.ts'
import type { Symbols } from './symbols.ts'

/** Everything that a renderer may depend on besides the document: no renderer looks at the terminal or the environment. */
export interface RenderOptions {
  /** How the user calls the tool, for commands that the text suggests: `fleetctl` or `kubectl fleetctl`. */
  readonly command: string
  /** Words by which a suggested command reads the same recording (`--from PATH`); none where the fleet was read live. */
  readonly source?: readonly string[]
  /** Columns of the terminal; Infinity where nothing may be cut or wrapped (no terminal, a file, `wide`). */
  readonly width: number
  readonly style: Style
  readonly symbols: Symbols
  readonly headers: boolean
  readonly showSymptoms: boolean
  readonly failOn: Severity
  readonly allowIncomplete: boolean
  /** Findings were chosen by when they changed. */
  readonly since: boolean
  /** The code that the command will exit with, decided before anything is rendered. */
  readonly exitCode: ExitCode
}

/** One output form of one kind of document. */
export type Renderer<T> = (document: T, options: RenderOptions) => string
