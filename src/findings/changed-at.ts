import type { Evidence } from '../checks/check.ts'
import type { Fleet } from '../fleet/fleet.ts'
import { recordOf } from '../fleet/record-of.ts'
import type { Application, Base, Condition, Lease, ManifestWork } from '../fleet/records.ts'

const CONDITION = /^\.status\.conditions(?:\[([^\]]+)\])?(?:\.|$)/
const MANIFEST_CONDITION = /^\.status\.resourceStatus\.manifests\[(\S+) ([^\]]+)\]\.conditions\[([^\]]+)\]/

type Dated = Pick<Condition, 'type' | 'since'>

function hasConditions(record: Base): record is Base & { readonly conditions: readonly Dated[] } {
  return 'conditions' in record && Array.isArray(record.conditions)
}

function hasOperation(record: Base): record is Application {
  return 'operation' in record
}

function hasManifests(record: Base): record is ManifestWork {
  return 'manifestStatuses' in record
}

function isLease(record: Base): record is Lease {
  return 'renewed' in record
}

/** The newest transition of the conditions of a type; of all of them where no type is named. */
function transition(conditions: readonly Dated[], type: string | undefined): number | undefined {
  return newestOf(conditions.filter(c => type === undefined || c.type === type).map(c => c.since))
}

function manifestTransition({ manifestStatuses }: ManifestWork, match: readonly string[]): number | undefined {
  const [, kind, name, type] = match
  const manifests = manifestStatuses.filter(m => m.kind === kind && m.name === name)
  return newestOf(manifests.map(m => transition(m.conditions, type)))
}

/**
 * When a fact last changed, epoch milliseconds, where the object tells it: a condition by its `lastTransitionTime`, a sync by
 * the time at which it finished (one that runs may change at any moment), a deletion and what it waits for by its timestamp, a
 * lease by its renewal. Undefined for everything else: spec, labels and plain status fields carry no time, nor does what is
 * not there.
 */
export function changedAt(fleet: Fleet, { subject, path }: Evidence): number | undefined {
  const record = recordOf(fleet, subject)
  if (record === undefined) return undefined
  const condition = CONDITION.exec(path)
  if (condition !== null) return hasConditions(record) ? transition(record.conditions, condition[1]) : undefined
  const manifest = MANIFEST_CONDITION.exec(path)
  if (manifest !== null) return hasManifests(record) ? manifestTransition(record, manifest) : undefined
  if (path.startsWith('.status.operationState')) return hasOperation(record) ? record.operation?.finishedAt : undefined
  if (path === '.spec.renewTime') return isLease(record) ? record.renewed : undefined
  return path === '.metadata.deletionTimestamp' || path === '.metadata.finalizers' ? record.meta.deleting : undefined
}

/** The newest of these times; undefined where none is known. */
export function newestOf(times: readonly (number | undefined)[]): number | undefined {
  const known = times.filter(time => time !== undefined)
  return known.length === 0 ? undefined : known.reduce((a, b) => Math.max(a, b))
}
