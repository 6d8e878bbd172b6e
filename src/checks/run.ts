import type { Fleet } from '../fleet/fleet.ts'
import { deliveredClusters } from '../fleet/joins/delivered.ts'
import { type KindName, resourceName } from '../fleet/kinds.ts'
import type { LostField } from '../fleet/load.ts'
import { pushTo } from '../fleet/maps.ts'
import { subjectKey } from '../fleet/subject.ts'
import type { Coverage } from '../source/source.ts'
import type { Check, Finding } from './check.ts'
import type { PassedCheck, SkippedCheck, UnknownCheck } from './report.ts'

/** A finding with the check that it came from. */
export interface Found {
  readonly check: Check
  readonly finding: Finding
}

export interface CheckRun {
  readonly found: readonly Found[]
  readonly unknown: readonly UnknownCheck[]
  readonly skipped: readonly SkippedCheck[]
  readonly passed: readonly PassedCheck[]
}

type Unseen = UnknownCheck['unseen'][number]

/** Clusters named one by one in an unknown; the reason carries the count. */
const MOST_UNSEEN = 20

const NO_KINDS: ReadonlySet<KindName> = new Set()

function why(coverage: Coverage): string | undefined {
  if (coverage.state === 'refused' || coverage.state === 'not-recorded') return coverage.reason
  if (coverage.state === 'read' && !coverage.complete) return coverage.reason ?? 'only a part of it could be read'
  return undefined
}

function unseenOn(fleet: Fleet, cluster: string, kinds: ReadonlySet<KindName>): Unseen[] {
  const view = cluster === 'hub' ? fleet.hub : fleet.spokes.get(cluster)
  if (view === undefined)
    return [...kinds]
      .slice(0, 1)
      .map(k => ({ cluster, resource: resourceName(k), reason: `cluster ${cluster} was not read` }))
  return [...kinds].flatMap(kind => {
    const reason = why(view.coverage(kind))
    return reason === undefined ? [] : [{ cluster, resource: resourceName(kind), reason }]
  })
}

/** Kinds that must be whole and of which only a part was asked for. */
function narrowed(fleet: Fleet, { whole, perObject = [] }: Check): Unseen[] {
  return (whole?.hub ?? []).flatMap(kind => {
    const coverage = fleet.hub.coverage(kind)
    if (coverage.state !== 'read' || coverage.narrow === undefined || perObject.includes(kind)) return []
    return [{ cluster: 'hub', resource: resourceName(kind), reason: coverage.narrow }]
  })
}

/** Adds what the spokes do not show. Thousands that nobody recorded are counted, not listed. Returns the count of all. */
function addUnseenOnSpokes(fleet: Fleet, kinds: ReadonlySet<KindName>, unseen: Unseen[]): number {
  let more = 0
  for (const cluster of fleet.join(deliveredClusters)) {
    if (fleet.tools.spokesNamed && !fleet.spokes.has(cluster)) continue
    if (unseen.length < MOST_UNSEEN || fleet.spokes.has(cluster)) unseen.push(...unseenOn(fleet, cluster, kinds))
    else more++
  }
  return unseen.length + more
}

/** Each kind once, of several declarations. */
function kindsOf(...lists: readonly (readonly KindName[] | undefined)[]): ReadonlySet<KindName> {
  return new Set(lists.flatMap(list => list ?? []))
}

function lostIn(hub: ReadonlySet<KindName>, spoke: ReadonlySet<KindName>, lost: readonly LostField[]): Unseen[] {
  return lost
    .filter(l => (l.subject.cluster === 'hub' ? hub : spoke).has(l.kind))
    .map(l => ({ cluster: l.subject.cluster, resource: resourceName(l.kind), reason: `field ignored: ${l.text}` }))
}

/** Does a finding say something of a field that could not be used? Then what it takes for absent may well be there. */
function restsOnLost(finding: Finding, lost: ReadonlyMap<string, readonly string[]>): boolean {
  return finding.evidence.some(e =>
    (lost.get(subjectKey(e.subject)) ?? []).some(
      path => e.path === path || e.path.startsWith(`${path}.`) || e.path.startsWith(`${path}[`),
    ),
  )
}

/** Spokes of which a check can say something: what it needs was read, and what must be whole is. */
function scopeOf(fleet: Fleet, { needs, whole }: Check): Fleet {
  const scope = fleet.withSpokesKnowing(needs.spoke ?? [])
  return whole?.spoke === undefined ? scope : scope.withSpokesKnowing(whole.spoke, 'whole')
}

/** @param count of all that is unseen; `unseen` may hold only the first. */
function unknownReason(unseen: readonly Unseen[], partly: boolean, count = unseen.length): string {
  const first = unseen[0]
  const more = count > 1 ? ` (and ${count - 1} more)` : ''
  const text =
    first === undefined
      ? 'something could not be seen'
      : `${first.resource} on ${first.cluster}: ${first.reason}${more}`
  return partly ? `partly evaluated; ${text}` : text
}

/**
 * Runs checks over a fleet. What a check needs decides, never the check itself: a needed kind that the hub does not serve
 * makes it skipped, one that could not be read (or not wholly, where it must be whole) makes it unknown, and a check that found
 * nothing passes only if everything it looks at was there to be seen. A check that throws is unknown; the others go on.
 */
export function runChecks(fleet: Fleet, checks: readonly Check[], lost: readonly LostField[] = []): CheckRun {
  const found: Found[] = []
  const unknown: UnknownCheck[] = []
  const skipped: SkippedCheck[] = []
  const passed: PassedCheck[] = []
  const lostPaths = new Map<string, string[]>()
  // Evidence names a condition by its type; one that has lost its place in the list may be any of them.
  for (const l of lost) pushTo(lostPaths, subjectKey(l.subject), l.path.replace(/\[\d+\](\.(type|status))?$/, ''))
  for (const check of checks) {
    const { code, slug, category } = check
    const needHub = check.needs.hub ?? []
    const notServed = needHub.filter(kind => !fleet.hub.serves(kind))
    if (notServed.length > 0) {
      skipped.push({ code, slug, category, reason: `the hub does not serve ${notServed.map(resourceName).join(', ')}` })
      continue
    }
    if (fleet.tools.spokesNamed && fleet.spokes.size === 0 && (check.needs.spoke ?? []).length > 0) {
      skipped.push({ code, slug, category, reason: 'no spoke was read (name them with --spoke)' })
      continue
    }
    const hubKinds = kindsOf(needHub, check.uses?.hub)
    const spokeKinds = kindsOf(check.needs.spoke, check.uses?.spoke)
    const whole = kindsOf(check.whole?.hub)
    const blind = needHub.filter(kind => fleet.hub.coverage(kind).state !== 'read')
    const lacking = [
      ...unseenOn(fleet, 'hub', kindsOf(blind, [...whole])),
      ...narrowed(fleet, check),
      ...lostIn(whole, NO_KINDS, lost),
    ]
    if (lacking.length > 0) {
      const reason = unknownReason(lacking, false)
      unknown.push({ code, slug, category, reason, unseen: lacking.slice(0, MOST_UNSEEN) })
      continue
    }
    const unseen = [...unseenOn(fleet, 'hub', hubKinds), ...lostIn(hubKinds, spokeKinds, lost)]
    const unseenCount = spokeKinds.size === 0 ? unseen.length : addUnseenOnSpokes(fleet, spokeKinds, unseen)
    let findings: Finding[]
    try {
      const scope = scopeOf(fleet, check)
      const reason = check.notApplicable?.(scope)
      if (reason !== undefined) {
        skipped.push({ code, slug, category, reason })
        continue
      }
      findings = [...check.run(scope)].filter(f => lostPaths.size === 0 || !restsOnLost(f, lostPaths))
    } catch (error) {
      const text = error instanceof Error ? error.message : String(error)
      unknown.push({ code, slug, category, reason: `the check failed: ${text}`, unseen: [] })
      continue
    }
    for (const finding of findings) found.push({ check, finding })
    if (unseen.length > 0) {
      unknown.push({
        code,
        slug,
        category,
        reason: unknownReason(unseen, findings.length > 0 || fleet.spokes.size > 0, unseenCount),
        unseen: unseen.slice(0, MOST_UNSEEN),
      })
    } else if (findings.length === 0) passed.push({ code, slug, category, title: check.title })
  }
  return { found, unknown, skipped, passed }
}
