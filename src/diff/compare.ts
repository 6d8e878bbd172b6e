import { API_VERSION, type ReportedFinding } from '../checks/report.ts'
import { type Diagnosis, reported } from '../diagnosis.ts'
import type { Fleet } from '../fleet/fleet.ts'
import { resourceName } from '../fleet/kinds.ts'
import { indexBy } from '../fleet/maps.ts'
import { subjectKey } from '../fleet/subject.ts'
import type { FleetSource } from '../source/source.ts'
import { sourceInfo } from '../source-info.ts'
import { VERSION } from '../version.ts'
import type { Facts } from './facts.ts'
import {
  type FieldChange,
  type FindingChange,
  type FleetDiff,
  type NotCompared,
  type ObjectChange,
  SECTIONS,
} from './fleet-diff.ts'
import { type Part, partsOf } from './states.ts'

/** A fleet at one moment, with what the doctor finds in it. */
export interface State {
  readonly source: FleetSource
  readonly diagnosis: Diagnosis
}

/** What changed between two states of a fleet. Nothing is called added or removed that could not be seen in both. */
export function compareFleets(before: State, after: State): FleetDiff {
  const [older, newer] = [before.diagnosis.fleet, after.diagnosis.fleet]
  const key = (part: Part): string => `${part.section} ${part.cluster}`
  const [was, is] = [indexBy(partsOf(older), key), indexBy(partsOf(newer), key)]
  const changes: ObjectChange[] = []
  const notCompared: NotCompared[] = []
  for (const at of new Set([...was.keys(), ...is.keys()])) {
    const part = is.get(at) ?? was.get(at)
    if (part === undefined) continue
    const gaps = [...gapOf('before', older, part), ...gapOf('after', newer, part)]
    notCompared.push(...gaps)
    const isBlind = (state: NotCompared['state']): boolean => gaps.some(gap => gap.state === state)
    const found = changesIn(part, was.get(at)?.objects ?? [], is.get(at)?.objects ?? [])
    changes.push(
      ...found.filter(
        ({ change }) => !(change === 'added' && isBlind('before')) && !(change === 'removed' && isBlind('after')),
      ),
    )
  }
  const findings = findingChanges(before.diagnosis, after.diagnosis)
  const count = (change: ObjectChange['change']): number => changes.filter(c => c.change === change).length
  const found = (change: FindingChange['change']): number => findings.filter(f => f.change === change).length
  return {
    apiVersion: API_VERSION,
    kind: 'FleetDiff',
    version: VERSION,
    before: sourceInfo(before.source, before.diagnosis),
    after: sourceInfo(after.source, after.diagnosis),
    summary: {
      added: count('added'),
      removed: count('removed'),
      changed: count('changed'),
      newFindings: found('new'),
      goneFindings: found('gone'),
      changedFindings: found('changed'),
    },
    changes: changes.sort(byPlace),
    findings,
    notCompared,
  }
}

/** Why a part cannot be seen in a state. A kind that is not served has no objects, and that is known. */
function gapOf(state: NotCompared['state'], fleet: Fleet, { cluster, kind }: Part): NotCompared[] {
  const view = cluster === 'hub' ? fleet.hub : fleet.spokes.get(cluster)
  const gap = (reason: string): NotCompared[] => [{ state, cluster, resource: resourceName(kind), reason }]
  if (view === undefined) return gap(`cluster ${cluster} was not read`)
  const coverage = view.coverage(kind)
  if (coverage.state === 'refused' || coverage.state === 'not-recorded') return gap(coverage.reason)
  if (coverage.state === 'read' && !coverage.complete) return gap(coverage.reason ?? 'only a part of it could be read')
  return []
}

function changesIn(part: Part, older: Part['objects'], newer: Part['objects']): ObjectChange[] {
  const { section } = part
  const [was, is] = [older, newer].map(objects => indexBy(objects, o => subjectKey(o.subject)))
  const changes: ObjectChange[] = []
  for (const { subject, facts } of older) {
    const now = is?.get(subjectKey(subject))
    const fields = fieldChanges(facts, now?.facts ?? {})
    if (now === undefined) changes.push({ section, change: 'removed', subject, fields: fields.filter(isTold) })
    else if (fields.length > 0) changes.push({ section, change: 'changed', subject, fields })
  }
  for (const { subject, facts } of newer) {
    if (was?.has(subjectKey(subject))) continue
    changes.push({ section, change: 'added', subject, fields: fieldChanges({}, facts).filter(isTold) })
  }
  return changes
}

/** The uid of an object that came or went tells nothing. */
const isTold = ({ field }: FieldChange): boolean => field !== 'uid'

function fieldChanges(was: Facts, is: Facts): FieldChange[] {
  return [...new Set([...Object.keys(was), ...Object.keys(is)])].flatMap(field => {
    const [before, after] = [was[field] ?? '', is[field] ?? '']
    return before === after ? [] : [{ field, before, after }]
  })
}

function byPlace(a: ObjectChange, b: ObjectChange): number {
  const rank = (c: ObjectChange): number => SECTIONS.indexOf(c.section)
  const clusterRank = (c: ObjectChange): number => (c.subject.cluster === 'hub' ? 0 : 1)
  return (
    rank(a) - rank(b) ||
    clusterRank(a) - clusterRank(b) ||
    (subjectKey(a.subject) < subjectKey(b.subject) ? -1 : subjectKey(a.subject) > subjectKey(b.subject) ? 1 : 0)
  )
}

interface Told {
  readonly finding: ReportedFinding
  readonly explainedBy: string
}

/** All findings of a state, those that others explain included, most important first. */
function findingsOf(diagnosis: Diagnosis): ReadonlyMap<string, Told> {
  const all = new Map<string, Told>()
  const add = (finding: ReportedFinding, explainedBy: string): void => {
    if (!all.has(finding.fingerprint)) all.set(finding.fingerprint, { finding, explainedBy })
    for (const child of finding.explains) add(child, finding.code)
  }
  for (const root of diagnosis.roots) add(reported(diagnosis, root), '')
  return all
}

function findingChanges(before: Diagnosis, after: Diagnosis): FindingChange[] {
  const [was, is] = [findingsOf(before), findingsOf(after)]
  const unknown = (of: Diagnosis): ReadonlySet<string> => new Set(of.run.unknown.map(check => check.code))
  const [unknownBefore, unknownAfter] = [unknown(before), unknown(after)]
  const changes: FindingChange[] = []
  for (const [fingerprint, told] of is) {
    const old = was.get(fingerprint)
    if (old === undefined) changes.push(findingChange('new', told, !unknownBefore.has(told.finding.code)))
    else if (old.finding.severity !== told.finding.severity) {
      changes.push({ ...findingChange('changed', told, true), severityBefore: old.finding.severity })
    }
  }
  for (const [fingerprint, told] of was) {
    if (!is.has(fingerprint)) changes.push(findingChange('gone', told, !unknownAfter.has(told.finding.code)))
  }
  return changes
}

function findingChange(change: FindingChange['change'], told: Told, certain: boolean): FindingChange {
  const { code, slug, category, severity, fingerprint, subject, message } = told.finding
  const rest = { severityBefore: '' as const, explainedBy: told.explainedBy, certain }
  return { change, code, slug, category, severity, fingerprint, subject, message, ...rest }
}
