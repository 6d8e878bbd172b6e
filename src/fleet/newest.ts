import type { KindName } from './kinds.ts'
import type { Base, Condition } from './records.ts'

const TIME_FIELDS = ['lastUpdate', 'reconciledAt', 'renewed', 'lastSeen', 'started', 'lastRefresh'] as const

function later(a: number, b: unknown): number {
  return typeof b === 'number' && b > a ? b : a
}

/**
 * The newest time in the data that tells of something that has happened: what "now" means for files that do not say when they
 * were read. Times that lie ahead by design (expiry of tokens and certificates) do not count.
 */
export function newestTime(rows: ReadonlyMap<string, ReadonlyMap<KindName, readonly Base[]>>): number {
  let newest = 0
  for (const kinds of rows.values()) {
    for (const list of kinds.values()) {
      for (const record of list) {
        newest = later(later(newest, record.meta.created), record.meta.deleting)
        const fields = record as Base & { readonly [field: string]: unknown }
        for (const name of TIME_FIELDS) newest = later(newest, fields[name])
        const conditions = fields.conditions as readonly Condition[] | undefined
        if (Array.isArray(conditions)) for (const c of conditions) newest = later(newest, c.since)
        const operation = fields.operation as { startedAt?: number; finishedAt?: number } | undefined
        if (operation !== undefined) newest = later(later(newest, operation.startedAt), operation.finishedAt)
      }
    }
  }
  return newest
}
