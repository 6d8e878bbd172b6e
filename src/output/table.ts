import { pad, width } from './layout.ts'

interface TableOptions {
  /** Blanks behind each column; the last value holds for all that follow. Default 3, as kubectl's tables. */
  readonly gaps?: readonly number[]
  /** Least width of a column, by index. */
  readonly least?: readonly (number | undefined)[]
}

/** A table without lines: columns as wide as their widest cell, nothing behind the last cell of a row. */
export function table(rows: readonly (readonly string[])[], { gaps = [3], least = [] }: TableOptions = {}): string[] {
  const widths: number[] = least.map(n => n ?? 0)
  for (const row of rows) {
    row.forEach((cell, i) => {
      widths[i] = Math.max(widths[i] ?? 0, width(cell))
    })
  }
  const gap = (i: number) => gaps[i] ?? gaps.at(-1) ?? 3
  return rows.map(row =>
    row
      .map((cell, i) => (i === row.length - 1 ? cell : pad(cell, (widths[i] ?? 0) + gap(i))))
      .join('')
      .trimEnd(),
  )
}
