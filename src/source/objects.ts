import { KINDS, type KindName, kindOf } from '../fleet/kinds.ts'
import { isObject, typeName } from '../raw.ts'

/** What is found in a document. */
interface ObjectVisitor {
  /** An object of a kind of the chain. */
  object(kind: KindName, raw: object): void
  /** A list of that kind was there, with or without objects. */
  list(kind: KindName): void
  /** Something is odd; nothing is lost. */
  odd(message: string): void
  /** Objects are missing or could not be used: of that kind, or of an unknown kind. */
  lost(kind: KindName | undefined, message: string): void
  /** A document that is no Kubernetes object at all. */
  foreign(): void
}

/** A List of Lists is accepted by kubectl; deeper nesting occurs only in files made to harm. */
const LIST_DEPTH = 2

/** Group and kind of a raw object as a kind of the chain, or undefined. */
function kindOfRaw(raw: object): KindName | undefined {
  if (!('apiVersion' in raw && 'kind' in raw)) return undefined
  const { apiVersion, kind } = raw
  return typeof apiVersion === 'string' && typeof kind === 'string' ? kindOf(apiVersion, kind) : undefined
}

/**
 * Every object in a parsed document: a single object, a `List` or `<Kind>List`, or a JSON array of those. Other kinds and
 * documents that are no Kubernetes objects are passed over. Items are dropped from the list as they are handed over, so that
 * a large list does not stay in memory.
 *
 * @param expected the kind that the file's place or name promises: it stands in for a missing `kind`, as lists of a raw API
 *   answer leave it out of their items.
 */
export function visitObjects(value: unknown, expected: KindName | undefined, visitor: ObjectVisitor): void {
  visit(value, expected, visitor, 0)
}

function visit(value: unknown, expected: KindName | undefined, visitor: ObjectVisitor, depth: number): void {
  if (Array.isArray(value)) {
    // Any JSON array may lie about in a folder: only a promise makes its oddities worth telling.
    if (depth < LIST_DEPTH) visitItems(value, expected, undefined, visitor, depth, expected !== undefined)
    else visitor.lost(expected, 'lists inside lists: not read')
    return
  }
  if (!isObject(value)) {
    // An empty document between two `---` is usual.
    if (value !== null && value !== undefined) visitor.foreign()
    return
  }
  const kind = 'kind' in value ? value.kind : undefined
  const isList = 'items' in value && (kind === undefined || (typeof kind === 'string' && kind.endsWith('List')))
  if (isList) {
    visitList(value, expected, visitor, depth)
    return
  }
  const name = kindOfRaw(value) ?? (kind === undefined && 'metadata' in value ? expected : undefined)
  if (name !== undefined) visitor.object(name, value)
  else if (kind === undefined) visitor.foreign()
}

function visitList(
  list: { items?: unknown; kind?: unknown; apiVersion?: unknown; metadata?: unknown },
  expected: KindName | undefined,
  visitor: ObjectVisitor,
  depth: number,
): void {
  const own = typeof list.kind === 'string' && list.kind !== 'List' ? list.kind.slice(0, -'List'.length) : undefined
  // A tool that wraps items in a list of its own may give it a wrong apiVersion; the items know better.
  const promised = own === undefined || own === expected ? expected : undefined
  const kind = (own === undefined ? undefined : kindOfRaw({ apiVersion: list.apiVersion, kind: own })) ?? promised
  if (kind !== undefined) visitor.list(kind)
  // A list of another kind, or data of no Kubernetes API at all: its objects count, its oddities do not.
  const ours = kind !== undefined || list.kind === 'List'
  const { items, metadata } = list
  if (Array.isArray(items)) {
    if (depth < LIST_DEPTH) visitItems(items, kind, own === undefined ? undefined : kind, visitor, depth, ours)
    else visitor.lost(kind, 'lists inside lists: not read')
  } else if (ours) {
    if (items === null || items === undefined)
      visitor.odd('`items` is null where a list should be: taken as an empty list')
    else visitor.lost(kind, `\`items\` is ${typeName(items)} where a list should be`)
  }
  const more = isObject(metadata) && 'continue' in metadata ? metadata.continue : undefined
  if (ours && typeof more === 'string' && more !== '')
    visitor.lost(kind, 'the list is one page of several (`metadata.continue` is set)')
}

function visitItems(
  items: unknown[],
  expected: KindName | undefined,
  typed: KindName | undefined,
  visitor: ObjectVisitor,
  depth: number,
  strict: boolean,
): void {
  let odd = 0
  let example = ''
  for (let i = 0; i < items.length; i++) {
    const item = items[i]
    items[i] = undefined
    if (!isObject(item) && !(Array.isArray(item) && depth < LIST_DEPTH)) {
      odd++
      example ||= `item ${i + 1} is ${typeName(item)}`
    } else if (typed !== undefined && isObject(item) && !('kind' in item)) visitor.object(typed, item)
    else visit(item, expected, visitor, depth + 1)
  }
  if (odd > 0 && strict)
    visitor.lost(expected, `${odd === 1 ? '' : `${odd} items of the list are no objects: `}${example}`)
}

/** Namespace (`''` for cluster-scoped kinds) and name of a raw object; undefined where it has no usable name. */
export function nameOf(
  kind: KindName,
  raw: object,
): { namespace: string; name: string; resourceVersion: string } | undefined {
  if (!('metadata' in raw) || !isObject(raw.metadata)) return undefined
  const meta: { name?: unknown; namespace?: unknown; resourceVersion?: unknown } = raw.metadata
  if (typeof meta.name !== 'string' || meta.name === '') return undefined
  return {
    namespace: KINDS[kind].namespaced && typeof meta.namespace === 'string' ? meta.namespace : '',
    name: meta.name,
    resourceVersion: typeof meta.resourceVersion === 'string' ? meta.resourceVersion : '',
  }
}
