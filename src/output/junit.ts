import { CATEGORIES, type Category, type Severity } from '../checks/check.ts'
import type { DoctorReport, ReportedFinding } from '../checks/report.ts'
import { folded } from './counts.ts'
import { findingBlock, subjectLabel } from './finding-block.ts'
import type { RenderOptions } from './options.ts'
import { oneLine } from './sanitize.ts'
import { atOrAbove } from './severity.ts'

/** A case of JUnit: one check on one cluster. */
interface Case {
  readonly category: string
  readonly name: string
  readonly cluster: string
  readonly body: string
  readonly result: 'passed' | 'failure' | 'skipped' | 'error'
}

/** Where a check speaks of no cluster in particular. */
const WHOLE_FLEET = 'fleet'

/**
 * JUnit XML: a suite is a category, a case is a check on a cluster. Failure: a finding at or above the threshold; skipped:
 * not evaluated, or explained by another finding; error: trouble in reading the source.
 */
export function renderJunit(report: DoctorReport, options: RenderOptions): string {
  const cases = [...findingCases(report, options), ...explainedCases(report), ...otherCases(report, options)]
  const time = Math.max(0, Date.parse(report.finishedAt) - Date.parse(report.startedAt)) / 1000 || 0
  const suites = [...CATEGORIES, 'source'].flatMap(category => {
    const own = cases.filter(c => c.category === category)
    return own.length === 0 ? [] : [suite(category, own, report.startedAt)]
  })
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="fleetctl doctor" ${totals(cases)} time="${time}">`,
    ...suites,
    '</testsuites>',
    '',
  ].join('\n')
}

/** A run that came to no result: one case in error, so that a CI that reads only the file does not take its silence for success. */
export function junitError(message: string): string {
  const body = `<error message="${attribute(oneLine(message))}"/>`
  const only: Case = { category: 'source', name: 'run', cluster: WHOLE_FLEET, body, result: 'error' }
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="fleetctl doctor" ${totals([only])} time="0">`,
    suite('source', [only]),
    '</testsuites>',
    '',
  ].join('\n')
}

/** Findings of one check on one cluster are one case: readers of JUnit take one failure a case. */
function findingCases(report: DoctorReport, options: RenderOptions): Case[] {
  const groups = new Map<string, ReportedFinding[]>()
  for (const finding of report.findings) {
    const key = `${finding.code}|${finding.subject.cluster}`
    groups.set(key, [...(groups.get(key) ?? []), finding])
  }
  return [...groups.values()].flatMap(findings => {
    const [first] = findings
    if (first === undefined) return []
    const worst = findings.filter(f => atOrAbove(f.severity, options.failOn))
    const text = findings.map(f => findingBlock(f, options).join('\n')).join('\n\n')
    const message = worst.map(f => `${subjectLabel(f.subject)}: ${f.message}`).join('; ')
    const body =
      worst.length > 0
        ? `<failure type="${worstSeverity(worst)}" message="${attribute(message)}">${content(text)}</failure>`
        : `<system-out>${content(text)}</system-out>`
    return { ...place(first), body, result: worst.length > 0 ? 'failure' : 'passed' }
  })
}

/** Checks whose findings are all folded under a root: not failures of their own. */
function explainedCases(report: DoctorReport): Case[] {
  const taken = new Set(report.findings.map(f => `${f.code}|${f.subject.cluster}`))
  const cases: Case[] = []
  for (const root of report.findings) {
    for (const finding of folded(root)) {
      const key = `${finding.code}|${finding.subject.cluster}`
      if (taken.has(key)) continue
      taken.add(key)
      const by = `explained by ${root.code} ${subjectLabel(root.subject)}`
      cases.push({ ...place(finding), ...skipped(by) })
    }
  }
  return cases
}

function otherCases(report: DoctorReport, options: RenderOptions): Case[] {
  const named = (check: { code: string; slug: string; category: Category }, cluster = WHOLE_FLEET) => ({
    category: check.category,
    name: `${check.code} ${check.slug}`,
    cluster,
  })
  const unknown = report.unknown.flatMap(check => {
    const clusters = [...new Set(check.unseen.map(unseen => unseen.cluster))].sort()
    const places = clusters.length === 0 ? [WHOLE_FLEET] : clusters
    return places.map(cluster => ({ ...named(check, cluster), ...skipped(`not evaluated: ${check.reason}`) }))
  })
  const notApplicable = report.skipped.map(check => ({
    ...named(check),
    ...skipped(`not applicable: ${check.reason}`),
  }))
  const suppressed = report.suppressed.map(f => ({ ...place(f), ...skipped(`suppressed by ${f.by}`) }))
  const known = report.baselined.map(f => ({ ...place(f), ...skipped('in the baseline') }))
  const older = report.older.map(f => ({ ...place(f), ...skipped(`older than asked for: since ${f.changedAt}`) }))
  const passed = report.passed.map((check): Case => ({ ...named(check), body: '', result: 'passed' }))
  const troubles = report.source.problems.map((problem): Case => {
    const where = problem.line === undefined ? problem.where : `${problem.where}:${problem.line}`
    const at = { category: 'source', name: where, cluster: WHOLE_FLEET }
    if (options.allowIncomplete) return { ...at, ...skipped(problem.message) }
    return { ...at, body: `<error message="${attribute(problem.message)}"/>`, result: 'error' }
  })
  return [...unknown, ...notApplicable, ...suppressed, ...known, ...older, ...passed, ...troubles]
}

function place(finding: ReportedFinding): Pick<Case, 'category' | 'name' | 'cluster'> {
  return {
    category: finding.category,
    name: `${finding.code} ${finding.slug}`,
    cluster: finding.subject.cluster,
  }
}

function skipped(message: string): Pick<Case, 'body' | 'result'> {
  return { body: `<skipped message="${attribute(message)}"/>`, result: 'skipped' }
}

function worstSeverity(findings: readonly ReportedFinding[]): Severity {
  if (findings.some(f => f.severity === 'error')) return 'error'
  return findings.some(f => f.severity === 'warning') ? 'warning' : 'info'
}

function suite(category: string, cases: readonly Case[], startedAt?: string): string {
  const inside = cases.map(({ name, cluster, body }) => {
    const head = `    <testcase name="${attribute(`${name} (${cluster})`)}" classname="${attribute(`fleetctl.${category}.${cluster}`)}" time="0"`
    return body === '' ? `${head}/>` : `${head}>${body}</testcase>`
  })
  const head = `  <testsuite name="${category}" ${totals(cases)} time="0"${startedAt === undefined ? '' : ` timestamp="${attribute(startedAt)}"`}>`
  return [head, ...inside, '  </testsuite>'].join('\n')
}

function totals(cases: readonly Case[]): string {
  const of = (result: Case['result']) => cases.filter(c => c.result === result).length
  return `tests="${cases.length}" failures="${of('failure')}" errors="${of('error')}" skipped="${of('skipped')}"`
}

/** Text has no control characters any more (they are not allowed in XML at all); what is left are the two non-characters. */
function content(text: string): string {
  return text
    .replaceAll(/[\ufffe\uffff]/g, '\ufffd')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
}

function attribute(text: string): string {
  return content(text).replaceAll('"', '&quot;').replaceAll('\n', '&#10;')
}
