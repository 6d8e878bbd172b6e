import { UsageError } from '../errors.ts'
import { compilePath, valueText } from './jsonpath.ts'
import type { RenderOptions } from './options.ts'
import { oneLine } from './sanitize.ts'
import { table } from './table.ts'

/**
 * `HEADER:PATH,HEADER:PATH` as kubectl takes it, over the rows of the document; a path may stand with or without braces
 * and leading dot. A row without the field shows `<none>`.
 *
 * @throws UsageError for a column without header or path
 */
export function compileColumns(spec: string): (rows: readonly object[], options: RenderOptions) => string {
  const columns = splitColumns(spec).map(column => {
    const cut = column.indexOf(':')
    const header = column.slice(0, cut)
    const path = column.slice(cut + 1)
    if (cut < 1 || path === '') {
      throw new UsageError(`column "${column}" of -o custom-columns is not HEADER:PATH, such as CODE:.code`)
    }
    return { header, find: compilePath(path) }
  })
  return (rows, options) => {
    const body = rows.map(row => columns.map(column => cell(column.find(row))))
    const lines = table(options.headers ? [columns.map(column => column.header), ...body] : body)
    return lines.map(line => `${line}\n`).join('')
  }
}

/** Splits at commas outside brackets and quotes: a path may hold them. */
function splitColumns(spec: string): string[] {
  return spec.match(/(?:\[[^\]]*\]|'[^']*'|"[^"]*"|[^,])+/g) ?? []
}

function cell(values: readonly unknown[]): string {
  const text = oneLine(values.map(valueText).join(','))
  return text === '' ? '<none>' : text
}
