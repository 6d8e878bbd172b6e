import type { Fleet } from '../fleet/fleet.ts'
import type { KindName } from '../fleet/kinds.ts'
import { groupBy, indexBy } from '../fleet/maps.ts'
import type { Base } from '../fleet/records.ts'
import { type Subject, subject } from '../fleet/subject.ts'
import { applicationFacts, clusterFacts, decisionFacts, type Facts, secretFacts, workFacts } from './facts.ts'
import type { Section } from './fleet-diff.ts'

/** What is compared of one kind on one cluster. */
export interface Part {
  readonly section: Section
  readonly cluster: string
  readonly kind: KindName
  readonly objects: readonly { readonly subject: Subject; readonly facts: Facts }[]
}

/** Everything of a fleet that is compared, the hub first, the spokes by name. */
export function partsOf(fleet: Fleet): readonly Part[] {
  const { hub } = fleet
  const decisions = groupBy(hub.of('PlacementDecision').all, d => `${d.meta.namespace}/${d.placement}`)
  // A decision may outlive its Placement, and a Placement may have none yet.
  const placements = hub.of('Placement').all.map(({ meta }) => ({ namespace: meta.namespace, name: meta.name }))
  const owners = hub.of('PlacementDecision').all.map(d => ({ namespace: d.meta.namespace, name: d.placement }))
  const decided = [...indexBy([...owners, ...placements], p => `${p.namespace}/${p.name}`)].map(([key, placement]) => ({
    subject: subject('hub', 'Placement', placement.namespace, placement.name),
    facts: decisionFacts(decisions.get(key) ?? []),
  }))
  const spokes = [...fleet.spokes.values()].sort((a, b) => (a.name < b.name ? -1 : 1))
  return [
    part('clusters', 'hub', 'ManagedCluster', hub.of('ManagedCluster').all, clusterFacts),
    { section: 'decisions', cluster: 'hub', kind: 'PlacementDecision', objects: decided },
    part('secrets', 'hub', 'Secret', hub.of('Secret').all, secretFacts),
    part('applications', 'hub', 'Application', hub.of('Application').all, applicationFacts),
    part('works', 'hub', 'ManifestWork', hub.of('ManifestWork').all, workFacts),
    ...spokes.map(view => part('applications', view.name, 'Application', view.of('Application').all, applicationFacts)),
  ]
}

function part<R extends Base>(
  section: Section,
  cluster: string,
  kind: KindName,
  records: readonly R[],
  factsOf: (record: R) => Facts | undefined,
): Part {
  const objects = records.flatMap(record => {
    const facts = factsOf(record)
    return facts === undefined ? [] : [{ subject: record.subject, facts }]
  })
  return { section, cluster, kind, objects }
}
