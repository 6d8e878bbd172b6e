import type { Category } from '../checks/check.ts'
import type { DoctorReport, ReportedFinding } from '../checks/report.ts'
import { folded } from './counts.ts'
import { count, pad } from './layout.ts'
import type { RenderOptions } from './options.ts'
import { oneLine } from './sanitize.ts'
import { table } from './table.ts'

/** Categories along the chain, as they are listed. */
export const CATEGORIES: readonly Category[] = [
  'clusters',
  'selection',
  'registration',
  'generation',
  'applications',
  'delivery',
  'spokes',
  'status',
  'agent',
  'addons',
  'settings',
]

interface Tally {
  readonly errors: number
  readonly warnings: number
  readonly infos: number
  readonly folded: number
  readonly unknown: number
  readonly passed: number
  readonly skipped: number
}

/** One line a category; in `wide` each of its checks below it. */
export function categoryLines(report: DoctorReport, options: RenderOptions, wide: boolean): string[] {
  const rows: { category: Category; line: string }[] = []
  for (const category of CATEGORIES) {
    const line = tallyText(tallyOf(report, category), options)
    if (line !== '') rows.push({ category, line })
  }
  if (rows.length === 0) return []
  const names = Math.max(...rows.map(row => row.category.length), 'CATEGORY'.length)
  const lines = options.headers ? [`${pad('CATEGORY', names)}   RESULT`] : []
  for (const row of rows) {
    lines.push(`${pad(row.category, names)}   ${row.line}`)
    if (wide) lines.push(...checkLines(report, row.category, options))
  }
  return lines
}

function tallyOf(report: DoctorReport, category: Category): Tally {
  const roots = report.findings.filter(finding => finding.category === category)
  const inside = report.findings.flatMap(folded).filter(finding => finding.category === category)
  const of = (severity: ReportedFinding['severity']) => roots.filter(finding => finding.severity === severity).length
  const codes = (checks: readonly { code: string; category: Category }[]) =>
    new Set(checks.filter(check => check.category === category).map(check => check.code)).size
  return {
    errors: of('error'),
    warnings: of('warning'),
    infos: of('info'),
    folded: inside.length,
    unknown: codes(report.unknown),
    passed: codes(report.passed),
    skipped: codes(report.skipped),
  }
}

function tallyText(tally: Tally, { style, symbols }: RenderOptions): string {
  const parts: string[] = []
  if (tally.errors > 0) parts.push(style.red(count(tally.errors, 'error')))
  if (tally.warnings > 0) parts.push(style.yellow(count(tally.warnings, 'warning')))
  if (tally.infos > 0) parts.push(style.cyan(count(tally.infos, 'info')))
  if (tally.folded > 0) parts.push(count(tally.folded, 'consequence'))
  if (tally.unknown > 0) parts.push(style.yellow(`${tally.unknown} unknown`))
  if (tally.passed > 0) parts.push(`${tally.passed} passed`)
  if (tally.skipped > 0) parts.push(style.dim(`${tally.skipped} skipped`))
  if (parts.length === 0) return ''
  return `${mark(tally, { style, symbols })}${parts.join(', ')}`
}

function mark(tally: Tally, { style, symbols }: Pick<RenderOptions, 'style' | 'symbols'>): string {
  if (tally.errors > 0) return style.red(symbols.fail)
  if (tally.warnings > 0) return style.yellow(symbols.warn)
  if (tally.unknown > 0) return style.yellow(symbols.unknown)
  if (tally.passed > 0) return style.green(symbols.pass)
  return symbols.skip
}

function checkLines(report: DoctorReport, category: Category, options: RenderOptions): string[] {
  const of = <T extends { category: Category }>(checks: readonly T[]) => checks.filter(c => c.category === category)
  const { symbols, style } = options
  const rows = [
    ...of(report.findings).map(c => [c.code, `${symbols.fail}${c.severity}`, c.slug, oneLine(c.message)]),
    ...of(report.unknown).map(c => [c.code, style.yellow(`${symbols.unknown}unknown`), c.slug, oneLine(c.reason)]),
    ...of(report.passed).map(c => [c.code, style.green(`${symbols.pass}passed`), c.slug, oneLine(c.title)]),
    ...of(report.skipped).map(c => [c.code, style.dim(`${symbols.skip}skipped`), c.slug, oneLine(c.reason)]),
  ]
  rows.sort(([a = ''], [b = '']) => (a < b ? -1 : a > b ? 1 : 0))
  return table(rows, { gaps: [2] }).map(line => `  ${line}`)
}
