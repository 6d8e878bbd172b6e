import { subjectText } from '../fleet/subject.ts'
import { KubeError } from '../kube/errors.ts'
import { isObject, type RawObject, textAt, valueAt, withValueAt } from '../raw.ts'
import type { ClusterClient } from './cluster-client.ts'
import { FIELD_MANAGER, type FieldChange, fieldChanges, mergePatch } from './diff.ts'
import type { Before, Journal, Run } from './journal.ts'
import { appliedBy, exactOwnersAt, managerNames, ownersAt } from './managed-fields.ts'
import { contentOf } from './namespace-content.ts'
import type { Manifest } from './object.ts'
import { type ObjectStep, objectSteps } from './plan.ts'
import { sameValue } from './values.ts'

/** What revert does about one step of a run. */
export interface RevertStep {
  readonly step: ObjectStep
  /** `leave`: somebody has changed it since, or it cannot be told whose it is. `gone`: nothing is left to do. */
  readonly action: 'delete' | 'restore' | 'leave' | 'gone'
  /** Fields that are put back, and fields that are left with the reason. */
  readonly restores: readonly FieldChange[]
  readonly leaves: readonly { readonly path: string; readonly why: string }[]
  /** What it means, or why it is left. */
  readonly text: string
  /** uid of the object that it was worked out for. */
  readonly uid: string
}

const nothing = { restores: [], leaves: [], uid: '' }

/** Who changed a field, as far as the object tells. */
function changedBy(actual: RawObject, keys: readonly string[]): string {
  const owners = ownersAt(actual, keys, FIELD_MANAGER)
  return owners.length === 0 ? 'changed since' : `changed since by ${owners.join(', ')}`
}

function isOurs(actual: RawObject, run: Run, step: ObjectStep): boolean {
  const written = run.written.get(step.number)
  if (written !== undefined) return written.uid === textAt(actual, 'metadata', 'uid')
  // Killed between write and note: the hand of fleetctl in the object tells.
  return managerNames(actual).includes(FIELD_MANAGER)
}

function revertCreation(step: ObjectStep, actual: RawObject, run: Run): RevertStep {
  const uid = textAt(actual, 'metadata', 'uid')
  if (!isOurs(actual, run, step))
    return { ...nothing, step, action: 'leave', text: 'another object of this name by now' }
  const foreign = fieldChanges(step.manifest, actual)
  if (foreign.length > 0) {
    const leaves = foreign.map(change => ({ path: change.path, why: changedBy(actual, change.keys) }))
    const text = `somebody has changed ${leaves.map(l => l.path).join(', ')}; delete it by hand if it is to go`
    return { ...nothing, step, action: 'leave', leaves, text, uid }
  }
  const others = step.reversible.text.startsWith('deleting') ? step.reversible.text : 'it was not there before'
  return { ...nothing, step, action: 'delete', text: others, uid }
}

function revertChanges(step: ObjectStep, actual: RawObject, { changes, uid }: Before): RevertStep {
  if (textAt(actual, 'metadata', 'uid') !== uid) {
    return { ...nothing, step, action: 'leave', text: 'another object of this name by now' }
  }
  const restores: FieldChange[] = []
  const leaves: { path: string; why: string }[] = []
  for (const change of changes) {
    const now = valueAt(actual, ...change.keys)
    // What was taken by force or by a patch left its former owner with the bare map above it, if with anything.
    const isTaken = step.force || step.removes !== undefined
    const owners = (isTaken ? exactOwnersAt : ownersAt)(actual, change.keys, FIELD_MANAGER)
    // As it was before: there is nothing to put back.
    if (sameValue(now, change.from)) continue
    if (!sameValue(now, change.to)) leaves.push({ path: change.path, why: changedBy(actual, change.keys) })
    else if (owners.length > 0) leaves.push({ path: change.path, why: `${owners.join(', ')} wants it so by now` })
    else restores.push(change)
  }
  const action = restores.length > 0 ? 'restore' : leaves.length > 0 ? 'leave' : 'gone'
  const text =
    action === 'gone' ? 'as it was before' : action === 'leave' ? 'changed since' : 'puts back what was before'
  return { step, action, restores, leaves, text, uid }
}

/** Works out how a run is taken back, last step first. Nothing is written. */
export async function planRevert(run: Run, client: ClusterClient): Promise<readonly RevertStep[]> {
  const steps: RevertStep[] = []
  for (const step of [...objectSteps(run.plan)].reverse()) {
    const before = run.before.get(step.number)
    // What it took back is taken back with the step that did it.
    if (before === undefined || step.undoes !== undefined) continue
    if (step.action === 'delete') {
      steps.push({ ...nothing, step, action: 'leave', text: 'it was deleted, which cannot be taken back' })
      continue
    }
    const seen = await client.look(step.subject)
    if (seen.state === 'unknown') {
      steps.push({ ...nothing, step, action: 'leave', text: `it cannot be read: ${seen.reason}` })
    } else if (seen.state !== 'present') {
      steps.push({
        ...nothing,
        step,
        action: 'gone',
        text: before === null ? 'it is gone already' : 'the object is gone',
      })
    } else if (before === null) steps.push(revertCreation(step, seen.object, run))
    else steps.push(revertChanges(step, seen.object, before))
  }
  return steps
}

function withoutKey(value: unknown, [key, ...rest]: readonly string[]): unknown {
  if (key === undefined || !isObject(value)) return value
  if (rest.length > 0) {
    const inner = withoutKey(value[key], rest)
    const isEmpty = isObject(inner) && Object.keys(inner).length === 0
    const { [key]: _, ...others } = value
    return isEmpty ? others : { ...value, [key]: inner }
  }
  const { [key]: _, ...others } = value
  return others
}

/**
 * Additions to a map that held nothing before. A server-side apply that gives them up makes the server put null in the
 * place of the map, which no definition takes; they are taken out one by one instead.
 */
function onlyContents({ restores }: RevertStep, actual: RawObject): readonly FieldChange[] {
  const added = restores.filter(({ change }) => change === 'add')
  const after = added.reduce<unknown>((object, { keys }) => withoutKey(object, keys), actual)
  return added.filter(({ keys }) => keys.length > 1 && valueAt(after, ...keys.slice(0, -1)) === undefined)
}

/** What fleetctl is to own of the object after the revert: the former values, and none of what it added. */
function revertManifest({ step, restores }: RevertStep, actual: RawObject): Manifest {
  const { apiVersion, kind, metadata } = step.manifest
  const { name, namespace } = metadata
  let fields: unknown = appliedBy(actual, FIELD_MANAGER)
  for (const { change, keys, from } of restores) {
    fields = change === 'add' ? withoutKey(fields, keys) : withValueAt(fields, keys, from)
  }
  const rest = isObject(fields) ? fields : {}
  const own = isObject(rest.metadata) ? rest.metadata : {}
  return {
    ...rest,
    apiVersion,
    kind,
    metadata: { ...own, name, ...(namespace === undefined ? {} : { namespace }) },
  }
}

export interface RevertResult {
  readonly step: RevertStep
  readonly outcome: 'deleted' | 'restored' | 'left' | 'gone' | 'failed' | 'not-tried'
  readonly text: string
}

/** Takes a run back as it was worked out; stops at the first step that fails. */
export async function applyRevert(
  steps: readonly RevertStep[],
  { client, journal, signal }: { client: ClusterClient; journal: Journal; signal: AbortSignal },
  onStep: (result: RevertResult) => void,
): Promise<readonly RevertResult[]> {
  const results: RevertResult[] = []
  let failed = false
  journal.reverting()
  for (const step of steps) {
    signal.throwIfAborted()
    let result: RevertResult
    try {
      result = failed ? { step, outcome: 'not-tried', text: '' } : await revertStep(step, client)
    } catch (error) {
      if (!(error instanceof KubeError)) throw error
      if (error.failure === 'aborted') throw signal.reason ?? error
      failed = true
      result = { step, outcome: 'failed', text: error.reason }
    }
    if (result.outcome !== 'not-tried') journal.reverted(step.step.number, result.outcome)
    results.push(result)
    onStep(result)
  }
  return results
}

async function revertStep(step: RevertStep, client: ClusterClient): Promise<RevertResult> {
  const { subject } = step.step
  switch (step.action) {
    case 'leave':
      return { step, outcome: 'left', text: step.text }
    case 'gone':
      return { step, outcome: 'gone', text: step.text }
    case 'delete': {
      const content = subject.kind === 'Namespace' ? await contentOf(client, subject.name) : []
      if (content.length > 0) {
        const what = `${content.slice(0, 3).join(', ')}${content.length > 3 ? ' and more' : ''}`
        return { step, outcome: 'left', text: `others have put something there: ${what}` }
      }
      await client.remove(subject, { uid: step.uid })
      return { step, outcome: 'deleted', text: '' }
    }
    case 'restore': {
      const seen = await client.look(subject)
      if (seen.state !== 'present') return { step, outcome: 'gone', text: `${subjectText(subject)} is gone` }
      if (step.step.removes !== undefined) {
        const expect = { uid: step.uid, resourceVersion: textAt(seen.object, 'metadata', 'resourceVersion') }
        await client.patch(subject, mergePatch(step.restores, true), { expect })
        return { step, outcome: 'restored', text: '' }
      }
      const versionOf = (object: RawObject): string => textAt(object, 'metadata', 'resourceVersion')
      const alone = onlyContents(step, seen.object)
      const rest = step.restores.filter(change => !alone.includes(change))
      let version = versionOf(seen.object)
      if (rest.length > 0) {
        const manifest = revertManifest({ ...step, restores: rest }, seen.object)
        const expect = { uid: step.uid, resourceVersion: version }
        version = versionOf(await client.apply(subject, manifest, { force: true, expect }))
      }
      if (alone.length > 0) {
        const fields = alone.map(change => change.keys)
        await client.takeOut(subject, fields, { uid: step.uid, resourceVersion: version })
      }
      return { step, outcome: 'restored', text: '' }
    }
  }
}
