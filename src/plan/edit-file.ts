import { isMap, LineCounter, parseAllDocuments } from 'yaml'
import { UsageError } from '../errors.ts'
import { KINDS, kindOf } from '../fleet/kinds.ts'
import { subject } from '../fleet/subject.ts'
import { isObject, type RawObject, textAt } from '../raw.ts'
import type { Manifest } from './object.ts'
import type { ObjectReader } from './object-reader.ts'
import { merge } from './values.ts'

/** Kinds that decide which clusters are selected and what is delivered to them: an edit may hold any of these. */
const EDITED = new Set([
  'Placement',
  'ManagedCluster',
  'ManagedClusterSet',
  'ManagedClusterSetBinding',
  'GitOpsCluster',
  'ApplicationSet',
])

const PLACEMENT_FIELDS = new Set([
  'clusterSets',
  'numberOfClusters',
  'predicates',
  'prioritizerPolicy',
  'tolerations',
  'decisionStrategy',
  'spreadPolicy',
  'sortBy',
  'scoreRateLimit',
])

interface EditFile {
  readonly objects: readonly RawObject[]
  /** Objects of other kinds, which change no selection: `Kind/name`. */
  readonly ignored: readonly string[]
}

/** Objects of a YAML file, lists taken apart. @throws UsageError with the line for what is no object */
function objectsOf(text: string, file: string): readonly RawObject[] {
  const lineCounter = new LineCounter()
  const objects: RawObject[] = []
  for (const document of parseAllDocuments(text, { lineCounter })) {
    if (!('contents' in document)) continue
    const [error] = document.errors
    if (error !== undefined) {
      const line = error.linePos?.[0].line
      throw new UsageError(`${file}${line === undefined ? '' : `:${line}`}: ${error.message.split('\n')[0] ?? ''}`)
    }
    if (document.contents === null) continue
    const value: unknown = document.toJS()
    if (!isMap(document.contents) || !isObject(value)) {
      const offset = document.contents.range?.[0] ?? 0
      throw new UsageError(`${file}:${lineCounter.linePos(offset).line}: expected a Kubernetes object`)
    }
    if (Array.isArray(value.items)) objects.push(...value.items.filter(isObject))
    else objects.push(value)
  }
  return objects
}

/** @throws UsageError for a field that the API server would refuse: left out silently it would select far more */
function checkPlacement(object: RawObject, file: string): void {
  const { spec } = object
  const unknown = isObject(spec) ? Object.keys(spec).find(key => !PLACEMENT_FIELDS.has(key)) : undefined
  if (unknown === undefined) return
  throw new UsageError(
    `${file}: Placement "${textAt(object, 'metadata', 'name')}" has no field "spec.${unknown}"; the API server refuses it`,
  )
}

/** Reads the objects of an edit. @param namespace for objects that name none */
export function readEdit(text: string, file: string, namespace: string | undefined): EditFile {
  const objects: RawObject[] = []
  const ignored: string[] = []
  for (const object of objectsOf(text, file)) {
    const apiVersion = textAt(object, 'apiVersion')
    const kind = kindOf(apiVersion, textAt(object, 'kind'))
    const name = textAt(object, 'metadata', 'name')
    if (kind === undefined || !EDITED.has(kind)) {
      ignored.push(`${textAt(object, 'kind') || 'an object without a kind'}/${name}`)
      continue
    }
    if (name === '') throw new UsageError(`${file}: a ${kind} has no metadata.name`)
    if (kind === 'Placement') checkPlacement(object, file)
    const own = textAt(object, 'metadata', 'namespace')
    if (own !== '' || !KINDS[kind].namespaced) objects.push(object)
    else if (namespace === undefined) {
      throw new UsageError(`${file}: ${kind} "${name}" names no namespace; pass -n`)
    } else objects.push({ ...object, metadata: { ...(isObject(object.metadata) ? object.metadata : {}), namespace } })
  }
  return { objects, ignored }
}

/**
 * The objects of an edit as they would be on the hub. A file replaces the spec of an object; of a ManagedCluster it adds to
 * what is there, since nobody writes a whole one.
 */
export async function editedObjects(edit: EditFile, reader: ObjectReader): Promise<readonly Manifest[]> {
  const edited: Manifest[] = []
  for (const object of edit.objects) {
    const kind = kindOf(textAt(object, 'apiVersion'), textAt(object, 'kind'))
    if (kind === undefined) continue
    const at = subject('hub', kind, textAt(object, 'metadata', 'namespace'), textAt(object, 'metadata', 'name'))
    const seen = await reader.look(at)
    const base: RawObject = seen.state === 'present' ? seen.object : {}
    const { spec: _, ...rest } = base
    // Both have apiVersion, kind and metadata: the file was read for them.
    edited.push((kind === 'ManagedCluster' ? merge(base, object) : merge(rest, object)) as Manifest)
  }
  return edited
}
