import type { PartState, PartStatus } from '../agent/status/status.ts'
import { age } from './age.ts'
import { shorten, width } from './layout.ts'
import type { RenderOptions } from './options.ts'
import { oneLine } from './sanitize.ts'
import { table } from './table.ts'

/** State of a part in its colour. */
export function colouredPart(state: PartState, { style }: RenderOptions): string {
  if (state === 'ok') return style.green(state)
  return state === 'broken' ? style.red(state) : style.yellow(state)
}

/** Codes of what is wrong with a part; what is only worth knowing has none here. */
export function codesOf({ findings }: PartStatus): string {
  const codes = findings.filter(f => f.severity !== 'info').map(f => f.code)
  return [...new Set(codes)].join(',')
}

const GAPS = [2]
/** What is left for DETAIL at least. */
const DETAIL_LEAST = 30

/** A table whose last column, the detail, is shortened to what is left of the line. */
export function detailTable(
  head: readonly string[],
  rows: readonly (readonly string[])[],
  { headers, width: columns, symbols }: RenderOptions,
): string[] {
  if (rows.length === 0) return []
  const all = headers ? [head, ...rows] : rows
  const last = head.length - 1
  const widths = head.slice(0, last).map((_, i) => Math.max(...all.map(row => width(row[i] ?? ''))))
  const taken = widths.reduce((sum, w) => sum + w + 2, 0)
  const room = Math.max(DETAIL_LEAST, columns - taken)
  const fitted = rows.map(row => [...row.slice(0, last), shorten(oneLine(row[last] ?? ''), room, symbols.ellipsis)])
  return table(headers ? [head, ...fitted] : fitted, { gaps: GAPS })
}

/** Parts as a table: PART, STATE, AGE, CODE, DETAIL. */
export function partTable(parts: readonly PartStatus[], now: string, options: RenderOptions): string[] {
  const rows = parts.map(part => [
    part.part,
    colouredPart(part.state, options),
    part.since === '' ? '' : age(now, part.since),
    codesOf(part),
    part.message,
  ])
  return detailTable(['PART', 'STATE', 'AGE', 'CODE', 'DETAIL'], rows, options)
}
