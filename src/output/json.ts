import { API_VERSION } from '../checks/report.ts'
import { escapeUnsafe } from './sanitize.ts'

/** One JSON document, indented. Characters that a terminal acts upon are spelled as `\uXXXX`. */
export function toJson(document: object): string {
  return `${escapeUnsafe(JSON.stringify(document, null, 2))}\n`
}

/** One JSON object a line, each naming its kind. */
export function toJsonLines(rows: readonly object[], kind: string): string {
  return rows.map(row => `${escapeUnsafe(JSON.stringify({ apiVersion: API_VERSION, kind, ...row }))}\n`).join('')
}
