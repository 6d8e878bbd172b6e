import type { Check, CheckDocs } from '../checks/check.ts'
import type { API_VERSION } from '../checks/report.ts'
import type { ApplicationTrace } from '../trace/trace.ts'

/** The smaller documents that commands print; the reports are in src/checks/report.ts and src/trace/trace.ts. */

/** One check, as scripts see it. */
export type ListedCheck = Pick<Check, 'code' | 'slug' | 'severity' | 'category' | 'title' | 'models'> & {
  /** Kinds that the check reads. */
  readonly reads: { readonly hub: readonly string[]; readonly spoke: readonly string[] }
  /** What `doctor fix` does about its findings; null where no machine mends them. */
  readonly machineFix: {
    readonly does: string
    readonly risk: string
    /** Part of `--all-safe`. */
    readonly safe: boolean
  } | null
}

export interface CheckList {
  readonly apiVersion: typeof API_VERSION
  readonly kind: 'CheckList'
  readonly checks: readonly ListedCheck[]
}

export type Explanation = {
  readonly apiVersion: typeof API_VERSION
  readonly kind: 'CheckExplanation'
} & ListedCheck &
  CheckDocs

/** Explanations of several checks. */
export interface Explanations {
  readonly apiVersion: typeof API_VERSION
  readonly kind: 'List'
  readonly items: readonly Explanation[]
}

export interface VersionInfo {
  readonly apiVersion: typeof API_VERSION
  readonly kind: 'Version'
  readonly client: { readonly version: string; readonly node: string; readonly platform: string }
}

type Origin = 'flag' | 'env' | 'project' | 'user'

/** A flag that is set. */
export interface ConfigFlag {
  /** Without `--`. */
  readonly flag: string
  /** As on the command line, one for each time that it would be given. */
  readonly values: readonly string[]
  readonly origin: Origin
  /** The flag, the variable, or `file:line`. */
  readonly where: string
}

/** The settings that apply in the working directory. */
export interface ConfigView {
  readonly apiVersion: typeof API_VERSION
  readonly kind: 'ConfigView'
  readonly files: readonly { readonly scope: Origin; readonly file: string }[]
  readonly flags: readonly ConfigFlag[]
  readonly suppressions: readonly {
    readonly check: string
    readonly object: string
    readonly cluster: string
    readonly reason: string
    readonly owner: string
    readonly expires: string
    readonly origin: Origin
    readonly where: string
  }[]
}

/** What machine formats print when there is no result: the same words and exit code as on stderr. */
export interface ErrorDocument {
  readonly apiVersion: typeof API_VERSION
  readonly kind: 'Error'
  readonly version: string
  readonly message: string
  readonly exitCode: number
}

/** Traces of several Applications that were asked for by name. */
export interface TraceItems {
  readonly apiVersion: typeof API_VERSION
  readonly kind: 'List'
  readonly items: readonly ApplicationTrace[]
}
