import type { Check, Evidence } from '../checks/check.ts'
import type { ReportedFinding } from '../checks/report.ts'
import type { Fleet } from '../fleet/fleet.ts'
import { globMatches } from '../fleet/joins/spoke-argo.ts'
import { KIND_NAMES } from '../fleet/kinds.ts'
import type { Base } from '../fleet/records.ts'
import { type Subject, subjectKey } from '../fleet/subject.ts'
import { SUPPRESSION_EXPIRED, SUPPRESSION_UNUSED } from './checks.ts'
import { type Suppression, suppressionText } from './suppression.ts'
import { IGNORE_ANNOTATION, ignoredCodes, type Suppressor } from './suppressor.ts'

/** What is known of a run when its suppressions are judged. */
interface Judged {
  readonly fleet: Fleet
  readonly suppressor: Suppressor
  /** Every finding, suppressed or not, with those that others explain. */
  readonly found: readonly ReportedFinding[]
  /** Codes of all checks that there are. */
  readonly codes: readonly string[]
  /** Codes of the checks that could look at everything. */
  readonly evaluated: ReadonlySet<string>
}

function subjectOf(suppression: Suppression): Subject {
  return { cluster: 'hub', group: 'fleetctl', kind: 'Suppression', namespace: '', name: suppressionText(suppression) }
}

type Told = Pick<ReportedFinding, 'subject' | 'message' | 'effect' | 'fix'> & { readonly evidence: readonly Evidence[] }

function finding(check: Check, told: Told): ReportedFinding {
  const { code, slug, category, severity } = check
  return {
    code,
    slug,
    category,
    severity,
    fingerprint: `${code}/${subjectKey(told.subject)}`,
    ...told,
    fixCommand: [],
    fixInGit: false,
    impact: { applications: 0, clusters: 0, applicationNames: [], clusterNames: [] },
    changedAt: '',
    explains: [],
  }
}

function expired(one: Suppression): ReportedFinding {
  const subject = subjectOf(one)
  return finding(SUPPRESSION_EXPIRED, {
    subject,
    message: `The suppression of ${suppressionText(one)} ended on ${one.expires}.`,
    evidence: [{ subject, path: '', value: `${one.origin}, owner ${one.owner}: ${one.reason}` }],
    effect: 'its findings count again',
    fix: `mend what it hid and remove it, or set a new last day in ${one.origin}`,
  })
}

function unused(one: Suppression): ReportedFinding {
  const subject = subjectOf(one)
  return finding(SUPPRESSION_UNUSED, {
    subject,
    message: `The suppression of ${suppressionText(one)} hides nothing.`,
    evidence: [{ subject, path: '', value: one.origin }],
    effect: 'it would hide the fault when it comes back',
    fix: one.origin.startsWith('--') ? `leave out ${one.origin}` : `remove it from ${one.origin}`,
  })
}

function unusedAnnotation({ subject }: Base, codes: readonly string[]): ReportedFinding {
  return finding(SUPPRESSION_UNUSED, {
    subject,
    message: `The annotation ${IGNORE_ANNOTATION} suppresses ${codes.join(', ')}, which it does not have.`,
    evidence: [{ subject, path: `.metadata.annotations[${IGNORE_ANNOTATION}]`, value: codes.join(',') }],
    effect: 'it would hide the fault when it comes back',
    fix: `remove ${codes.join(', ')} from the annotation ${IGNORE_ANNOTATION}`,
  })
}

function* annotated(fleet: Fleet): Iterable<Base> {
  for (const view of [fleet.hub, ...fleet.spokes.values()])
    for (const kind of KIND_NAMES)
      for (const record of view.of(kind).all) if (record.meta.annotations[IGNORE_ANNOTATION] !== undefined) yield record
}

/** Findings about the suppressions of a run: those that have ended, and those that meet nothing. */
export function judgeSuppressions({ fleet, suppressor, found, codes, evaluated }: Judged): ReportedFinding[] {
  const isJudged = (one: Suppression): boolean => {
    const meant = codes.filter(known => one.codes.some(code => globMatches(code, known)))
    return meant.every(known => evaluated.has(known))
  }
  const present = new Set(found.map(f => f.fingerprint))
  const annotations: ReportedFinding[] = []
  for (const record of annotated(fleet)) {
    const idle = ignoredCodes(record.meta.annotations).filter(
      code => !present.has(`${code}/${subjectKey(record.subject)}`) && (evaluated.has(code) || !codes.includes(code)),
    )
    if (idle.length > 0) annotations.push(unusedAnnotation(record, idle))
  }
  return [...suppressor.expired.map(expired), ...suppressor.unused.filter(isJudged).map(unused), ...annotations]
}
