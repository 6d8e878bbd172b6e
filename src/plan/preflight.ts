import { subjectText } from '../fleet/subject.ts'
import { KubeError } from '../kube/errors.ts'
import type { ClusterClient } from './cluster-client.ts'
import { mergePatch, stepChanges } from './diff.ts'
import type { Run } from './journal.ts'
import { accessText, permissionsOf } from './permissions.ts'
import { type ObjectStep, objectSteps, openGates, type Plan, writes } from './plan.ts'
import { fingerprint } from './values.ts'

/** Why a plan, or one step of it, must not be carried out. */
export interface Refusal {
  readonly reason: 'gate' | 'other-hub' | 'moved' | 'forbidden' | 'rejected' | 'not-seen'
  /** Step that it is about; undefined for the whole plan. */
  readonly step?: ObjectStep
  readonly text: string
}

/** Dangers that nobody has accepted, and a hub that is not the plan's: nothing is asked of the cluster for these. */
export function refusedOutright(plan: Plan, hub: string): readonly Refusal[] {
  const gates = openGates(plan).map((gate): Refusal => {
    const open = gate.flag === '' ? 'nothing opens it' : `accept it with ${gate.flag}`
    return { reason: 'gate', text: `${gate.code}: ${gate.text} (${open})` }
  })
  const { target } = plan
  if (target.type !== 'live') {
    return [{ reason: 'other-hub', text: `the plan was made from a ${target.type}, not from this hub` }, ...gates]
  }
  if (target.hub === '' || target.hub === hub) return gates
  return [{ reason: 'other-hub', text: `the plan was made for another hub (${target.name})` }, ...gates]
}

/** Is the object of a step still what the plan was made for? With a run, what the run itself wrote is no change. */
export async function moved(client: ClusterClient, plan: Plan, run: Run | undefined): Promise<readonly Refusal[]> {
  const refusals: Refusal[] = []
  for (const step of objectSteps(plan)) {
    const { precondition, subject, action } = step
    // The earlier step that it takes back speaks for both.
    if (step.undoes !== undefined) continue
    if (precondition.state === 'unknown') {
      refusals.push({
        reason: 'not-seen',
        step,
        text: `${subjectText(subject)} could not be read: ${precondition.reason}`,
      })
      continue
    }
    const seen = await client.look(subject)
    if (seen.state === 'unknown' || seen.state === 'not-served') {
      const why = seen.state === 'unknown' ? seen.reason : 'the hub does not serve its kind'
      refusals.push({ reason: 'not-seen', step, text: `${subjectText(subject)}: ${why}` })
      continue
    }
    const actual = seen.state === 'present' ? seen.object : undefined
    // Already as the step leaves it: by this run, by an earlier one, or by somebody with the same wish.
    const isReached = actual !== undefined && action !== 'delete' && stepChanges(step, actual).length === 0
    if (isReached) continue
    const began = run?.before.has(step.number) === true
    if (precondition.state === 'absent') {
      if (actual !== undefined && !began) {
        refusals.push({ reason: 'moved', step, text: `${subjectText(subject)} has been made by somebody else` })
      }
      continue
    }
    if (actual === undefined) {
      if (action !== 'delete') refusals.push({ reason: 'moved', step, text: `${subjectText(subject)} is gone` })
      continue
    }
    if (fingerprint(actual) !== precondition.fingerprint) {
      refusals.push({ reason: 'moved', step, text: `${subjectText(subject)} has been changed by somebody else` })
    }
  }
  return refusals
}

/** Rights that are missing, each with its first step. */
export async function forbidden(client: ClusterClient, plan: Plan): Promise<readonly Refusal[]> {
  const refusals: Refusal[] = []
  for (const { step, access } of permissionsOf(plan)) {
    if ((await client.allowed(access)) === false) {
      refusals.push({ reason: 'forbidden', step, text: `you may not ${accessText(access)}` })
    }
  }
  return refusals
}

/** What became of a dry run of one step: undefined where it could not be tried yet. */
type DryRun = { readonly step: ObjectStep; readonly refusal: Refusal | undefined; readonly tried: boolean }

/**
 * Lets the server check and admit every write without keeping it. What needs an object of an earlier step (its namespace)
 * cannot be tried before that is there.
 */
export async function dryRun(client: ClusterClient, plan: Plan): Promise<readonly DryRun[]> {
  const made = new Set(
    writes(plan)
      .filter(step => step.subject.kind === 'Namespace' && step.action === 'create')
      .map(step => step.subject.name),
  )
  const results: DryRun[] = []
  for (const step of writes(plan)) {
    if (step.action === 'delete' || made.has(step.subject.namespace)) {
      results.push({ step, refusal: undefined, tried: false })
      continue
    }
    try {
      if (step.removes === undefined) {
        await client.apply(step.subject, step.manifest, { dryRun: true, force: step.force })
      } else await client.patch(step.subject, mergePatch(step.changes), { dryRun: true })
      results.push({ step, refusal: undefined, tried: true })
    } catch (error) {
      if (!(error instanceof KubeError)) throw error
      // A webhook without dry-run support says nothing about the write itself.
      const cannotTell = /does not support dry run/.test(error.reason)
      const isVerdict = error.failure === 'rejected' || error.failure === 'conflict' || error.failure === 'forbidden'
      if (!isVerdict) throw error
      const refusal: Refusal = { reason: 'rejected', step, text: `${subjectText(step.subject)}: ${error.reason}` }
      results.push({ step, refusal: cannotTell ? undefined : refusal, tried: !cannotTell })
    }
  }
  return results
}
