import { names } from '../checks/support.ts'
import { subjectKey, subjectText } from '../fleet/subject.ts'
import { duration } from '../output/age.ts'
import type { Blocker } from './result.ts'

/** Blockers that one cause explains, or that say the same. */
interface BlockerGroup {
  readonly state: Blocker['state']
  readonly reason: string
  readonly code: string
  readonly blockers: readonly Blocker[]
}

/** Blockers by what they have in common, the largest group first. */
export function groupBlockers(blockers: readonly Blocker[]): readonly BlockerGroup[] {
  const groups = new Map<string, BlockerGroup & { readonly blockers: Blocker[] }>()
  for (const b of blockers) {
    const key =
      b.cause === null ? `${b.state} ${b.reason} ${b.source}` : `${b.cause.code} ${subjectKey(b.cause.subject)}`
    const known = groups.get(key)
    if (known === undefined) {
      groups.set(key, { state: b.state, reason: b.reason, code: b.cause?.code ?? '', blockers: [b] })
    } else known.blockers.push(b)
  }
  return [...groups.values()].sort((a, b) => b.blockers.length - a.blockers.length)
}

/** What was read where, and how old it is: `ManifestWork feedback, 4m old`; empty for the object itself. */
export function sourceText({ source, asOf }: Blocker, now: string): string {
  if (source === '') return ''
  const old = Date.parse(now) - Date.parse(asOf)
  return Number.isNaN(old) ? source : `${source}, ${duration(old)} old`
}

const MOST_GROUPS = 3

/** What still blocks, in one line that changes only when that does: no age is in it. */
export function blockersLine(blockers: readonly Blocker[]): string {
  const groups = groupBlockers(blockers)
  const texts = groups.slice(0, MOST_GROUPS).map(({ state, reason, code, blockers: of }) => {
    const who = names(
      of.map(b => (b.subject.name === '' ? 'the fleet' : subjectText(b.subject))),
      2,
    )
    const why = code === '' ? reason : `${reason} (${code})`
    return `${who} ${state}: ${why}`
  })
  const more = groups.length > MOST_GROUPS ? [`and ${groups.length - MOST_GROUPS} more reasons`] : []
  return [...texts, ...more].join('; ')
}
