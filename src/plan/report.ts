import { API_VERSION } from '../checks/report.ts'
import type { Subject } from '../fleet/subject.ts'
import { VERSION } from '../version.ts'
import type { ApplyResult } from './apply.ts'
import type { Plan } from './plan.ts'
import type { RevertResult } from './revert.ts'

/** What came of applying a plan, as scripts see it. Fields are only ever added within v1. */
export interface ApplyReport {
  readonly apiVersion: typeof API_VERSION
  readonly kind: 'ApplyReport'
  readonly version: string
  readonly title: string
  /** Id of the run, for `plan show` and `plan revert`; empty for a dry run. */
  readonly run: string
  readonly journal: string
  readonly dryRun: boolean
  readonly results: readonly StepReport[]
  /** Why it stopped; empty when it did not. */
  readonly stopped: string
  /** What the checks found where a signal did not come, root causes first. */
  readonly causes: readonly string[]
  /** Whether what was built delivers; null where that was not looked at. */
  readonly delivery: Delivered | null
}

/** What became of the Applications of an ApplicationSet that a plan made. */
export interface Delivered {
  readonly applicationSet: Subject
  readonly applications: number
  /** What keeps them from having arrived, one clause each; empty when all have. */
  readonly blockers: readonly string[]
}

export interface StepReport {
  readonly number: number
  /** Object that was written; null for a wait. */
  readonly subject: Subject | null
  readonly outcome: string
  readonly text: string
}

/** What became of a plan, as `-o json` gives it. */
export function applyReport(
  plan: Plan,
  result: Pick<ApplyResult, 'results' | 'stopped'>,
  run: { readonly id: string; readonly path: string },
  dryRun: boolean,
  delivery: Delivered | null = null,
  causes: readonly string[] = [],
): ApplyReport {
  return {
    apiVersion: API_VERSION,
    kind: 'ApplyReport',
    version: VERSION,
    title: plan.title,
    run: run.id,
    journal: run.path,
    dryRun,
    results: result.results.map(({ step, outcome, text }) => ({
      number: step.number,
      subject: step.type === 'object' ? step.subject : null,
      outcome,
      text: step.type === 'object' ? text : `${step.text}${text === '' ? '' : `: ${text}`}`,
    })),
    stopped: result.stopped?.text ?? '',
    causes,
    delivery,
  }
}

/** What came of taking a run back. */
export interface RevertReport {
  readonly apiVersion: typeof API_VERSION
  readonly kind: 'RevertReport'
  readonly version: string
  readonly run: string
  readonly dryRun: boolean
  readonly results: readonly (StepReport & {
    /** Fields that were put back, and those that were left with the reason. */
    readonly restored: readonly string[]
    readonly left: readonly { readonly path: string; readonly why: string }[]
  })[]
}

/** What became of a revert, as `-o json` gives it. */
export function revertReport(run: string, results: readonly RevertResult[], dryRun: boolean): RevertReport {
  return {
    apiVersion: API_VERSION,
    kind: 'RevertReport',
    version: VERSION,
    run,
    dryRun,
    results: results.map(({ step, outcome, text }) => ({
      number: step.step.number,
      subject: step.step.subject,
      outcome,
      text: text === '' ? step.text : text,
      restored: step.restores.map(change => change.path),
      left: step.leaves,
    })),
  }
}
