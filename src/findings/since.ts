import type { DoctorReport } from '../checks/report.ts'
import { withFindings } from './with-findings.ts'

/**
 * The report with only the findings that changed within a time before the source's now. One of which it is not known when it
 * changed stays: it may be new.
 *
 * @param span milliseconds
 */
export function changedWithin(report: DoctorReport, span: number): DoctorReport {
  const from = Date.parse(report.source.now) - span
  const isOlder = (changedAt: string): boolean => changedAt !== '' && Date.parse(changedAt) < from
  return withFindings(report, {
    findings: report.findings.filter(f => !isOlder(f.changedAt)),
    older: [...report.older, ...report.findings.filter(f => isOlder(f.changedAt))],
  })
}
