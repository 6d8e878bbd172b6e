import { breaks, type Node, ownSeverity } from '../../checks/fold.ts'
import { blindTo } from '../../fleet/blind.ts'
import type { Fleet } from '../../fleet/fleet.ts'
import { type Subject, subjectKey } from '../../fleet/subject.ts'
import { isoTime } from '../../iso-time.ts'
import type { FindingIndex } from './finding-index.ts'
import type { AgentStatus, PartFinding, PartState, PartStatus } from './status.ts'

interface Claim {
  readonly of: Subject
  readonly codes: readonly string[]
}

/** A part before the doctor's findings are laid over it. */
interface Part {
  readonly message: string
  /** As the object itself tells; never `broken`, which is for the doctor to say. */
  readonly state?: Exclude<PartState, 'broken'>
  /** Epoch milliseconds. */
  readonly since?: number | undefined
  readonly ask?: string
  /** Further objects whose findings are about this part. */
  readonly covers?: readonly Subject[]
  /** Findings of these codes on an object that has, or may have, a part of its own are about this part instead. */
  readonly claims?: readonly Claim[]
  /** Findings about its object are told by other parts; only those that `also` names come here. */
  readonly apart?: boolean
  /** Findings of these codes that have a part of their own, where they are about this one too. */
  readonly also?: { readonly codes: ReadonlySet<string>; readonly cluster: string; is(node: Node): boolean }
}

interface Draft extends Part {
  readonly part: string
  readonly subject: Subject
  readonly state: Exclude<PartState, 'broken'>
  readonly keys: ReadonlySet<string>
}

/** Findings after which a part still does what it is for, with what is old. */
const STALE_CODES: ReadonlySet<string> = new Set(['FLT0808', 'FLT0814'])

/** Gravest first. */
const GRAVITY: readonly PartState[] = ['broken', 'unknown', 'stale', 'waiting', 'ok']

/** The gravest of several states; `ok` of none. */
export function gravest(states: readonly PartState[]): PartState {
  return GRAVITY.find(state => states.includes(state)) ?? 'ok'
}

export function byGravity(a: PartState, b: PartState): number {
  return GRAVITY.indexOf(a) - GRAVITY.indexOf(b)
}

/** Code of the finding that explains a node in the end. */
function rootCode(node: Node): string {
  let top = node
  while (top.parent !== undefined) top = top.parent
  return top.found.check.code
}

export function partFinding(node: Node): PartFinding {
  const { check, finding } = node.found
  return {
    code: check.code,
    severity: ownSeverity(node.found),
    subject: finding.subject,
    message: finding.message,
    root: rootCode(node),
  }
}

/** Gathers the parts of a principal or an agent, and lays findings over them. */
export class Parts {
  readonly #fleet: Fleet
  readonly #drafts: Draft[] = []
  /** Kinds that were refused or not recorded, of clusters that were read. */
  readonly unseen: AgentStatus['unseen'][number][] = []

  constructor(fleet: Fleet) {
    this.#fleet = fleet
  }

  /** Adds a part. One whose object could not be read is unknown, whatever is said of it, unless its state is given. */
  add(part: string, subject: Subject, draft: Part): void {
    const blind = draft.state === undefined || draft.state === 'waiting' ? blindTo(this.#fleet, subject) : undefined
    if (blind !== undefined && (subject.cluster === 'hub' || this.#fleet.spokes.has(subject.cluster)))
      this.unseen.push({ cluster: subject.cluster, resource: `${subject.kind}/${subject.name}`, reason: blind })
    this.#drafts.push({
      ...draft,
      part,
      subject,
      state: blind === undefined ? (draft.state ?? 'ok') : 'unknown',
      message: blind ?? draft.message,
      keys: new Set(draft.apart === true ? [] : [subject, ...(draft.covers ?? [])].map(subjectKey)),
    })
  }

  #isAbout(draft: Draft, node: Node): boolean {
    if (claims(draft, node)) return true
    return draft.keys.has(subjectKey(node.found.finding.subject)) && !this.#drafts.some(other => claims(other, node))
  }

  /**
   * The parts as they are told.
   *
   * @param placed takes the findings that are about one of them
   */
  told(findings: FindingIndex, placed: Set<Node>): PartStatus[] {
    return this.#drafts.map(draft => {
      const { also, claims: claimed = [] } = draft
      const keys = [...draft.keys, ...claimed.map(c => subjectKey(c.of))]
      const found = findings.among(keys, also?.cluster).filter(node => {
        const isOwn = this.#isAbout(draft, node)
        if (isOwn) placed.add(node)
        return isOwn || (also?.codes.has(node.found.check.code) === true && also.is(node))
      })
      const bad = found.filter(n => breaks(n.found) || ownSeverity(n.found) !== 'info')
      const isStale = bad.every(n => STALE_CODES.has(n.found.check.code))
      const worst = bad.find(n => breaks(n.found)) ?? bad[0]
      const state = worst === undefined ? draft.state : isStale ? 'stale' : 'broken'
      const own = bad.find(n => breaks(n.found) && this.#isAbout(draft, n)) ?? bad.find(n => this.#isAbout(draft, n))
      return {
        part: draft.part,
        subject: own === undefined ? draft.subject : placeOf(draft, own),
        state,
        since: isoTime(draft.since),
        message: own === undefined ? draft.message : own.found.finding.message,
        findings: found.map(partFinding),
        ask: draft.ask ?? '',
      }
    })
  }
}

function claims({ claims: list = [] }: Draft, { found }: Node): boolean {
  const key = subjectKey(found.finding.subject)
  return list.some(({ of, codes }) => codes.includes(found.check.code) && subjectKey(of) === key)
}

/** The object of the finding where it is one of the part's own, said to be missing where the finding says so. */
function placeOf({ keys, subject }: Draft, { found }: Node): Subject {
  const at = found.finding.subject
  return keys.has(subjectKey(at)) ? at : subject
}
