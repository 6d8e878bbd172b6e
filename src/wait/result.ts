import { API_VERSION, type SourceInfo } from '../checks/report.ts'
import { EXIT, type ExitCode } from '../errors.ts'
import type { Subject } from '../fleet/subject.ts'
import { VERSION } from '../version.ts'
import { type Goal, goalText } from './goals.ts'
import type { Target } from './judge.ts'
import type { Member } from './member.ts'
import type { Verdict } from './verdict.ts'

/** How waiting ended. */
export type WaitOutcome =
  | 'met'
  /** The time was over. */
  | 'timeout'
  /** --fail-fast: it cannot be met without somebody's doing. */
  | 'failed'
  /** Of a recording: it is not met, and nothing will change there. */
  | 'not-met'
  /** Of a recording: what would have to be seen is not in it. */
  | 'unknown'
  /** The hub could not be read when the time was over. */
  | 'unreachable'

/** One object that keeps the goal from being met, as scripts see it. */
export interface Blocker {
  readonly subject: Subject
  readonly state: 'waiting' | 'failed' | 'unknown'
  readonly reason: string
  readonly source: string
  /** RFC 3339, empty where nothing says. */
  readonly asOf: string
  readonly cause: Member['cause']
}

/** What `fleetctl wait` prints in the end. Fields are only ever added within v1. */
export interface WaitResult {
  readonly apiVersion: typeof API_VERSION
  readonly kind: 'WaitResult'
  readonly version: string
  readonly startedAt: string
  readonly finishedAt: string
  readonly source: SourceInfo
  /** What was waited for: kind, names, goal. */
  readonly target: { readonly kind: Goal['kind']; readonly names: readonly string[] }
  readonly for: string
  readonly outcome: WaitOutcome
  /** The trouble that ended it, where it was not the members: empty otherwise. */
  readonly message: string
  readonly required: number
  readonly met: number
  readonly total: number
  readonly blockers: readonly Blocker[]
  /** `watch`, `poll` where a kind may not be watched, `once` for a recording. */
  readonly how: 'watch' | 'poll' | 'once'
  /** How often the fleet was read. */
  readonly reads: number
}

const NOTHING: Verdict = { required: 1, met: 0, total: 0, isMet: false, isFailed: false, blockers: [], dipped: 0 }
const NO_SOURCE: SourceInfo = { type: 'live', name: '', now: '', problems: [], notes: [] }

interface Waited {
  readonly goal: Goal
  readonly targets: readonly Target[]
  readonly outcome: WaitOutcome
  readonly message?: string
  /** Undefined where the fleet was never read. */
  readonly verdict: Verdict | undefined
  readonly source: SourceInfo | undefined
  readonly how: WaitResult['how']
  readonly reads: number
  /** Epoch milliseconds. */
  readonly startedAt: number
  readonly finishedAt: number
}

export function waitResult(w: Waited): WaitResult {
  const { required, met, total, blockers } = w.verdict ?? NOTHING
  return {
    apiVersion: API_VERSION,
    kind: 'WaitResult',
    version: VERSION,
    startedAt: new Date(w.startedAt).toISOString(),
    finishedAt: new Date(w.finishedAt).toISOString(),
    source: w.source ?? NO_SOURCE,
    target: {
      kind: w.goal.kind,
      names: w.targets.map(t => (t.namespace === undefined ? t.name : `${t.namespace}/${t.name}`)),
    },
    for: goalText(w.goal),
    outcome: w.outcome,
    message: w.message ?? '',
    required,
    met,
    total,
    blockers: blockers.flatMap(blockerOf),
    how: w.how,
    reads: w.reads,
  }
}

function blockerOf({ subject, state, reason, source, asOf, cause }: Member): Blocker[] {
  if (state === 'met') return []
  const time = asOf === undefined ? '' : new Date(asOf).toISOString().replace('.000Z', 'Z')
  return [{ subject, state, reason, source, asOf: time, cause }]
}

const CODES: Readonly<Record<WaitOutcome, ExitCode>> = {
  met: EXIT.ok,
  timeout: EXIT.timeout,
  failed: EXIT.findings,
  'not-met': EXIT.findings,
  unknown: EXIT.incomplete,
  unreachable: EXIT.unreachable,
}

export function waitExitCode({ outcome }: WaitResult): ExitCode {
  return CODES[outcome]
}
