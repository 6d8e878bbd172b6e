import type { Check, Inputs } from './checks/check.ts'
import { byImportance, fold, type Node } from './checks/fold.ts'
import type { ReportedFinding } from './checks/report.ts'
import { type CheckRun, runChecks } from './checks/run.ts'
import { UsageError } from './errors.ts'
import { changedAt, newestOf } from './findings/changed-at.ts'
import { fixCommand, fixOf } from './fixes/lookup.ts'
import type { Fleet } from './fleet/fleet.ts'
import { globMatches } from './fleet/joins/spoke-argo.ts'
import { ways } from './fleet/joins/ways.ts'
import type { KindName } from './fleet/kinds.ts'
import { type LoadedFleet, loadFleet } from './fleet/load.ts'
import { subjectKey } from './fleet/subject.ts'
import { allAbsent, allTouched } from './impact.ts'
import { isoTime } from './iso-time.ts'
import type { FleetSource } from './source/source.ts'

/** A fleet with everything that the checks found in it: what doctor reports and trace looks up, so that they never disagree. */
export interface Diagnosis extends LoadedFleet {
  readonly fleet: Fleet
  readonly run: CheckRun
  /** Findings that nothing else explains, most important first. */
  readonly roots: readonly Node[]
}

/** Checks named by code, slug or glob, less the skipped ones. @throws UsageError for a name that no check has. */
export function selectChecks(
  all: readonly Check[],
  only: readonly string[],
  skip: readonly string[],
): readonly Check[] {
  const named = (check: Check, name: string): boolean =>
    globMatches(name.toUpperCase(), check.code) || globMatches(name, check.slug)
  for (const name of [...only, ...skip]) {
    if (!all.some(check => named(check, name)))
      throw new UsageError(`no check is called "${name}" (see: fleetctl doctor list)`)
  }
  return all.filter(check => (only.length === 0 || only.some(n => named(check, n))) && !skip.some(n => named(check, n)))
}

/** Every kind that these checks read on the hub or on spokes, and those that tell how many Applications a finding touches. */
export function kindsFor(checks: readonly Check[]): ReadonlySet<KindName> {
  return new Set([...(ways.inputs.hub ?? []), ...kindsOn('hub', checks), ...kindsOn('spoke', checks)])
}

/** Kinds that these checks read on one side. */
export function kindsOn(side: keyof Inputs, checks: readonly Check[]): ReadonlySet<KindName> {
  return new Set(checks.flatMap(({ needs, uses }) => [...(needs[side] ?? []), ...(uses?.[side] ?? [])]))
}

const MOST_NAMES = 10

/** A node as scripts see it, with everything that it explains. */
export function reported(diagnosis: Pick<Diagnosis, 'fleet'>, node: Node): ReportedFinding {
  const { check, finding } = node.found
  const hit = [...allTouched(diagnosis.fleet, node)]
  const absent = allAbsent(node)
  const apps = [...new Set([...hit.map(w => w.key), ...absent.flatMap(a => a.app ?? [])])].sort()
  const clusters = [...new Set([...hit, ...absent].map(w => w.cluster).filter(c => c !== ''))].sort()
  const command = fixCommand(check.code, finding, diagnosis.fleet)
  const explains = [...node.children].sort(byImportance(() => 0)).map(child => reported(diagnosis, child))
  const own = newestOf(finding.evidence.map(evidence => changedAt(diagnosis.fleet, evidence)))
  const below = explains.map(child => child.changedAt)
  // What has no time may be new: then it is not known of the whole either.
  const isKnown = own !== undefined && !below.includes('')
  const changed = isKnown ? newestOf([own, ...below.map(Date.parse)]) : undefined
  return {
    code: check.code,
    slug: check.slug,
    category: check.category,
    severity: node.severity,
    fingerprint: `${check.code}/${subjectKey(finding.subject)}`,
    subject: finding.subject,
    message: finding.message,
    evidence: finding.evidence,
    effect: finding.effect ?? '',
    fix: finding.fix,
    fixCommand: command,
    fixInGit: command.length > 0 && fixOf(check.code)?.inGit !== false,
    impact: {
      applications: apps.length,
      clusters: clusters.length,
      applicationNames: apps.slice(0, MOST_NAMES),
      clusterNames: clusters.slice(0, MOST_NAMES),
      ...(diagnosis.fleet.hub.isNarrow('Application') ? { atLeast: true as const } : {}),
    },
    changedAt: isoTime(changed),
    explains,
  }
}

/** Reads the fleet and runs the checks. @throws SourceError when the source can show nothing. */
export async function diagnose(
  source: FleetSource,
  checks: readonly Check[],
  signal?: AbortSignal,
): Promise<Diagnosis> {
  const loaded = await loadFleet(source, kindsFor(checks), signal, kindsOn('spoke', checks))
  return examine(loaded, checks)
}

/** Runs the checks over a fleet that was read. */
export function examine(loaded: LoadedFleet, checks: readonly Check[]): Diagnosis {
  const run = runChecks(loaded.fleet, checks, loaded.lost)
  const impacts = new Map<Node, number>()
  const roots = fold(run.found)
  for (const root of roots) impacts.set(root, allTouched(loaded.fleet, root).size + allAbsent(root).length)
  roots.sort(byImportance(node => impacts.get(node) ?? 0))
  return { ...loaded, run, roots }
}
