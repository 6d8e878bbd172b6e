import type { ExpectedCondition } from '../fleet/placement/conditions.ts'
import { subjectText } from '../fleet/subject.ts'
import type { PlacementExplanationReport } from '../plan/placement-explanation.ts'
import { labelled } from './finding-block.ts'
import { some, wrap } from './layout.ts'
import type { RenderOptions } from './options.ts'
import { oneLine } from './sanitize.ts'
import { table } from './table.ts'

const CLUSTERS_SHOWN = 40

/** The default text of `placement explain`: what is selected, what is not and why, what an edit changes. */
export function renderPlacementText(report: PlacementExplanationReport, options: RenderOptions): string {
  return text(report, options, CLUSTERS_SHOWN)
}

/** The same with every cluster. */
export function renderPlacementWide(report: PlacementExplanationReport, options: RenderOptions): string {
  return text(report, { ...options, width: Number.POSITIVE_INFINITY }, Number.POSITIVE_INFINITY)
}

function text(report: PlacementExplanationReport, options: RenderOptions, most: number): string {
  const sections = [
    head(report, options, most),
    clusterTable(report, options, most),
    facts(report, options),
    editLines(report, options, most),
  ]
  return sections
    .filter(lines => lines.length > 0)
    .map(lines => `${lines.join('\n')}\n`)
    .join('\n')
}

function list(names: readonly string[], most: number): string {
  return names.length === 0 ? 'no cluster' : some(names, names.length, most)
}

function head(report: PlacementExplanationReport, options: RenderOptions, most: number): string[] {
  const { selected, certain, edit } = report
  const { chooses } = report
  if (chooses !== null && selected.length === 0) {
    const text = `${chooses} of ${list(report.candidates, most)}; which ${chooses === 1 ? 'one is' : 'ones are'} decided by the scheduler`
    const verb = edit === null ? 'selects' : 'would select'
    return wrap(`${subjectText(report.placement)} ${verb} ${text}.`, options.width, '', '  ')
  }
  const verb = certain ? (edit === null ? 'selects' : 'would select') : 'surely selects'
  const rest = certain ? '' : `, and may select more of ${list(report.candidates, most)}`
  return wrap(`${subjectText(report.placement)} ${verb} ${list(selected, most)}${rest}.`, options.width, '', '  ')
}

function clusterTable(report: PlacementExplanationReport, options: RenderOptions, most: number): string[] {
  const rows = [
    ...report.selected.map(cluster => [cluster, 'yes', '', '']),
    ...report.notSelected.map(({ cluster, reason, detail }) => [cluster, 'no', reason, oneLine(detail)]),
  ]
  if (rows.length === 0) return ['The hub has no managed cluster.']
  const shown = rows.slice(0, most)
  const header = options.headers ? [['CLUSTER', 'SELECTED', 'REASON', 'DETAIL']] : []
  const more = rows.length - shown.length
  return [...table([...header, ...shown]), ...(more > 0 ? [`and ${more} more (-o wide lists them)`] : [])]
}

function conditionText({ status, reason, message }: ExpectedCondition): string {
  if (status === '') return 'cannot be told'
  return `${status} (${reason})${message === '' ? '' : `: ${message}`}`
}

function conditionLine(type: string, ought: ExpectedCondition, says: ExpectedCondition | undefined): string {
  const differs =
    says !== undefined && ought.status !== '' && (says.status !== ought.status || says.reason !== ought.reason)
  return `${type} ought to be ${conditionText(ought)}${differs ? `; the hub says ${conditionText(says)}` : ''}`
}

function facts(report: PlacementExplanationReport, options: RenderOptions): string[] {
  const { sets, reported, decided, edit } = report
  const says = edit === null ? reported : null
  const differs = edit === null && decided !== null && report.certain && decided.join() !== report.selected.join()
  return [
    ...labelled(
      'Sets',
      sets.eligible.length === 0 ? 'none that is bound and asked for' : sets.eligible.join(', '),
      options,
    ),
    ...(sets.unbound.length === 0
      ? []
      : labelled('', `not bound to the namespace: ${sets.unbound.join(', ')}`, options)),
    ...(sets.unknown.length === 0 ? [] : labelled('', `asked for, not existing: ${sets.unknown.join(', ')}`, options)),
    ...labelled('Status', conditionLine('PlacementSatisfied', report.satisfied, says?.satisfied), options),
    ...(report.misconfigured.status === 'True'
      ? labelled('', conditionLine('PlacementMisconfigured', report.misconfigured, says?.misconfigured), options)
      : []),
    ...(differs ? labelled('Decision', `the hub's decision is ${list(decided, CLUSTERS_SHOWN)}`, options) : []),
    ...labelled('Frozen', report.frozen, options),
    ...report.doubts.flatMap(doubt => labelled('Doubt', doubt, options)),
    ...report.unseen.flatMap(({ resource, reason }) => labelled('Unread', `${resource}: ${reason}`, options)),
  ]
}

function editLines({ edit }: PlacementExplanationReport, options: RenderOptions, most: number): string[] {
  if (edit === null) return []
  const { made, lost } = edit.applications
  const lines = [
    ...labelled('Comes', edit.comes.length === 0 ? '' : list(edit.comes, most), options),
    ...labelled('Goes', edit.goes.length === 0 ? '' : list(edit.goes, most), options),
    ...labelled('May go', edit.mayGo.length === 0 ? '' : list(edit.mayGo, most), options),
    ...edit.others.flatMap(p =>
      labelled('Besides', `Placement ${p.namespace}/${p.name} selects ${list(p.selected, most)}`, options),
    ),
    ...made.slice(0, most).flatMap(app => labelled('Makes', appText(app), options)),
    ...lost.slice(0, most).flatMap(app => labelled('Deletes', `${appText(app)}: ${app.effect}`, options)),
  ]
  return [options.style.bold('The edit'), ...(lines.length === 0 ? ['  changes nothing of what is selected'] : lines)]
}

function appText(app: { namespace: string; name: string; cluster: string; applicationSet: string }): string {
  const name = app.name === '' ? `an Application of ${app.applicationSet}` : `Application ${app.namespace}/${app.name}`
  return `${name} for ${app.cluster}`
}
