import type { DoctorReport, ReportedFinding } from '../checks/report.ts'

/** A finding and all that it explains, at any depth. */
export function withExplained(finding: ReportedFinding): ReportedFinding[] {
  return [finding, ...finding.explains.flatMap(withExplained)]
}

type Findings = Pick<DoctorReport, 'findings' | 'suppressed' | 'baselined' | 'older'>

/** Every finding of a report, whatever came of it: counted, suppressed, known before, or older than asked for. */
export function everyFinding(report: Findings): ReportedFinding[] {
  return [...report.findings, ...report.suppressed, ...report.baselined, ...report.older].flatMap(withExplained)
}

/**
 * Codes of the checks that could look at everything. Only of these it can be said that a finding is not there: another may
 * have been left out, not apply to what was read, or not have seen its object.
 */
export function evaluatedCodes(report: Findings & Pick<DoctorReport, 'passed' | 'unknown'>): ReadonlySet<string> {
  const codes = new Set([...report.passed, ...everyFinding(report)].map(({ code }) => code))
  for (const { code } of report.unknown) codes.delete(code)
  return codes
}
