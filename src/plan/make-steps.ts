import type { Fleet } from '../fleet/fleet.ts'
import { KINDS, kindCalled } from '../fleet/kinds.ts'
import type { Subject } from '../fleet/subject.ts'
import { isObject, type RawObject, textAt, valueAt, withValueAt } from '../raw.ts'
import { FIELD_MANAGER, type FieldChange, stepChanges } from './diff.ts'
import { appliedBy, atomicMaps } from './managed-fields.ts'
import { apiVersion, type Manifest, subjectOf } from './object.ts'
import type { ObjectReader, Seen } from './object-reader.ts'
import { type GitOpsOwner, gitOpsOwner } from './owner.ts'
import type { Action, ObjectStep, Precondition, Reversible, Risk, Step } from './plan.ts'
import { policyOwners } from './policy-owner.ts'
import { type Signal, signalText } from './signal.ts'
import { fingerprint, holds, merge } from './values.ts'

/** An object as somebody wants it, with what a person should know about it. */
export interface Want {
  readonly type: 'object'
  readonly section: string
  readonly manifest: Manifest
  /** `hub`, or a ManagedCluster's name. Default: the hub. */
  readonly cluster?: string
  /** The object belongs to others; only these fields of it are wanted. */
  readonly shared?: boolean
  readonly why: string
  readonly risk?: Risk
  /** Default: creation and change can both be taken back. */
  readonly reversible?: Reversible
  /** Fields of the object that are to go, whoever put them there. Only of one that is there. */
  readonly removes?: readonly (readonly string[])[]
  /**
   * Lists that a server takes as one value though their items have names: the items of the manifest take the places of their
   * namesakes, and all others stay. A list that is not named here is wanted as it stands in the manifest.
   */
  readonly items?: readonly { readonly list: readonly string[]; readonly by: string }[]
  /** Take the fields from whoever has them now. */
  readonly force?: boolean
}

/** An object that is to go; one that is not there is no step. */
export interface Removal {
  readonly type: 'delete'
  readonly section: string
  readonly subject: Subject
  /** uid of the object that was seen, for a source that does not keep it whole. */
  readonly uid: string
  readonly why: string
  readonly risk?: Risk
  readonly reversible?: Reversible
}

export interface Wait {
  readonly type: 'wait'
  readonly section: string
  readonly signal: Signal
  readonly why: string
  /** How long it is waited for unless the user says otherwise. */
  readonly limitSeconds?: number
}

const NO_RISK: Risk = { level: 'none', text: '' }

/** The list that is there with the wanted items in the places of their namesakes, and new ones behind. */
function withItems(there: unknown, wanted: readonly unknown[], by: string): readonly unknown[] {
  const keyOf = (item: unknown): unknown => valueAt(item, by)
  const kept = (Array.isArray(there) ? there : []).map(
    (item: unknown) => wanted.find(w => keyOf(w) === keyOf(item)) ?? item,
  )
  return [...kept, ...wanted.filter(item => !kept.includes(item))]
}

/**
 * The manifest that is sent for an object that is there: with what fleetctl applied to an object of others before, which it
 * would give up otherwise, with atomic maps as they are where they say what is wanted already, and with the other items of
 * lists of which only one is wanted.
 */
function fitted({ manifest, shared = false, items = [] }: Want, actual: RawObject): Manifest {
  let fit: unknown = shared ? merge(appliedBy(actual, FIELD_MANAGER), manifest) : manifest
  for (const keys of atomicMaps(manifest.kind)) {
    const there = valueAt(actual, ...keys)
    const wanted = valueAt(manifest, ...keys)
    if (isObject(there) && wanted !== undefined && holds(there, wanted)) fit = withValueAt(fit, keys, there)
  }
  for (const { list, by } of items) {
    const wanted = valueAt(manifest, ...list)
    if (Array.isArray(wanted)) fit = withValueAt(fit, list, withItems(valueAt(actual, ...list), wanted, by))
  }
  // All steps keep the manifest's shape: they only add fields to it.
  return fit as Manifest
}

function preconditionOf(seen: Seen): Precondition {
  switch (seen.state) {
    case 'present':
      return {
        state: 'present',
        uid: textAt(seen.object, 'metadata', 'uid'),
        resourceVersion: textAt(seen.object, 'metadata', 'resourceVersion'),
        fingerprint: fingerprint(seen.object),
      }
    case 'unknown':
      return seen
    default:
      return { state: 'absent' }
  }
}

function reversibleOf(action: Action, shared: boolean): Reversible {
  if (action === 'unchanged') return { yes: true, text: 'nothing is changed' }
  if (action === 'create') return { yes: true, text: 'revert deletes it while nobody else has changed it' }
  const whose = shared ? 'the fields that it sets' : 'the former fields'
  return { yes: true, text: `revert puts back ${whose} where nobody has changed them since` }
}

/** Who keeps an object, where the object itself does not tell. */
type OwnerOf = (subject: Subject) => GitOpsOwner | undefined

function objectStep(want: Want, seen: Seen, number: number, ownerOf: OwnerOf): ObjectStep {
  const { section, why, risk = NO_RISK, shared = false, force = false } = want
  const actual = seen.state === 'present' ? seen.object : undefined
  const { removes } = want
  const patch = removes === undefined ? {} : { removes }
  const manifest = actual === undefined || removes !== undefined ? want.manifest : fitted(want, actual)
  const changes: readonly FieldChange[] = actual === undefined ? [] : stepChanges({ manifest, ...patch }, actual)
  const action: Action = actual === undefined ? 'create' : changes.length === 0 ? 'unchanged' : 'configure'
  const subject = subjectOf(want.cluster ?? 'hub', manifest)
  const isKept = actual !== undefined && action !== 'unchanged'
  const owner = isKept ? (ownerOf(subject) ?? gitOpsOwner(actual)) : undefined
  return {
    type: 'object',
    number,
    section,
    subject,
    action,
    manifest,
    shared,
    ...patch,
    changes,
    why,
    risk: action === 'unchanged' ? NO_RISK : risk,
    reversible: want.reversible ?? reversibleOf(action, shared),
    precondition: preconditionOf(seen),
    ...(owner === undefined ? {} : { owner }),
    force,
  }
}

function deleteStep(removal: Removal, object: RawObject, number: number, ownerOf: OwnerOf): ObjectStep {
  const { section, subject, why, risk = NO_RISK } = removal
  const { namespace, name } = subject
  const owner = ownerOf(subject) ?? gitOpsOwner(object)
  return {
    type: 'object',
    number,
    section,
    subject,
    action: 'delete',
    manifest: {
      apiVersion: textAt(object, 'apiVersion'),
      kind: subject.kind,
      metadata: { name, ...(namespace === '' ? {} : { namespace }) },
    },
    shared: false,
    changes: [],
    why,
    risk,
    reversible: removal.reversible ?? { yes: false, text: 'what is deleted is not brought back' },
    precondition: preconditionOf({ state: 'present', object }),
    // Whoever made it for its owner would only bring back what the owner wants.
    ...(owner === undefined || owner.by === 'controller' ? {} : { owner }),
    force: false,
  }
}

/** An object of which no more is known than that it was there. */
function seenAs({ subject: { kind, namespace, name }, uid }: Removal): RawObject {
  const known = kindCalled(kind)
  const version = known === undefined ? 'v1' : apiVersion(known, KINDS[known].versions[0] ?? 'v1')
  return { apiVersion: version, kind, metadata: { name, ...(namespace === '' ? {} : { namespace }), uid } }
}

/**
 * Compares each wanted object with the one that is there, in order.
 *
 * @param fleet what was read of it, for what keeps objects besides what they tell of themselves
 */
export async function makeSteps(
  wanted: readonly (Want | Wait | Removal)[],
  reader: ObjectReader,
  fleet: Fleet,
): Promise<readonly Step[]> {
  const steps: Step[] = []
  const ownerOf = policyOwners(fleet)
  for (const want of wanted) {
    const number = steps.length + 1
    if (want.type === 'delete') {
      const seen = await reader.look(want.subject)
      if (seen.state === 'present') steps.push(deleteStep(want, seen.object, number, ownerOf))
      else if (seen.state === 'unknown') steps.push(deleteStep(want, seenAs(want), number, ownerOf))
      continue
    }
    if (want.type === 'wait') {
      const { section, signal, why, limitSeconds } = want
      const text = `until ${signalText(signal)}`
      const limit = limitSeconds === undefined ? {} : { limitSeconds }
      steps.push({ type: 'wait', number, section, signal, text, why, ...limit })
      continue
    }
    const seen = await reader.look(subjectOf(want.cluster ?? 'hub', want.manifest))
    steps.push(objectStep(want, seen, number, ownerOf))
  }
  return steps
}

/** Steps of several makings as those of one plan, numbered from 1. */
export function numbered(steps: readonly Step[]): readonly Step[] {
  return steps.map((step, i) => ({ ...step, number: i + 1 }))
}
