import type { DoctorReport, ReportedFinding } from '../checks/report.ts'
import { everyFinding, withExplained } from '../findings/evaluated.ts'
import { some } from './layout.ts'
import { oneLine } from './sanitize.ts'

/** The finding's folded findings, all levels, in order. */
export function folded(finding: ReportedFinding): ReportedFinding[] {
  return finding.explains.flatMap(withExplained)
}

/** `FLT0301 x3, FLT0405`: how many findings are folded under this one, by code. */
export function foldedByCode(finding: ReportedFinding): string {
  const counts = new Map<string, number>()
  for (const { code } of folded(finding)) counts.set(code, (counts.get(code) ?? 0) + 1)
  return [...counts]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([code, n]) => (n === 1 ? code : `${code} x${n}`))
    .join(', ')
}

/** How many checks there were, and how many of them could be evaluated. A check that is partly unknown counts as unknown. */
export function coverage(report: DoctorReport): { evaluated: number; total: number; unknown: number; skipped: number } {
  const unknown = new Set(report.unknown.map(check => check.code))
  const skipped = new Set(report.skipped.map(check => check.code).filter(code => !unknown.has(code)))
  const codes = new Set([...unknown, ...skipped, ...report.passed.map(check => check.code)])
  for (const finding of everyFinding(report)) codes.add(finding.code)
  return {
    evaluated: codes.size - unknown.size - skipped.size,
    total: codes.size,
    unknown: unknown.size,
    skipped: skipped.size,
  }
}

/** Resources that a reason names. */
const MOST_RESOURCES = 3

/**
 * Why checks are unknown: what could not be seen, each thing once, that which concerns most checks first. Several resources
 * of one cluster with the same reason are told together.
 */
export function unseenReasons(report: DoctorReport): string[] {
  const groups = new Map<string, { cluster: string; reason: string; resources: Set<string>; checks: Set<string> }>()
  for (const check of report.unknown) {
    const unseen = check.unseen.length > 0 ? check.unseen : [{ cluster: '', resource: '', reason: check.reason }]
    for (const { cluster, resource, reason } of unseen) {
      const key = `${cluster}|${reason}`
      const group = groups.get(key) ?? { cluster, reason, resources: new Set(), checks: new Set() }
      group.resources.add(resource)
      group.checks.add(check.code)
      groups.set(key, group)
    }
  }
  const sorted = [...groups].sort(([a, x], [b, y]) => y.checks.size - x.checks.size || (a < b ? -1 : 1))
  return sorted.map(([, group]) => reasonText(group))
}

function reasonText({
  cluster,
  reason,
  resources,
}: {
  cluster: string
  reason: string
  resources: Set<string>
}): string {
  const text = oneLine(reason).replace(/\.$/, '')
  if (cluster === '' || text.includes(cluster)) return text
  const named = some([...resources].sort().slice(0, MOST_RESOURCES), resources.size, MOST_RESOURCES)
  return `${named} on ${cluster}: ${text}`
}
