import type { Check, Severity } from './checks/check.ts'
import { CHECKS } from './checks/registry.ts'
import { API_VERSION, type DoctorReport, type ReportedFinding } from './checks/report.ts'
import { parseRules, suppressor } from './checks/suppress.ts'
import { diagnose, reported, selectChecks } from './diagnosis.ts'
import { UsageError } from './errors.ts'
import type { FleetSource } from './source/source.ts'
import { clusterInfos, sourceInfo } from './source-info.ts'
import { VERSION } from './version.ts'

export interface DoctorOptions {
  /** Codes, slugs or globs of them; empty or absent means all. */
  readonly checks?: readonly string[]
  readonly skip?: readonly string[]
  readonly categories?: readonly string[]
  /** Suppressions: `CODE` or `CODE:namespace/Kind/name` with globs. */
  readonly ignore?: readonly string[]
  readonly signal?: AbortSignal
}

function tally(findings: readonly ReportedFinding[]): Record<Severity, number> {
  const counts: Record<Severity, number> = { error: 0, warning: 0, info: 0 }
  for (const f of findings) counts[f.severity]++
  return counts
}

/** The checks that the options leave. @throws UsageError for a name that no check has. */
export function chosenChecks(options: DoctorOptions): readonly Check[] {
  const categories = new Set(options.categories ?? [])
  for (const name of categories) {
    if (!CHECKS.some(c => c.category === name))
      throw new UsageError(`no check has category "${name}" (see: fleetctl doctor list)`)
  }
  return selectChecks(CHECKS, options.checks ?? [], options.skip ?? []).filter(
    c => categories.size === 0 || categories.has(c.category),
  )
}

/**
 * Reads a fleet, runs the checks over it and reports what stands between it and delivery, root causes first.
 *
 * @throws SourceError when the source can show nothing; UsageError for options that name nothing.
 */
export async function runDoctor(source: FleetSource, options: DoctorOptions = {}): Promise<DoctorReport> {
  const checks = chosenChecks(options)
  const suppressedBy = suppressor(parseRules(options.ignore ?? []))
  const startedAt = new Date().toISOString()
  const diagnosis = await diagnose(source, checks, options.signal)
  const findings: ReportedFinding[] = []
  const suppressed: (ReportedFinding & { readonly by: string })[] = []
  for (const root of diagnosis.roots) {
    const finding = reported(diagnosis, root)
    const by = suppressedBy(diagnosis.fleet, finding)
    if (by === undefined) findings.push(finding)
    else suppressed.push({ ...finding, by })
  }
  const { run } = diagnosis
  const counts = tally(findings)
  return {
    apiVersion: API_VERSION,
    kind: 'DoctorReport',
    version: VERSION,
    startedAt,
    finishedAt: new Date().toISOString(),
    source: sourceInfo(source, diagnosis),
    clusters: clusterInfos(diagnosis),
    summary: {
      errors: counts.error,
      warnings: counts.warning,
      infos: counts.info,
      unknown: run.unknown.length,
      skipped: run.skipped.length,
      passed: run.passed.length,
      suppressed: suppressed.length,
    },
    findings,
    unknown: run.unknown,
    skipped: run.skipped,
    passed: run.passed,
    suppressed,
  }
}
