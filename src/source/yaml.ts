/*
 * js-yaml 5 reads, although `yaml` writes elsewhere. Recorded fleets of 0.3 to 0.8 MB took `yaml` 2.9 170 to 270 ms (its
 * fastest settings: 150), js-yaml 5 70 to 105 ms, js-yaml 4 45 to 70 ms (a fresh process each). Version 5 has what 4 lacks:
 * own types, a limit on aliases and on depth, and the whole YAML test suite. Both read YAML 1.2's core schema: timestamps,
 * `on` and `yes` stay strings, `0644` is decimal; `<<` is a key of its own in 1.2, but manifests written by hand use it.
 */
import { CORE_SCHEMA, loadAll, mergeTag, YAMLException } from 'js-yaml'
import type { Parsed } from './documents.ts'
import { type Chunk, countLines, documentsOf, type List, listOf, type Piece } from './yaml-split.ts'

const OPTIONS = {
  schema: CORE_SCHEMA.withTags(mergeTag),
  // Schemas inside CRDs nest deeper than the default of 100.
  maxDepth: 500,
  maxAliases: 1000,
}

/** A document up to this length is parsed at once, which is a third faster than item by item. */
const AT_ONCE = 1024 * 1024

/** A longer document that cannot be split takes more memory than a machine may have: some 10 bytes for each of its own. */
const LONGEST = 64 * 1024 * 1024

/**
 * All documents of a YAML text. A list in the usual layout (`items:` at the left margin, one dash per item) that is large or
 * has a syntax error comes in pieces, each as a list of its own: so the error costs one item instead of the file, and a
 * large file needs little memory.
 */
export function* parseYaml(text: string): Generator<Parsed> {
  for (const document of documentsOf(text)) {
    const whole = document.text.length <= AT_ONCE ? load(document) : undefined
    const list = whole === undefined || whole.some(isFailure) ? listOf(document, LONGEST) : undefined
    if (list !== undefined) yield* loadItems(list)
    else if (whole !== undefined) yield* whole
    else if (document.text.length <= LONGEST) yield* load(document)
    else yield { error: 'too large for one YAML document: convert it to JSON', line: document.line }
  }
}

function load(chunk: Chunk): Parsed[] {
  try {
    return loadAll(chunk.text, OPTIONS).map(value => ({ value }))
  } catch (error) {
    return [failure(error, chunk.line)]
  }
}

function isFailure(parsed: Parsed): boolean {
  return parsed.error !== undefined
}

/** Only js-yaml's own reason: its full message quotes the lines around the fault. Names of anchors and tags are left out. */
function failure(error: unknown, firstLine: number): Parsed {
  if (!(error instanceof YAMLException)) return { error: 'not valid YAML' }
  const reason = error.reason.replace(/\s*["<!].*$/s, '')
  const line = error.mark === undefined ? undefined : firstLine + error.mark.line
  return { error: `not valid YAML: ${reason}`, ...(line === undefined ? {} : { line }) }
}

/** A piece as a whole, or item by item when something in it is wrong. */
function* loadPiece(piece: Piece): Generator<Parsed> {
  const whole = load(piece)
  if (piece.starts.length === 1 || !whole.some(isFailure)) {
    yield* whole
    return
  }
  let line = piece.line
  for (const [i, start] of piece.starts.entries()) {
    const text = piece.text.slice(start, piece.starts[i + 1])
    yield* load({ text, line })
    line += countLines(text)
  }
}

function* loadItems(list: List): Generator<Parsed> {
  let envelope: unknown
  try {
    envelope = loadAll(list.envelope.text, OPTIONS)[0] ?? {}
  } catch (error) {
    yield failure(error, list.envelope.line)
    envelope = {}
  }
  if (!isList(envelope)) {
    yield* load(list.whole)
    return
  }
  for (const piece of list.items) {
    for (const parsed of loadPiece(piece))
      yield parsed.error === undefined ? { value: { ...envelope, items: parsed.value } } : parsed
  }
}

/** An object of another kind may have a field `items` too. */
function isList(value: unknown): value is Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false
  return !('kind' in value) || (typeof value.kind === 'string' && value.kind.endsWith('List'))
}
