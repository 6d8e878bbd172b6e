import type { DoctorReport } from '../checks/report.ts'
import { evaluatedCodes, everyFinding } from './evaluated.ts'
import { withFindings } from './with-findings.ts'

function codeOf(fingerprint: string): string {
  return fingerprint.slice(0, fingerprint.indexOf('/'))
}

/**
 * The report with its findings parted into new ones, which count, and those that are in the baseline. What a known finding
 * explains goes with it: its cause is known. Fingerprints whose finding is there no more are `gone`, where the check could
 * look at everything.
 */
export function againstBaseline(report: DoctorReport, baseline: ReadonlySet<string>): DoctorReport {
  const known = report.findings.filter(f => baseline.has(f.fingerprint))
  const present = new Set(everyFinding(report).map(f => f.fingerprint))
  const evaluated = evaluatedCodes(report)
  const gone = [...baseline].filter(f => !present.has(f) && evaluated.has(codeOf(f))).sort()
  const fresh = report.findings.filter(f => !baseline.has(f.fingerprint))
  return withFindings(report, { findings: fresh, baselined: [...report.baselined, ...known], gone })
}

/**
 * The baseline that accepts everything in a report. Consequences are in it too: they may stand alone once their cause is
 * mended. Of the baseline before, those findings stay of which the run could not say whether they are still there.
 */
export function baselineOf(report: DoctorReport, before: ReadonlySet<string>): ReadonlySet<string> {
  const suppressed = new Set(report.suppressed.map(f => f.fingerprint))
  const accepted = everyFinding({ ...report, suppressed: [] }).map(f => f.fingerprint)
  const evaluated = evaluatedCodes(report)
  const unjudged = [...before].filter(f => !evaluated.has(codeOf(f)) && !suppressed.has(f))
  return new Set([...accepted, ...unjudged])
}
