import type { DoctorReport, ReportedFinding } from '../checks/report.ts'
import { categoryLines } from './category-lines.ts'
import { coverage, unseenReasons } from './counts.ts'
import { doctorExitMeaning } from './exit-meaning.ts'
import { findingBlock } from './finding-block.ts'
import { count, some, wrap } from './layout.ts'
import { leftOutCounts, leftOutLines } from './left-out-lines.ts'
import type { RenderOptions } from './options.ts'
import { noteLines, problemLines, sourceLine } from './source-lines.ts'

const REASONS_SHOWN = 3

/** The default text of a doctor run: findings, categories, totals, coverage, meaning of the exit code. */
export function renderDoctorText(report: DoctorReport, options: RenderOptions): string {
  return lines(report, options, false)
}

/** The same with nothing cut or collapsed: every check under its category, every reason. */
export function renderDoctorWide(report: DoctorReport, options: RenderOptions): string {
  return lines(report, { ...options, width: Number.POSITIVE_INFINITY }, true)
}

function lines(report: DoctorReport, options: RenderOptions, wide: boolean): string {
  const sections = [
    options.headers ? wrap(sourceLine(report, wide), options.width, '', '  ') : [],
    ...report.findings.map((finding: ReportedFinding) => findingBlock(finding, options)),
    leftOutLines(report, options, wide),
    noteLines(report.source, options),
    problemLines(report.source, options, wide),
    categoryLines(report, options, wide),
    closing(report, options, wide),
  ]
  return sections
    .filter(section => section.length > 0)
    .map(section => `${section.join('\n')}\n`)
    .join('\n')
}

function closing(report: DoctorReport, options: RenderOptions, wide: boolean): string[] {
  const incomplete = report.summary.unknown > 0 || report.source.problems.length > 0
  const narrowed = report.baselined.length + report.older.length > 0
  return [
    options.style.bold(totals(report, options)),
    ...wrap(coverageText(report, wide), options.width, '', '  '),
    ...wrap(doctorExitMeaning(options.exitCode, { failOn: options.failOn, incomplete, narrowed }), options.width),
  ]
}

function totals(report: DoctorReport, options: RenderOptions): string {
  const { summary } = report
  const parts = [
    count(summary.errors, 'error'),
    count(summary.warnings, 'warning'),
    count(summary.infos, 'info'),
    `${summary.passed} passed`,
  ]
  if (summary.suppressed > 0) parts.push(`${summary.suppressed} suppressed`)
  return [...parts, ...leftOutCounts(report, options.since)].join(', ')
}

/** `Evaluated 41 of 44 checks; 2 unknown: cannot list secrets in spoke sno; 1 skipped`. */
function coverageText(report: DoctorReport, wide: boolean): string {
  const { evaluated, total, unknown, skipped } = coverage(report)
  const parts = [`Evaluated ${evaluated} of ${count(total, 'check')}`]
  if (unknown > 0) parts.push(`${unknown} unknown: ${unknownReasons(report, wide)}`)
  if (skipped > 0) parts.push(`${skipped} skipped`)
  return `${parts.join('; ')}.`
}

/** Why checks are unknown, each reason once, the most frequent first. */
export function unknownReasons(report: DoctorReport, all: boolean): string {
  const reasons = unseenReasons(report)
  return some(reasons, reasons.length, all ? reasons.length : REASONS_SHOWN)
}
