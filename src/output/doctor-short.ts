import type { DoctorReport } from '../checks/report.ts'
import { coverage } from './counts.ts'
import { unknownReasons } from './doctor-text.ts'
import { severityWord, subjectLabel } from './finding-block.ts'
import { count, fitBehind } from './layout.ts'
import type { RenderOptions } from './options.ts'
import { oneLine } from './sanitize.ts'

/** Problems only, one a line: findings, then what could not be read or evaluated. Nothing for a fleet without a problem. */
export function renderDoctorShort(report: DoctorReport, options: RenderOptions): string {
  const { style, symbols, width } = options
  const lines = report.findings.map(finding => {
    const head = `${severityWord(finding.severity, options)} ${style.bold(finding.code)} ${subjectLabel(finding.subject)}  `
    return fitBehind(head, oneLine(finding.message), width, symbols.ellipsis)
  })
  for (const { where, line, message } of report.source.problems) {
    const place = line === undefined ? where : `${where}:${line}`
    const head = style.yellow('Incomplete ')
    lines.push(fitBehind(head, oneLine(`${place}: ${message}`), width, symbols.ellipsis))
  }
  const { unknown } = coverage(report)
  if (unknown > 0) {
    const head = style.yellow('Unknown ')
    const reasons = unknownReasons(report, width === Number.POSITIVE_INFINITY)
    lines.push(fitBehind(head, `${count(unknown, 'check')}: ${reasons}`, width, symbols.ellipsis))
  }
  return lines.map(line => `${line}\n`).join('')
}
