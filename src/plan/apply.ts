import { EXIT } from '../errors.ts'
import { subjectText } from '../fleet/subject.ts'
import { KubeError } from '../kube/errors.ts'
import { type RawObject, textAt } from '../raw.ts'
import { awaitSignal, type Patience } from './awaiting.ts'
import type { ClusterClient } from './cluster-client.ts'
import { mergePatch, stepChanges } from './diff.ts'
import type { Before, Journal, Outcome, Run } from './journal.ts'
import type { ObjectStep, Plan, Step, WaitStep } from './plan.ts'
import { fingerprint } from './values.ts'

/** What became of one step. */
export interface StepResult {
  readonly step: Step
  readonly outcome: Outcome | 'skipped' | 'reached' | 'not-reached' | 'not-awaited' | 'failed' | 'not-tried'
  /** Why, for everything but a success. */
  readonly text: string
}

export interface ApplyResult {
  readonly results: readonly StepResult[]
  /** Every write was done, or was not needed. */
  readonly isWritten: boolean
  /** The step at which it stopped, and why. */
  readonly stopped:
    | {
        readonly step: Step
        readonly cause: 'failed' | 'timeout'
        /** The cluster did not answer, as opposed to saying no. */
        readonly isUnreachable: boolean
        readonly text: string
      }
    | undefined
  /** The last step before a pause that was asked for. */
  readonly paused: Step | undefined
}

interface ApplyOptions {
  readonly client: ClusterClient
  /** Undefined for a plan that writes nothing. */
  readonly journal: Journal | undefined
  /** An earlier run of the same plan that is being resumed. */
  readonly run?: Run | undefined
  /** False: signals are not waited for. */
  readonly wait: boolean
  /** Steps to leave out, with the reason. */
  readonly skip: ReadonlyMap<number, string>
  readonly patience: Omit<Patience, 'onChange' | 'limitMs'>
  /** Longest wait for a step, in milliseconds. */
  limitMs(step: WaitStep): number
  /** Number of the step after which to stop, as if the rest were not there yet. */
  readonly pauseAfter?: number | undefined
  onStep(result: StepResult): void
  onWait(step: WaitStep, blockers: readonly string[]): void
}

/** Thrown for a step that must not be done as it was planned. */
class StepRefused extends Error {}

/** A status that is written again and again changes the resourceVersion between reading and writing. */
const MOST_TRIES = 6

/**
 * Carries out a plan, step by step: each write is announced in the journal first, guarded by the state that it was planned
 * for, and skipped where the object is already as it is wanted. Stops at the first step that fails; what was done stays
 * done, and the journal tells how to go on or back.
 *
 * Throws only when the user stops it.
 */
export async function applyPlan(plan: Plan, options: ApplyOptions): Promise<ApplyResult> {
  const results: StepResult[] = []
  let stopped: ApplyResult['stopped']
  let paused: Step | undefined
  const add = (result: StepResult): void => {
    results.push(result)
    options.onStep(result)
  }
  for (const step of plan.steps) {
    options.patience.signal.throwIfAborted()
    const previous = results.at(-1)?.step
    if (stopped === undefined && previous !== undefined && previous.number === options.pauseAfter) paused = previous
    if (stopped !== undefined || paused !== undefined) {
      add({ step, outcome: 'not-tried', text: '' })
      continue
    }
    if (step.type === 'wait') {
      const result = await waitFor(step, options)
      add(result)
      if (result.outcome === 'not-reached')
        stopped = { step, cause: 'timeout', isUnreachable: false, text: result.text }
      continue
    }
    const why = options.skip.get(step.number)
    if (why !== undefined) {
      add({ step, outcome: 'skipped', text: why })
      continue
    }
    try {
      add({ step, outcome: await writeStep(step, options), text: '' })
    } catch (error) {
      if (!(error instanceof KubeError) && !(error instanceof StepRefused)) throw error
      if (error instanceof KubeError && error.failure === 'aborted') throw options.patience.signal.reason ?? error
      const text = error instanceof KubeError ? error.reason : error.message
      options.journal?.failed(step.number, text)
      add({ step, outcome: 'failed', text })
      stopped = {
        step,
        cause: 'failed',
        isUnreachable: error instanceof KubeError && error.exitCode === EXIT.unreachable,
        text,
      }
    }
  }
  const isWritten = results.every(
    r => r.step.type === 'wait' || !['failed', 'not-tried', 'skipped'].includes(r.outcome),
  )
  if (isWritten && stopped === undefined && paused === undefined) options.journal?.done()
  return { results, isWritten, stopped, paused }
}

async function waitFor(step: WaitStep, options: ApplyOptions): Promise<StepResult> {
  if (!options.wait) return { step, outcome: 'not-awaited', text: '' }
  try {
    const state = await awaitSignal(options.client, step.signal, {
      ...options.patience,
      limitMs: options.limitMs(step),
      onChange: blockers => options.onWait(step, blockers),
    })
    return state.holds
      ? { step, outcome: 'reached', text: '' }
      : { step, outcome: 'not-reached', text: state.blockers.join('; ') }
  } catch (error) {
    if (!(error instanceof KubeError) || error.failure === 'aborted') throw options.patience.signal.reason ?? error
    return { step, outcome: 'not-reached', text: error.reason }
  }
}

async function writeStep(step: ObjectStep, options: ApplyOptions): Promise<Outcome> {
  for (let tries = 1; ; tries++) {
    try {
      return await tryStep(step, options)
    } catch (error) {
      const isStale = error instanceof KubeError && error.failure === 'conflict' && !isFieldConflict(error)
      if (!isStale || tries >= MOST_TRIES) throw error
    }
  }
}

/** A 409 because of fields that others own, as opposed to one because the object has changed since it was read. */
function isFieldConflict(error: KubeError): boolean {
  return /Apply failed with \d+ conflict/.test(error.reason)
}

async function tryStep(step: ObjectStep, { client, journal, run }: ApplyOptions): Promise<Outcome> {
  const { subject, manifest, action, force } = step
  const seen = await client.look(subject)
  if (seen.state === 'unknown') throw new StepRefused(`${subjectText(subject)} cannot be read: ${seen.reason}`)
  if (seen.state === 'not-served') throw new StepRefused(`the hub does not serve ${subject.kind}`)
  const actual = seen.state === 'present' ? seen.object : undefined
  const uid = actual === undefined ? '' : textAt(actual, 'metadata', 'uid')
  if (action === 'delete') return deleteStep(step, actual, uid, client, journal)
  const changes = actual === undefined ? [] : stepChanges(step, actual)
  const began = run?.before.get(step.number)
  if (actual !== undefined && changes.length === 0) {
    // The write of a run that was killed before it could note it.
    if (began !== undefined && !run?.written.has(step.number)) {
      journal?.written(step.number, began === null ? 'created' : 'configured', uid)
      return began === null ? 'created' : 'configured'
    }
    return 'unchanged'
  }
  guard(step, actual, run)
  // Nothing is written that could not be taken back.
  if (journal === undefined) throw new StepRefused(`${subjectText(subject)} has been changed by somebody else`)
  const before: Before | null = actual === undefined ? null : { uid, changes }
  journal.intent(step.number, before)
  const expect =
    actual === undefined ? undefined : { uid, resourceVersion: textAt(actual, 'metadata', 'resourceVersion') }
  const written =
    step.removes !== undefined && expect !== undefined
      ? await client.patch(subject, mergePatch(changes), { expect })
      : await client.apply(subject, manifest, { force, ...(expect === undefined ? {} : { expect }) })
  const outcome = actual === undefined ? 'created' : 'configured'
  journal.written(step.number, outcome, textAt(written, 'metadata', 'uid'))
  return outcome
}

/** @throws StepRefused where the object is not what the step was planned for */
function guard(step: ObjectStep, actual: RawObject | undefined, run: Run | undefined): void {
  const { precondition, subject } = step
  const began = run?.before.has(step.number) === true
  if (precondition.state === 'absent') {
    if (actual !== undefined && !began) throw new StepRefused(`${subjectText(subject)} has been made by somebody else`)
    return
  }
  if (precondition.state === 'unknown') throw new StepRefused(`${subjectText(subject)}: ${precondition.reason}`)
  if (actual === undefined) throw new StepRefused(`${subjectText(subject)} is gone`)
  if (step.undoes !== undefined && textAt(actual, 'metadata', 'uid') === precondition.uid) return
  if (!began && fingerprint(actual) !== precondition.fingerprint) {
    throw new StepRefused(`${subjectText(subject)} has been changed by somebody else`)
  }
}

async function deleteStep(
  step: ObjectStep,
  actual: RawObject | undefined,
  uid: string,
  client: ClusterClient,
  journal: Journal | undefined,
): Promise<Outcome> {
  const { precondition, subject, number } = step
  if (actual === undefined) return 'unchanged'
  if (precondition.state === 'present' && uid !== precondition.uid) {
    throw new StepRefused(`${subjectText(subject)} is another object by now`)
  }
  journal?.intent(number, { uid, changes: [] })
  await client.remove(subject, { uid })
  journal?.written(number, 'deleted', uid)
  return 'deleted'
}
