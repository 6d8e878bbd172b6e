import type { CheckList } from './documents.ts'
import { shorten, width } from './layout.ts'
import type { RenderOptions } from './options.ts'
import { table } from './table.ts'

/** Less room than this for titles, and they are left out. */
const TITLE_LEAST = 20

/** Checks as a table; on a narrow terminal titles are shortened, on a very narrow one there are none. */
export function renderCheckList(list: CheckList, options: RenderOptions): string {
  const { ellipsis } = options.symbols
  const head = options.headers ? [['CODE', 'SLUG', 'SEVERITY', 'CATEGORY', 'TITLE']] : []
  const rows = [...head, ...list.checks.map(c => [c.code, c.slug, c.severity, c.category, c.title])]
  const untitled = rows.map(row => row.slice(0, -1))
  const room = options.width - Math.max(0, ...table(untitled, { gaps: [2] }).map(width)) - 2
  const fitted = rows.map(row => row.map((cell, i) => (i === row.length - 1 ? shorten(cell, room, ellipsis) : cell)))
  return table(room < TITLE_LEAST ? untitled : fitted, { gaps: [2] })
    .map(line => `${line}\n`)
    .join('')
}

/** With the models that a check is for, what its machine fix is like, and the kinds that it reads. */
export function renderCheckListWide(list: CheckList, options: RenderOptions): string {
  const head = options.headers
    ? [['CODE', 'SLUG', 'SEVERITY', 'CATEGORY', 'MODELS', 'FIX', 'HUB', 'SPOKES', 'TITLE']]
    : []
  const names = (all: readonly string[]) => (all.length === 0 ? '<none>' : all.join(','))
  const rows = list.checks.map(({ code, slug, severity, category, models, reads, machineFix, title }) => [
    code,
    slug,
    severity,
    category,
    names(models),
    machineFix === null ? '<none>' : machineFix.safe ? 'safe' : 'risky',
    names(reads.hub),
    names(reads.spoke),
    title,
  ])
  return table([...head, ...rows], { gaps: [2] })
    .map(line => `${line}\n`)
    .join('')
}
