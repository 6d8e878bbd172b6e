import { UsageError } from '../errors.ts'
import type { Fleet } from '../fleet/fleet.ts'
import { globMatches } from '../fleet/joins/spoke-argo.ts'
import { KINDS, type KindName } from '../fleet/kinds.ts'
import type { ReportedFinding } from './report.ts'

/** `CODE` or `CODE:namespace/Kind/name`; both parts may hold globs. */
interface Rule {
  readonly text: string
  readonly code: string
  readonly object: string
}

/** Annotation on an object by which its owner silences checks: a comma list of codes. */
export const IGNORE_ANNOTATION = 'fleetctl.io/ignore'

/** @throws UsageError for a rule without a code. */
export function parseRules(texts: readonly string[]): readonly Rule[] {
  return texts.map(text => {
    const colon = text.indexOf(':')
    const code = colon < 0 ? text : text.slice(0, colon)
    if (code === '')
      throw new UsageError(`--ignore "${text}" names no check code (form: CODE or CODE:namespace/Kind/name)`)
    return { text, code: code.toUpperCase(), object: colon < 0 ? '*' : text.slice(colon + 1) }
  })
}

function annotated(fleet: Fleet, { code, subject }: ReportedFinding): boolean {
  if (!(subject.kind in KINDS) || subject.missing === true) return false
  const view = subject.cluster === 'hub' ? fleet.hub : fleet.spokes.get(subject.cluster)
  const record = view?.of(subject.kind as KindName).get(subject.namespace, subject.name)
  const codes = record?.meta.annotations[IGNORE_ANNOTATION] ?? ''
  return codes.split(',').some(c => c.trim() === code)
}

/** Says what suppresses a finding, or undefined. */
export function suppressor(rules: readonly Rule[]): (fleet: Fleet, finding: ReportedFinding) => string | undefined {
  return (fleet, finding) => {
    const { subject: s } = finding
    const object = `${s.namespace === '' ? '' : `${s.namespace}/`}${s.kind}/${s.name}`
    const rule = rules.find(r => globMatches(r.code, finding.code) && globMatches(r.object, object))
    if (rule !== undefined) return `--ignore ${rule.text}`
    return annotated(fleet, finding) ? `annotation ${IGNORE_ANNOTATION}` : undefined
  }
}
