import type { Subject } from '../fleet/subject.ts'
import { FIELD_MANAGER, type FieldChange, fieldChanges } from './diff.ts'
import { appliedBy, atomicMaps } from './managed-fields.ts'
import { isRawObject, type Manifest, type RawObject, subjectOf, textAt, valueAt } from './object.ts'
import type { ObjectReader, Seen } from './object-reader.ts'
import { type GitOpsOwner, gitOpsOwner } from './owner.ts'
import type { Action, ObjectStep, Precondition, Reversible, Risk, Step } from './plan.ts'
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
  /** Take the fields from whoever has them now. */
  readonly force?: boolean
}

export interface Wait {
  readonly type: 'wait'
  readonly section: string
  readonly signal: Signal
  readonly why: string
}

/** Lists that a server takes as one value though their items have names, by kind: with the key that tells items apart. */
const KEYED: Readonly<Record<string, readonly { readonly keys: readonly string[]; readonly by: string }[]>> = {
  Subscription: [{ keys: ['spec', 'config', 'env'], by: 'name' }],
}

const NO_RISK: Risk = { level: 'none', text: '' }

/** Sets a nested value of a manifest. */
function withValue(value: unknown, [key, ...rest]: readonly string[], to: unknown): unknown {
  if (key === undefined) return to
  return isRawObject(value) ? { ...value, [key]: withValue(value[key], rest, to) } : value
}

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
function fitted({ manifest, shared = false }: Want, actual: RawObject): Manifest {
  let fit: unknown = shared ? merge(appliedBy(actual, FIELD_MANAGER), manifest) : manifest
  for (const keys of atomicMaps(manifest.kind)) {
    const there = valueAt(actual, ...keys)
    const wanted = valueAt(manifest, ...keys)
    if (isRawObject(there) && wanted !== undefined && holds(there, wanted)) fit = withValue(fit, keys, there)
  }
  for (const { keys, by } of KEYED[manifest.kind] ?? []) {
    const wanted = valueAt(manifest, ...keys)
    if (Array.isArray(wanted)) fit = withValue(fit, keys, withItems(valueAt(actual, ...keys), wanted, by))
  }
  // All steps keep the manifest's shape: they only add fields to it.
  return fit as Manifest
}

export function preconditionOf(seen: Seen): Precondition {
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
  const manifest = actual === undefined ? want.manifest : fitted(want, actual)
  const changes: readonly FieldChange[] = actual === undefined ? [] : fieldChanges(manifest, actual)
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
    changes,
    why,
    risk: action === 'unchanged' ? NO_RISK : risk,
    reversible: want.reversible ?? reversibleOf(action, shared),
    precondition: preconditionOf(seen),
    ...(owner === undefined ? {} : { owner }),
    force,
  }
}

/**
 * Compares each wanted object with the one that is there, in order.
 *
 * @param ownerOf who keeps an object besides those that it tells of itself
 */
export async function makeSteps(
  wanted: readonly (Want | Wait)[],
  reader: ObjectReader,
  ownerOf: OwnerOf = () => undefined,
): Promise<readonly Step[]> {
  const steps: Step[] = []
  for (const [i, want] of wanted.entries()) {
    const number = i + 1
    if (want.type === 'wait') {
      const { section, signal, why } = want
      steps.push({ type: 'wait', number, section, signal, text: `until ${signalText(signal)}`, why })
      continue
    }
    const seen = await reader.look(subjectOf(want.cluster ?? 'hub', want.manifest))
    steps.push(objectStep(want, seen, number, ownerOf))
  }
  return steps
}
