import type { Fleet } from '../fleet/fleet.ts'
import { type Subject, subjectKey, subjectText } from '../fleet/subject.ts'
import type { Removal, Want } from '../plan/make-steps.ts'
import type { ApiVersionOf } from '../plan/manifests/served.ts'
import { type Manifest, subjectOf } from '../plan/object.ts'
import type { PlanNote, Risk } from '../plan/plan.ts'
import { merge } from '../plan/values.ts'
import { type RawObject, textAt } from '../raw.ts'
import type { Chosen } from './choose.ts'

/** What the fixes of some findings come to, before it is compared with the hub. */
export interface Draft {
  /** One for each object, in the order in which they are wanted. */
  readonly wants: readonly (Want | Removal)[]
  /** Keys of objects of which a fix only starts something once. */
  readonly once: ReadonlySet<string>
  readonly notes: readonly PlanNote[]
  /** What is not done: the object and the reason. */
  readonly left: readonly string[]
}

interface Wanted {
  want: Want | Removal
  once: boolean
}

interface DraftInput {
  readonly fleet: Fleet
  kept(of: Subject): RawObject | undefined
  readonly version: ApiVersionOf
  /** The draft becomes files for Git: what only starts something is left out. */
  readonly forFiles: boolean
}

/** Two fixes of one object are one step, with the reasons and the risks of both. */
function withMore(want: Want, why: string, risk: Risk | undefined): Want {
  const reasons = want.why.includes(why) ? want.why : `${want.why}; ${why}`
  if (risk === undefined) return { ...want, why: reasons }
  const before = want.risk
  if (before === undefined || before.text === '') return { ...want, why: reasons, risk }
  const level = before.level === 'high' || risk.level === 'high' ? 'high' : 'low'
  const text = before.text.includes(risk.text) ? before.text : `${before.text}; ${risk.text}`
  return { ...want, why: reasons, risk: { level, text } }
}

/** Works out the fixes one after another; each sees what those before it want. */
export function draftFixes(chosen: readonly Chosen[], { fleet, kept, version, forFiles }: DraftInput): Draft {
  const wanted = new Map<string, Wanted>()
  const notes: PlanNote[] = []
  const left: string[] = []
  const object = (of: Subject): RawObject | undefined => {
    const there = kept(of)
    const want = wanted.get(subjectKey(of))?.want
    // Merging adds to an object and takes nothing of its shape.
    return want?.type === 'object' ? (merge(there ?? {}, want.manifest) as RawObject) : there
  }
  for (const { node, fix } of chosen) {
    const { check, finding } = node.found
    const place = `${check.code} ${subjectText(finding.subject)}`
    const repair = fix.hinders?.(finding, fleet) ?? fix.repair({ finding, fleet, object, version })
    if (typeof repair === 'string') {
      left.push(`${place}: ${repair}`)
      notes.push({ level: 'warning', code: 'not-fixed', text: `${place}: ${repair}. By hand: ${finding.fix}` })
      continue
    }
    if (repair.afterwards !== undefined)
      notes.push({ level: 'info', code: 'afterwards', text: `${place}: afterwards ${repair.afterwards}` })
    const section = `${check.code} ${check.slug}`
    const risk = { level: fix.safe ? 'low' : 'high', text: fix.risk } as const
    for (const [i, step] of repair.steps.entries()) {
      // The risk is that of the whole repair; it is told once.
      const common = i === 0 ? { section, risk } : { section }
      if (step.does === 'delete') {
        wanted.set(subjectKey(step.subject), {
          want: {
            type: 'delete',
            subject: step.subject,
            uid: textAt(object(step.subject), 'metadata', 'uid'),
            why: step.why,
            ...common,
          },
          once: false,
        })
        continue
      }
      const of = subjectOf('hub', step.manifest)
      if (forFiles && step.once === true) {
        const text = `${subjectText(of)}: ${step.why}; that is no matter of Git and is done without --export`
        left.push(text)
        notes.push({ level: 'warning', code: 'not-for-git', text })
        continue
      }
      const before = wanted.get(subjectKey(of))
      if (before?.want.type === 'delete') continue
      const shared = kept(of) !== undefined
      const once = step.once === true && before?.once !== false
      const manifest = merge(before?.want.manifest ?? {}, step.manifest) as Manifest
      const first: Want = before?.want ?? { type: 'object', manifest, why: step.why, ...common }
      const told =
        before === undefined ? first : withMore(before.want, step.why, 'risk' in common ? common.risk : undefined)
      wanted.set(subjectKey(of), { want: { ...told, manifest, shared }, once })
    }
  }
  return {
    wants: [...wanted.values()].map(w => w.want),
    once: new Set([...wanted].filter(([, w]) => w.once).map(([key]) => key)),
    notes,
    left,
  }
}
