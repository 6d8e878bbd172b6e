import { parseJson } from './json.ts'
import { parseYaml } from './yaml.ts'

/** One document of a file, or why there is none. Lines are 1-based. */
export type Parsed =
  | { readonly value: unknown; readonly error?: never }
  | { readonly error: string; readonly line?: number }

/** Text that failed as JSON is tried as YAML (which allows a trailing comma, say) up to this length. */
const YAML_TRIED_UP_TO = 8 * 1024 * 1024

/**
 * All documents of a file, one after the other: JSON, several JSON values in a row, or YAML. JSON is tried where the text
 * begins like it, as its parser is many times faster. Messages never quote the text: it may hold secrets.
 */
export function* parseDocuments(text: string): Generator<Parsed> {
  if (!/^\s*[{[]/.test(text)) {
    yield* parseYaml(text)
    return
  }
  const json = parseJson(text)
  if (!('broken' in json)) {
    yield* json.documents
    return
  }
  if (text.length <= YAML_TRIED_UP_TO) {
    const yaml = [...parseYaml(text)]
    if (yaml.every(document => document.error === undefined)) {
      yield* yaml
      return
    }
  }
  yield json.broken
}
