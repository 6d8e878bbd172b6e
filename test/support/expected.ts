import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'
import type { ReportedFinding } from '../../src/checks/report.ts'
import type { Subject } from '../../src/fleet/subject.ts'

/** An object of expected.yaml; name `*` stands for any. */
export interface ExpectedSubject {
  readonly cluster: string
  readonly kind: string
  readonly namespace?: string
  readonly name: string
  /** Subjects that are as good an answer. */
  readonly or?: readonly ExpectedSubject[]
}

export interface ExpectedRoot extends ExpectedSubject {
  readonly severity?: 'warning'
  /** False where nothing in any API shows it. */
  readonly visible?: false
}

export interface ExpectedTrace {
  readonly app: string
  readonly cluster?: string
  readonly firstBroken?: ExpectedSubject | 'none'
}

/** What a recorded fleet is known to suffer from. */
export interface Expected {
  readonly name: string
  readonly model: string
  readonly healthy: boolean
  readonly root?: readonly ExpectedRoot[]
  readonly symptoms?: readonly ExpectedSubject[]
  readonly allowed?: readonly ExpectedSubject[]
  readonly trace?: readonly ExpectedTrace[]
}

/** Fleets whose expectation the recording itself contradicts, each with the reason. */
export const KNOWN: Readonly<Record<string, string>> = {
  'agent-double-reconciliation':
    'the Secrets cluster-bm and cluster-sno that are said to lack skip-reconcile carry it in the recording',
}

export function readExpected(folder: string, name: string): Expected {
  return parse(readFileSync(join(folder, `${name}.expected.yaml`), 'utf8'))
}

export function same(subject: Subject | null | undefined, expected: ExpectedSubject): boolean {
  return (
    subject !== null &&
    subject !== undefined &&
    subject.cluster === expected.cluster &&
    subject.kind === expected.kind &&
    subject.namespace === (expected.namespace ?? '') &&
    (expected.name === '*' || subject.name === expected.name)
  )
}

export function isOneOf(subject: Subject | null | undefined, expected: ExpectedSubject): boolean {
  return [expected, ...(expected.or ?? [])].some(e => same(subject, e))
}

export function say(s: Subject | ExpectedSubject | null | undefined): string {
  return s === null || s === undefined
    ? 'none'
    : `${s.cluster}/${s.kind}/${s.namespace ? `${s.namespace}/` : ''}${s.name}`
}

export interface Verdict {
  readonly roots: number
  readonly rootsFound: number
  readonly falseRoots: number
  /** Undefined for a healthy fleet, or one without a visible root. */
  readonly rootFirst: boolean | undefined
  /** What is wrong, in words; empty when all is right. */
  readonly notes: readonly string[]
}

/**
 * Holds the roots of a doctor's report against what is known: each visible root is found with its severity, the first
 * finding is one of them, and nothing else is an error.
 */
export function judge(expected: Expected, findings: readonly ReportedFinding[]): Verdict {
  const notes: string[] = []
  const errors = findings.filter(f => f.severity === 'error')
  if (expected.healthy) {
    if (errors.length > 0)
      notes.push(`errors on a healthy fleet: ${errors.map(f => `${f.code} ${say(f.subject)}`).join('; ')}`)
    return { roots: 0, rootsFound: 0, falseRoots: errors.length, rootFirst: undefined, notes }
  }
  const all = expected.root ?? []
  const wanted = all.filter(r => r.visible !== false)
  const allowed = [...(expected.allowed ?? []), ...all.filter(r => r.visible === false)]
  let rootsFound = 0
  for (const want of wanted) {
    const found = findings.some(
      f => isOneOf(f.subject, want) && (want.severity === 'warning' || f.severity === 'error'),
    )
    if (found) rootsFound++
    else notes.push(`root missed: ${say(want)}`)
  }
  const first = wanted.some(r => r.severity !== 'warning') ? errors[0] : findings[0]
  const rootFirst = wanted.length === 0 ? undefined : wanted.some(r => isOneOf(first?.subject, r))
  if (rootFirst === false)
    notes.push(`first is ${first === undefined ? 'nothing' : `${first.code} ${say(first.subject)}`}`)
  const wrong = errors.filter(f => ![...wanted, ...allowed].some(r => isOneOf(f.subject, r)))
  if (wrong.length > 0) notes.push(`false roots: ${wrong.map(f => `${f.code} ${say(f.subject)}`).join('; ')}`)
  return { roots: wanted.length, rootsFound, falseRoots: wrong.length, rootFirst, notes }
}

/**
 * Is the first broken hop of a trace the expected one? Undefined when it is, else what is wrong. For `npm run score`, which
 * takes it from a bundle.
 */
export function judgeTrace(expected: ExpectedTrace, firstBroken: Subject | null): string | undefined {
  const want = expected.firstBroken === undefined || expected.firstBroken === 'none' ? null : expected.firstBroken
  const right = want === null ? firstBroken === null : isOneOf(firstBroken, want)
  return right ? undefined : `trace ${expected.app}: want ${say(want)}, got ${say(firstBroken)}`
}
