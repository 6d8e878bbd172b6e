import type { Evidence } from '../checks/check.ts'
import type { Fleet } from '../fleet/fleet.ts'
import { recordOf } from '../fleet/record-of.ts'
import type { Application, Base, Condition, ManifestWork } from '../fleet/records.ts'

/** Parts of the metadata that nobody can change: as old as the object. */
const FIXED = /^\.metadata\.(name|namespace|uid|creationTimestamp)$/
const CONDITION = /^\.status\.conditions\[([^\]]+)\]/
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

function transition(conditions: readonly Dated[], type: string): number | undefined {
  return conditions.find(c => c.type === type)?.since
}

/**
 * When a fact last changed, epoch milliseconds, as far as the object itself tells it: a condition by its
 * `lastTransitionTime`, an operation by the time at which it finished (one that runs may change at any moment), a deletion by
 * its timestamp, what cannot change by the creation. Undefined for everything else: spec, labels and plain status fields
 * carry no time, nor does what is not there.
 */
export function changedAt(fleet: Fleet, { subject, path }: Evidence): number | undefined {
  const record = recordOf(fleet, subject)
  if (record === undefined) return undefined
  const condition = CONDITION.exec(path)?.[1]
  if (condition !== undefined) return hasConditions(record) ? transition(record.conditions, condition) : undefined
  const [, kind, name, type] = MANIFEST_CONDITION.exec(path) ?? []
  if (type !== undefined && hasManifests(record)) {
    const manifests = record.manifestStatuses.filter(m => m.kind === kind && m.name === name)
    return manifests.length === 1 ? transition(manifests[0]?.conditions ?? [], type) : undefined
  }
  if (path.startsWith('.status.operationState') && hasOperation(record)) return record.operation?.finishedAt
  if (path === '.metadata.deletionTimestamp') return record.meta.deleting
  return FIXED.test(path) ? record.meta.created : undefined
}

/** The newest of these times; undefined where there is none, or where one of them is not known. */
export function newestOf(times: readonly (number | undefined)[]): number | undefined {
  let newest: number | undefined
  for (const time of times) {
    if (time === undefined) return undefined
    newest = Math.max(newest ?? time, time)
  }
  return newest
}
