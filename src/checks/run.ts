import type { Fleet } from '../fleet/fleet.ts'
import { deliveredClusters } from '../fleet/joins/delivered.ts'
import { type KindName, resourceName } from '../fleet/kinds.ts'
import type { LostField } from '../fleet/load.ts'
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

function why(coverage: Coverage): string | undefined {
  if (coverage.state === 'refused' || coverage.state === 'not-recorded') return coverage.reason
  if (coverage.state === 'read' && !coverage.complete) return coverage.reason ?? 'only a part of it could be read'
  return undefined
}

function unseenOn(fleet: Fleet, cluster: string, kinds: readonly KindName[]): Unseen[] {
  const view = cluster === 'hub' ? fleet.hub : fleet.spokes.get(cluster)
  if (view === undefined)
    return kinds
      .slice(0, 1)
      .map(k => ({ cluster, resource: resourceName(k), reason: `cluster ${cluster} was not read` }))
  return kinds.flatMap(kind => {
    const reason = why(view.coverage(kind))
    return reason === undefined ? [] : [{ cluster, resource: resourceName(kind), reason }]
  })
}

function lostIn(check: Check, lost: readonly LostField[]): Unseen[] {
  const hub = new Set<KindName>([...(check.needs.hub ?? []), ...(check.uses?.hub ?? [])])
  const spoke = new Set<KindName>([...(check.needs.spoke ?? []), ...(check.uses?.spoke ?? [])])
  return lost
    .filter(l => (l.subject.cluster === 'hub' ? hub : spoke).has(l.kind))
    .map(l => ({ cluster: l.subject.cluster, resource: resourceName(l.kind), reason: `field ignored: ${l.text}` }))
}

function unknownReason(unseen: readonly Unseen[], partly: boolean): string {
  const first = unseen[0]
  const more = unseen.length > 1 ? ` (and ${unseen.length - 1} more)` : ''
  const text =
    first === undefined
      ? 'something could not be seen'
      : `${first.resource} on ${first.cluster}: ${first.reason}${more}`
  return partly ? `partly evaluated; ${text}` : text
}

/**
 * Runs checks over a fleet. What a check needs decides, never the check itself: a needed kind that the hub does not serve
 * makes it skipped, one that could not be read makes it unknown, and a check that found nothing passes only if everything it
 * looks at was there to be seen. A check that throws is unknown; the others go on.
 */
export function runChecks(fleet: Fleet, checks: readonly Check[], lost: readonly LostField[] = []): CheckRun {
  const found: Found[] = []
  const unknown: UnknownCheck[] = []
  const skipped: SkippedCheck[] = []
  const passed: PassedCheck[] = []
  for (const check of checks) {
    const { code, slug, category } = check
    const needHub = check.needs.hub ?? []
    const notServed = needHub.filter(kind => !fleet.hub.serves(kind))
    if (notServed.length > 0) {
      skipped.push({ code, slug, category, reason: `the hub does not serve ${notServed.map(resourceName).join(', ')}` })
      continue
    }
    const blind = needHub.filter(kind => fleet.hub.coverage(kind).state !== 'read')
    if (blind.length > 0) {
      const unseen = unseenOn(fleet, 'hub', blind)
      unknown.push({ code, slug, category, reason: unknownReason(unseen, false), unseen })
      continue
    }
    const unseen = [...unseenOn(fleet, 'hub', [...needHub, ...(check.uses?.hub ?? [])]), ...lostIn(check, lost)]
    const spokeKinds = [...(check.needs.spoke ?? []), ...(check.uses?.spoke ?? [])]
    if (spokeKinds.length > 0) {
      for (const cluster of fleet.join(deliveredClusters)) unseen.push(...unseenOn(fleet, cluster, spokeKinds))
    }
    let findings: Finding[]
    try {
      const scope = fleet.withSpokesKnowing(check.needs.spoke ?? [])
      const reason = check.notApplicable?.(scope)
      if (reason !== undefined) {
        skipped.push({ code, slug, category, reason })
        continue
      }
      findings = [...check.run(scope)]
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
        reason: unknownReason(unseen, findings.length > 0 || fleet.spokes.size > 0),
        unseen: unseen.slice(0, MOST_UNSEEN),
      })
    } else if (findings.length === 0) passed.push({ code, slug, category, title: check.title })
  }
  return { found, unknown, skipped, passed }
}
