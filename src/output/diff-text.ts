import type { FieldChange, FindingChange, FleetDiff, ObjectChange, Section } from '../diff/fleet-diff.ts'
import { SECTIONS } from '../diff/fleet-diff.ts'
import { EXIT } from '../errors.ts'
import { severityWord, subjectLabel } from './finding-block.ts'
import { count, wrap } from './layout.ts'
import type { RenderOptions } from './options.ts'
import { oneLine } from './sanitize.ts'

const CHANGES_SHOWN = 20
const GAPS_SHOWN = 5

const TITLES: Readonly<Record<Section, string>> = {
  clusters: 'Managed clusters',
  decisions: 'Decisions of Placements',
  secrets: 'Cluster secrets of Argo CD',
  applications: 'Applications',
  works: 'ManifestWorks',
}

/** What changed, part by part of the chain, then the findings that came and went. */
export function renderDiff(diff: FleetDiff, options: RenderOptions): string {
  return text(diff, options, false)
}

/** With every change, and all that is folded under others. */
export function renderDiffWide(diff: FleetDiff, options: RenderOptions): string {
  return text(diff, { ...options, width: Number.POSITIVE_INFINITY }, true)
}

function text(diff: FleetDiff, options: RenderOptions, wide: boolean): string {
  const sections = [
    [stateLine('Before', diff.before), stateLine('After', diff.after)],
    ...SECTIONS.map(section => sectionLines(diff, section, options, wide)),
    findingLines(diff, options, wide),
    gapLines(diff, options, wide),
    [summary(diff, options)],
  ]
  return sections
    .filter(lines => lines.length > 0)
    .map(lines => `${lines.join('\n')}\n`)
    .join('\n')
}

function stateLine(word: string, { type, name, now }: FleetDiff['before']): string {
  return `${`${word}:`.padEnd(8)}${oneLine(`${type} ${name}${now === '' ? '' : `, as of ${now}`}`)}`
}

function sectionLines(diff: FleetDiff, section: Section, options: RenderOptions, wide: boolean): string[] {
  const changes = diff.changes.filter(change => change.section === section)
  if (changes.length === 0) return []
  const shown = wide ? changes : changes.slice(0, CHANGES_SHOWN)
  const more = changes.length - shown.length
  return [
    options.style.bold(TITLES[section]),
    ...shown.flatMap(change => changeLines(change, options)),
    ...(more > 0 ? [`  and ${more} more (-o wide lists them)`] : []),
  ]
}

function changeLines({ change, subject, fields }: ObjectChange, options: RenderOptions): string[] {
  const { style } = options
  const mark = { added: style.green('+'), removed: style.red('-'), changed: style.yellow('~') }[change]
  const texts = fields.filter(f => change === 'changed' || f.before !== f.after).map(f => fieldText(f, change))
  const line = `${mark} ${subjectLabel(subject)}${texts.length === 0 ? '' : `: ${texts.join('; ')}`}`
  return wrap(line, options.width, '  ', '      ')
}

function fieldText({ field, ...values }: FieldChange, change: ObjectChange['change']): string {
  if (field === 'uid') return 'made anew'
  const [before, after] = [values.before, values.after].map(value =>
    field === 'revision' ? shortRevision(value) : value,
  )
  if (change !== 'changed') return oneLine(`${field} ${change === 'added' ? after : before}`)
  if (LISTS.has(field)) {
    const [was, is] = [before, after].map(value => (value ?? '').split(', ').filter(item => item !== ''))
    const gone = (was ?? []).filter(item => !is?.includes(item)).map(item => `-${item}`)
    const come = (is ?? []).filter(item => !was?.includes(item)).map(item => `+${item}`)
    return oneLine(`${field} ${[...come, ...gone].join(' ')}`)
  }
  return oneLine(`${field} ${before || '<none>'} -> ${after || '<none>'}`)
}

/** As Git shows commits: twelve digits tell them apart. */
function shortRevision(value: string): string {
  return /^[0-9a-f]{40}$/.test(value) ? value.slice(0, 12) : value
}

/** Fields that are lists of names, of which only the difference matters. */
const LISTS: ReadonlySet<string> = new Set(['clusters', 'labels', 'taints', 'conditions', 'readOnly'])

function findingLines(diff: FleetDiff, options: RenderOptions, wide: boolean): string[] {
  const roots = diff.findings.filter(f => wide || options.showSymptoms || f.explainedBy === '')
  const folded = diff.findings.length - roots.length
  const lines = roots.flatMap(finding => findingChangeLines(finding, options))
  if (folded > 0) lines.push(`  and ${count(folded, 'finding')} that others explain (-o wide lists them)`)
  return lines.length === 0 ? [] : [options.style.bold('Findings'), ...lines]
}

function findingChangeLines(finding: FindingChange, options: RenderOptions): string[] {
  const { change, code, slug, severityBefore, message, subject, certain } = finding
  const word = { new: 'new ', gone: 'gone', changed: 'was ' }[change]
  const before = severityBefore === '' ? '' : `${severityBefore}, now `
  const doubt = certain ? '' : ' (uncertain: the check could not see all in the other state)'
  const head = `${word} ${before}${severityWord(finding.severity, options)} ${code} ${slug}: ${subjectLabel(subject)}${doubt}`
  return [
    ...wrap(head, options.width, '  ', '      '),
    ...wrap(oneLine(message), options.width, '         ', '         '),
  ]
}

function gapLines({ notCompared }: FleetDiff, options: RenderOptions, wide: boolean): string[] {
  if (notCompared.length === 0) return []
  const shown = wide ? notCompared : notCompared.slice(0, GAPS_SHOWN)
  const more = notCompared.length - shown.length
  return [
    options.style.bold('Not compared'),
    ...shown.flatMap(({ state, cluster, resource, reason }) =>
      wrap(oneLine(`${resource} on ${cluster}, ${state}: ${reason}`), options.width, '  ', '      '),
    ),
    ...(more > 0 ? [`  and ${more} more (-o wide lists them)`] : []),
  ]
}

function summary({ summary: s, notCompared }: FleetDiff, { exitCode }: RenderOptions): string {
  const objects = s.added + s.removed + s.changed
  const findings = s.newFindings + s.goneFindings + s.changedFindings
  const rest = notCompared.length === 0 ? '' : `; ${count(notCompared.length, 'list')} could not be compared`
  const said =
    objects + findings === 0
      ? 'No difference'
      : `${s.added} added, ${s.removed} removed, ${s.changed} changed; ` +
        `${count(s.newFindings, 'new finding')}, ${s.goneFindings} gone` +
        (s.changedFindings === 0 ? '' : `, ${s.changedFindings} of another severity`)
  const code =
    exitCode === EXIT.incomplete
      ? ' Exit code 3: not everything could be compared (--allow-incomplete accepts that).'
      : ''
  return `${said}${rest}.${code}`
}
