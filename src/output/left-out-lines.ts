import type { DoctorReport, ReportedFinding } from '../checks/report.ts'
import { age } from './age.ts'
import { severityWord, subjectLabel } from './finding-block.ts'
import { count } from './layout.ts'
import type { RenderOptions } from './options.ts'
import { oneLine } from './sanitize.ts'

/** Findings of a kind that a text names one by one; `wide` names all. */
const MOST_NAMED = 10

/** What does not count, in short: findings of the baseline, those that are gone from it, and those that are older. */
export function leftOutLines(report: DoctorReport, options: RenderOptions, wide: boolean): string[] {
  const { baselined, gone, older } = report
  return [
    ...section(
      'In the baseline, not counted',
      baselined.map(f => findingLine(f, report.source.now, options)),
      options,
      wide,
    ),
    ...section('Gone since the baseline was written', gone.map(goneLine), options, wide),
    ...section(
      'Older than asked for, not counted',
      older.map(f => findingLine(f, report.source.now, options)),
      options,
      wide,
    ),
  ]
}

function section(title: string, lines: readonly string[], { style }: RenderOptions, wide: boolean): string[] {
  if (lines.length === 0) return []
  const shown = wide ? lines : lines.slice(0, MOST_NAMED)
  const more = lines.length - shown.length
  return [style.bold(title), ...shown.map(line => `  ${line}`), ...(more > 0 ? [`  and ${more} more (-o wide)`] : [])]
}

function findingLine(finding: ReportedFinding, now: string, options: RenderOptions): string {
  const old = finding.changedAt === '' ? '' : `  ${age(now, finding.changedAt)} ago`
  return `${severityWord(finding.severity, options)} ${finding.code} ${finding.slug}   ${subjectLabel(finding.subject)}${old}`
}

/** `CODE/cluster|group|kind|namespace|name` as other lines name objects. */
function goneLine(fingerprint: string): string {
  const cut = fingerprint.indexOf('/')
  const [cluster = '', group = '', kind = '', namespace = '', ...name] = fingerprint.slice(cut + 1).split('|')
  const subject = { cluster, group, kind, namespace, name: name.join('|') }
  return oneLine(`${fingerprint.slice(0, cut)} ${subjectLabel(subject)}`)
}

/** `1 baselined (2 gone)`, `3 older`, and how many findings do not say when they changed. */
export function leftOutCounts({ summary, gone, findings, older }: DoctorReport, isSince: boolean): string[] {
  const parts: string[] = []
  if (summary.baselined > 0 || gone.length > 0)
    parts.push(`${summary.baselined} baselined${gone.length > 0 ? ` (${gone.length} gone)` : ''}`)
  if (older.length > 0 || isSince) {
    const undated = findings.filter(f => f.changedAt === '').length
    parts.push(`${older.length} older`)
    if (undated > 0) parts.push(`${count(undated, 'finding')} of unknown age shown`)
  }
  return parts
}
