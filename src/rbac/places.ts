import { type KindName, resourceName } from '../fleet/kinds.ts'
import { getOrAdd } from '../fleet/maps.ts'
import { NamespaceFacts } from '../kube/namespace-facts.ts'
import { isReadOn, planFor, SIGNPOSTS } from '../kube/read-plan.ts'
import { textAt } from '../raw.ts'
import type { ClusterReport, FleetSource } from '../source/source.ts'
import type { Right } from './rights.ts'

/** Which namespaces of one cluster matter, and why. */
export interface Places {
  readonly facts: NamespaceFacts
}

export interface ClusterPlaces extends Places {
  readonly report: ClusterReport
  /** Why there may be further namespaces that matter; empty where all could be found. */
  readonly doubt: string
}

/**
 * Reads what tells the namespaces of each cluster, as a run does before it reads in them.
 *
 * @param secrets whether cluster secrets may be read: they say which spoke an address in a destination is
 * @returns the hub first
 * @throws SourceError or KubeError when the source can show nothing
 */
export async function findPlaces(
  source: FleetSource,
  { secrets, argo }: { readonly secrets: boolean; readonly argo: readonly string[] },
  signal?: AbortSignal,
): Promise<readonly ClusterPlaces[]> {
  const wanted = new Set<KindName>(['Namespace', ...SIGNPOSTS, ...(secrets ? (['Secret'] as const) : [])])
  const facts = new Map<string, NamespaceFacts>()
  const existing = new Map<string, Set<string>>()
  const factsOf = (cluster: string): NamespaceFacts =>
    getOrAdd(facts, cluster, () => new NamespaceFacts(cluster === 'hub' ? 'hub' : 'spoke'))
  const { clusters } = await source.read(
    wanted,
    {
      object(cluster, kind, raw) {
        if (kind === 'Namespace') {
          getOrAdd(existing, cluster, () => new Set<string>()).add(textAt(raw, 'metadata', 'name'))
        }
        factsOf(cluster).observe(kind, raw)
      },
    },
    signal,
  )
  const hub = factsOf('hub')
  for (const ns of argo) hub.add('argo', ns)
  return clusters.map(report => {
    const own = factsOf(report.name)
    if (report.role === 'spoke') own.learnFrom(hub, report.name)
    const namespaces = report.coverage.get('Namespace')
    const isKnown = namespaces?.state === 'read' && namespaces.complete
    if (isKnown) own.knowExisting(existing.get(report.name) ?? [])
    return { report, facts: own, doubt: doubtOf(report) }
  })
}

/** Kinds that tell namespaces and cannot be done without. */
const TELLING: readonly KindName[] = ['Namespace', ...SIGNPOSTS]

function doubtOf({ role, coverage, otherwise }: ClusterReport): string {
  for (const kind of TELLING) {
    if (!isReadOn(kind, role) || planFor(kind, role).wideIsHelp === true) continue
    const c = coverage.get(kind) ?? otherwise
    if (c.state === 'refused' || c.state === 'not-recorded') return c.reason
    if (c.state === 'read' && !c.complete) return c.reason ?? `not all ${resourceName(kind)} could be read`
  }
  return ''
}

/** Namespaces in which a right is needed; for a right over the whole cluster there are none. */
export function placesOf({ where }: Right, { facts }: Places): readonly string[] {
  switch (where.scope) {
    case 'cluster':
      return []
    case 'roles': {
      const except = new Set(facts.namespaces(where.except ?? []))
      return facts.namespaces(where.roles).filter(ns => !except.has(ns))
    }
    case 'agent-mode':
      return facts.namespaces(['argo']).filter(ns => facts.agentMode.has(ns))
    case 'namespace':
      return [where.namespace]
  }
}
