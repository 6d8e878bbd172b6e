import type { Evidence, Severity } from '../checks/check.ts'
import type { ReportedFinding } from '../checks/report.ts'
import { type Subject, subjectKey, subjectText } from '../fleet/subject.ts'
import { shellLine } from '../plan/shell.ts'
import { foldedByCode } from './counts.ts'
import { count, shorten, some, width, wrap } from './layout.ts'
import type { RenderOptions } from './options.ts'
import { oneLine } from './sanitize.ts'

/** A value of the evidence on a terminal; whole in `wide` and where there is no terminal. */
const LONGEST_VALUE = 240
const LABEL = 9
const INDENT = ' '.repeat(2 + LABEL)

/** `openshift-gitops/Placement/production on bm (missing)`. */
export function subjectLabel(subject: Subject): string {
  return oneLine(`${subjectText(subject)}${subject.missing === true ? ' (missing)' : ''}`)
}

/** A severity as a coloured word. */
export function severityWord(severity: Severity, { style }: RenderOptions): string {
  if (severity === 'error') return style.red('Error')
  if (severity === 'warning') return style.yellow('Warning')
  return style.cyan('Info')
}

/** The head of a finding: severity, code, slug, subject; the subject on a line of its own where the terminal is narrow. */
function head(finding: ReportedFinding, options: RenderOptions, indent = ''): string[] {
  const { code, slug, severity } = finding
  const what = `${indent}${severityWord(severity, options)} ${options.style.bold(code)} ${slug}`
  const line = `${what}   ${subjectLabel(finding.subject)}`
  return width(line) <= options.width ? [line] : [what, `${indent}  ${subjectLabel(finding.subject)}`]
}

/** A finding as a block of lines: head, message, and what was seen, its effect and its fix. */
export function findingBlock(finding: ReportedFinding, options: RenderOptions): string[] {
  const lines = [
    ...head(finding, options),
    ...wrap(finding.message, options.width, '  '),
    ...findingDetails(finding, options),
  ]
  if (options.showSymptoms) lines.push(...symptoms(finding, options, '  '))
  return lines
}

/** The labelled lines below the message: what a trace shows of the finding too. */
export function findingDetails(finding: ReportedFinding, options: RenderOptions): string[] {
  const { effect, fix, fixCommand, fixInGit } = finding
  const byCode = foldedByCode(finding)
  const isMachine = fixCommand.length > 0
  const command = `${options.command} ${shellLine([...fixCommand, ...(options.source ?? [])])}`
  return [
    ...labelled('Seen', seen(finding, options), options),
    ...labelled('Effect', [effect, byCode === '' ? '' : `(${byCode})`].filter(part => part !== '').join(' '), options),
    ...labelled('Impact', impact(finding), options),
    ...(isMachine ? [...toPaste('Fix', command, options), `${INDENT}shows a plan first`] : []),
    ...(fixInGit ? toPaste('In Git', `${command} --export DIR`, options) : []),
    ...labelled(isMachine ? 'By hand' : 'Fix', fix, options),
    ...labelled('More', `${options.command} explain ${finding.code}`, options),
  ]
}

/** `  Label    text`; every line of the text starts in the same column. */
export function labelled(label: string, text: string, options: RenderOptions): string[] {
  if (text.trim() === '') return []
  return text
    .trim()
    .split('\n')
    .flatMap((line, i) => {
      const first = i === 0 ? labelOf(label, options) : INDENT
      // An indented line is a manifest or a command: its blanks matter.
      if (/^ /.test(line)) return [first + line]
      return wrap(line, options.width, first, INDENT)
    })
}

/** A command on one line whatever the width, and alone there: it is copied as it stands. */
function toPaste(label: string, command: string, options: RenderOptions): string[] {
  return [labelOf(label, options) + oneLine(command)]
}

function labelOf(label: string, { style }: RenderOptions): string {
  return `  ${style.dim(label.padEnd(LABEL))}`
}

/** The evidence in order; an object is named when it is another than the one spoken of before, first the finding's own. */
function seen(finding: ReportedFinding, options: RenderOptions): string {
  let before = finding.subject
  const texts = finding.evidence.map(evidence => {
    const text = evidenceText(evidence, before, options)
    before = evidence.subject
    return text
  })
  return texts.join('; ')
}

function evidenceText(evidence: Evidence, before: Subject, options: RenderOptions): string {
  const whole = oneLine(evidence.value)
  const value =
    options.width === Number.POSITIVE_INFINITY ? whole : shorten(whole, LONGEST_VALUE, options.symbols.ellipsis)
  const object = subjectKey(evidence.subject) === subjectKey(before) ? '' : subjectText(evidence.subject)
  const where = oneLine([object, evidence.path].filter(part => part !== '').join(' '))
  if (where === '') return value
  return evidence.path === '' ? `${where} ${value}` : `${where}: ${value}`
}

function impact({ impact: of }: ReportedFinding): string {
  const parts: string[] = []
  if (of.applications > 0) {
    parts.push(`${count(of.applications, 'Application')}: ${some(of.applicationNames, of.applications, 3)}`)
  }
  if (of.clusters > 0) parts.push(`${count(of.clusters, 'cluster')}: ${some(of.clusterNames, of.clusters, 3)}`)
  return parts.length > 0 && of.atLeast === true ? `at least ${parts.join('; ')}` : parts.join('; ')
}

/** Folded findings as a tree of heads with their messages. */
function symptoms(finding: ReportedFinding, options: RenderOptions, indent: string): string[] {
  if (finding.explains.length === 0) return []
  const title = indent === '  ' ? [`  ${options.style.dim('Symptoms')}`] : []
  return [
    ...title,
    ...finding.explains.flatMap(explained => [
      ...head(explained, options, `${indent}  `),
      ...wrap(explained.message, options.width, `${indent}    `),
      ...symptoms(explained, options, `${indent}  `),
    ]),
  ]
}
