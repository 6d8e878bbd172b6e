import type { DoctorReport, ReportedFinding } from '../checks/report.ts'

type Parted = Pick<DoctorReport, 'findings'> & Partial<Pick<DoctorReport, 'baselined' | 'older' | 'gone'>>

/** The report with its findings parted anew; the summary follows. */
export function withFindings(report: DoctorReport, parted: Parted): DoctorReport {
  const next = { ...report, ...parted }
  const of = (severity: ReportedFinding['severity']): number =>
    next.findings.filter(f => f.severity === severity).length
  return {
    ...next,
    summary: {
      ...report.summary,
      errors: of('error'),
      warnings: of('warning'),
      infos: of('info'),
      baselined: next.baselined.length,
      older: next.older.length,
    },
  }
}
