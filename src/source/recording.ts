import { type KindName, kindOf, kindOfResource } from '../fleet/kinds.ts'
import { printable } from './printable.ts'

/** What the index of a recorded cluster says about one resource. */
interface IndexEntry {
  /** File beside the index; absent for an empty list. */
  readonly file: string | undefined
  readonly count: number | undefined
  /** Why the resource could not be read when the fleet was recorded. */
  readonly error: string | undefined
  /** Why the list is known to lack objects. */
  readonly incomplete: string | undefined
  /** Why nobody read the resource although it was served. */
  readonly notRecorded: string | undefined
  /** Namespaces that were read, where not all were. */
  readonly within: readonly string[] | undefined
}

/** The `index.yaml` of a recorded cluster: every resource that the server served, so that its silence means "not served". */
export interface RecordingIndex {
  readonly serverVersion: string | undefined
  /** Epoch milliseconds. */
  readonly readAt: number | undefined
  /** Why nothing of the cluster could be read when the fleet was recorded. */
  readonly error: string | undefined
  /** Were only those spokes to be recorded that have a folder? */
  readonly spokesNamed: boolean
  readonly entries: ReadonlyMap<KindName, readonly IndexEntry[]>
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}

/** The parsed index, or undefined where the document is something else (a Helm repository has an `index.yaml` too). */
export function parseIndex(value: unknown): RecordingIndex | undefined {
  if (typeof value !== 'object' || value === null || !('resources' in value) || !Array.isArray(value.resources))
    return undefined
  const head: {
    resources: unknown[]
    serverVersion?: unknown
    recordedAt?: unknown
    error?: unknown
    spokesNamed?: unknown
  } = { ...value, resources: value.resources }
  const readAt = Date.parse(text(head.recordedAt) ?? '')
  const entries = new Map<KindName, IndexEntry[]>()
  for (const item of head.resources) {
    if (typeof item !== 'object' || item === null) continue
    const kind = entryKind(item)
    if (kind === undefined) continue
    entries.set(kind, [...(entries.get(kind) ?? []), entry(item)])
  }
  return {
    serverVersion: text(head.serverVersion),
    readAt: Number.isNaN(readAt) ? undefined : readAt,
    error: reason(head.error),
    spokesNamed: head.spokesNamed === true,
    entries,
  }
}

function entryKind(item: { apiVersion?: unknown; kind?: unknown; resource?: unknown }): KindName | undefined {
  const apiVersion = text(item.apiVersion) ?? ''
  const byKind = kindOf(apiVersion, text(item.kind) ?? '')
  if (byKind !== undefined) return byKind
  const resource = text(item.resource) ?? ''
  const group = apiVersion.includes('/') ? apiVersion.slice(0, apiVersion.indexOf('/')) : ''
  return kindOfResource(group === '' ? resource : `${resource}.${group}`)
}

type RawEntry = Readonly<Partial<Record<'file' | 'count' | 'error' | 'incomplete' | 'notRecorded' | 'within', unknown>>>

function entry({ file, count, error, incomplete, notRecorded, within }: RawEntry): IndexEntry {
  const names = Array.isArray(within) ? within.filter(name => typeof name === 'string') : undefined
  return {
    file: text(file),
    count: typeof count === 'number' ? count : undefined,
    error: reason(error),
    incomplete: reason(incomplete),
    notRecorded: reason(notRecorded),
    within: names,
  }
}

function reason(value: unknown): string | undefined {
  if (value === undefined || value === null || value === false || value === '') return undefined
  return printable(typeof value === 'string' ? value : 'it could not be read when the fleet was recorded')
}
