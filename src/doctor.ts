import { ALL_CHECKS } from './checks/all.ts'
import type { Check, Severity } from './checks/check.ts'
import { SEVERITY_RANK } from './checks/fold.ts'
import { API_VERSION, type DoctorReport, type ReportedFinding } from './checks/report.ts'
import { diagnose, reported, selectChecks } from './diagnosis.ts'
import { UsageError } from './errors.ts'
import { evaluatedCodes, everyFinding } from './findings/evaluated.ts'
import type { FleetSource } from './source/source.ts'
import { clusterInfos, sourceInfo } from './source-info.ts'
import { SUPPRESSION_CHECKS } from './suppressions/checks.ts'
import { judgeSuppressions } from './suppressions/judge.ts'
import { parseIgnored, type Suppression } from './suppressions/suppression.ts'
import { Suppressor } from './suppressions/suppressor.ts'
import { VERSION } from './version.ts'

export interface DoctorOptions {
  /** Codes, slugs or globs of them; empty or absent means all. */
  readonly checks?: readonly string[]
  readonly skip?: readonly string[]
  readonly categories?: readonly string[]
  /** Suppressions of the flag: `CODE` or `CODE:namespace/Kind/name` with globs. */
  readonly ignore?: readonly string[]
  /** Suppressions of the settings files. */
  readonly suppressions?: readonly Suppression[]
  readonly signal?: AbortSignal
}

function tally(findings: readonly ReportedFinding[]): Record<Severity, number> {
  const counts: Record<Severity, number> = { error: 0, warning: 0, info: 0 }
  for (const f of findings) counts[f.severity]++
  return counts
}

/** The checks that the options leave. @throws UsageError for a name that no check has. */
function chosenChecks(options: DoctorOptions): readonly Check[] {
  const categories = new Set(options.categories ?? [])
  for (const name of categories) {
    if (!ALL_CHECKS.some(c => c.category === name))
      throw new UsageError(`no check has category "${name}" (see: fleetctl doctor list)`)
  }
  return selectChecks(ALL_CHECKS, options.checks ?? [], options.skip ?? []).filter(
    c => categories.size === 0 || categories.has(c.category),
  )
}

/**
 * Reads a fleet, runs the checks over it and reports what stands between it and delivery, root causes first.
 *
 * @throws SourceError when the source can show nothing; UsageError for options that name nothing.
 */
export async function runDoctor(source: FleetSource, options: DoctorOptions = {}): Promise<DoctorReport> {
  const chosen = chosenChecks(options)
  const own = SUPPRESSION_CHECKS.filter(c => chosen.includes(c))
  const suppressions = [...parseIgnored(options.ignore ?? []), ...(options.suppressions ?? [])]
  const startedAt = new Date().toISOString()
  const diagnosis = await diagnose(
    source,
    chosen.filter(c => !own.includes(c)),
    options.signal,
  )
  const suppressor = new Suppressor(diagnosis.fleet, suppressions)
  const findings: ReportedFinding[] = []
  const suppressed: (ReportedFinding & { readonly by: string })[] = []
  const part = (finding: ReportedFinding): void => {
    const by = suppressor.by(finding)
    if (by === undefined) findings.push(finding)
    else suppressed.push({ ...finding, by })
  }
  for (const root of diagnosis.roots) part(reported(diagnosis, root))
  const { run } = diagnosis
  const lists = { unknown: run.unknown, skipped: [...run.skipped], passed: [...run.passed] }
  const base = {
    version: VERSION,
    startedAt,
    source: sourceInfo(source, diagnosis),
    clusters: clusterInfos(diagnosis),
    baselined: [],
    gone: [],
    older: [],
  }
  const seen = { findings, suppressed, ...base, ...lists }
  const told = judgeSuppressions({
    fleet: diagnosis.fleet,
    suppressor,
    found: everyFinding(seen),
    codes: ALL_CHECKS.map(c => c.code),
    evaluated: evaluatedCodes(seen),
  })
  for (const check of own) {
    const { code, slug, category, title } = check
    const of = told.filter(f => f.code === code)
    for (const finding of of) part(finding)
    if (of.length > 0) continue
    if (suppressions.length > 0 || suppressed.length > 0) lists.passed.push({ code, slug, category, title })
    else lists.skipped.push({ code, slug, category, reason: 'nothing is suppressed' })
  }
  // Sorting is stable: those of the settings stand behind the others of their severity.
  findings.sort((a, b) => SEVERITY_RANK[b.severity] - SEVERITY_RANK[a.severity])
  const counts = tally(findings)
  return {
    apiVersion: API_VERSION,
    kind: 'DoctorReport',
    ...base,
    finishedAt: new Date().toISOString(),
    summary: {
      errors: counts.error,
      warnings: counts.warning,
      infos: counts.info,
      unknown: lists.unknown.length,
      skipped: lists.skipped.length,
      passed: lists.passed.length,
      suppressed: suppressed.length,
      baselined: 0,
      older: 0,
    },
    findings,
    ...lists,
    suppressed,
  }
}
