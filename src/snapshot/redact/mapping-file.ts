import { readFileSync, statSync } from 'node:fs'
import { API_VERSION } from '../../checks/report.ts'
import { SourceError } from '../../errors.ts'
import { isObject, textMap } from '../../raw.ts'
import type { RedactionMapping } from './redaction.ts'

const KIND = 'RedactionMapping'

/** The mapping as a file: what stood there before, and what stands there now. */
export function mappingText({ words, names, addresses }: RedactionMapping): string {
  return `${JSON.stringify({ apiVersion: API_VERSION, kind: KIND, words, names, addresses }, null, 2)}\n`
}

/**
 * The mapping of an earlier snapshot; undefined where there is no file.
 *
 * @throws SourceError for a file that is something else: it must not be written over
 */
export function readMapping(path: string): RedactionMapping | undefined {
  if (statSync(path, { throwIfNoEntry: false }) === undefined) return undefined
  let document: unknown
  try {
    document = JSON.parse(readFileSync(path, 'utf8'))
  } catch (cause) {
    throw new SourceError(`"${path}" is there and cannot be read as a mapping; name another file with --mapping`, {
      cause,
    })
  }
  if (!isObject(document) || document.kind !== KIND) {
    throw new SourceError(`"${path}" is there and no mapping of names; name another file with --mapping`)
  }
  const { words, names, addresses } = document
  return { words: textMap(words), names: textMap(names), addresses: textMap(addresses) }
}
