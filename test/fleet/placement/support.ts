import { readFileSync } from 'node:fs'
import { parse } from 'yaml'
import type { KindName } from '../../../src/fleet/kinds.ts'
import type { PlacementWorld } from '../../../src/fleet/placement/world.ts'
import { type FieldNote, projectObject } from '../../../src/fleet/project/index.ts'
import type {
  DecisionGroup,
  ManagedCluster,
  Placement,
  PrioritizerPolicy,
  Records,
} from '../../../src/fleet/records.ts'
import { isObject, type RawObject } from '../../../src/raw.ts'

/** The objects in a list that came out of a fixture. */
export function raws(value: unknown): readonly RawObject[] {
  if (!Array.isArray(value)) throw new Error('not a list')
  return value.filter(isObject)
}

export function fixture(name: string): unknown {
  return parse(readFileSync(new URL(`fixtures/${name}`, import.meta.url), 'utf8'))
}

export function records<K extends KindName>(kind: K, objects: readonly RawObject[]): Records[K][] {
  const notes: FieldNote[] = []
  const projected = objects.map(raw => projectObject(kind, 'hub', raw, notes))
  if (notes.length > 0) throw new Error(`not projected: ${JSON.stringify(notes)}`)
  return projected.filter(record => record !== undefined)
}

/** A map of strings as it stands in a raw object. */
function strings(value: unknown): Record<string, string> {
  return isObject(value) ? Object.fromEntries(Object.entries(value).map(([key, text]) => [key, String(text)])) : {}
}

/** ManagedClusters with their resources. */
export function clusters(objects: readonly RawObject[]): ManagedCluster[] {
  const status = new Map(objects.map(raw => [isObject(raw.metadata) ? raw.metadata.name : '', raw.status]))
  return records('ManagedCluster', objects).map(cluster => {
    const raw = status.get(cluster.meta.name)
    const { capacity, allocatable } = isObject(raw) ? raw : {}
    return { ...cluster, capacity: strings(capacity), allocatable: strings(allocatable) }
  })
}

/** The world of `world.yaml` at the time when `cases.yaml` was recorded. */
export function casesWorld(): PlacementWorld {
  const file = fixture('world.yaml')
  const objects = raws(isObject(file) ? file.items : undefined)
  const ofKind = (kind: KindName): readonly RawObject[] => objects.filter(raw => raw.kind === kind)
  return {
    clusters: clusters(ofKind('ManagedCluster')),
    sets: records('ManagedClusterSet', ofKind('ManagedClusterSet')),
    bindings: records('ManagedClusterSetBinding', ofKind('ManagedClusterSetBinding')),
    now: Date.parse('2026-11-30T17:41:00Z'),
  }
}

function policyOf(spec: RawObject): PrioritizerPolicy {
  const policy = isObject(spec.prioritizerPolicy) ? spec.prioritizerPolicy : {}
  return {
    mode: String(policy.mode ?? ''),
    configurations: raws(policy.configurations ?? []).map(({ scoreCoordinate, weight }) => {
      const { type, builtIn = '', addOn } = isObject(scoreCoordinate) ? scoreCoordinate : {}
      return {
        type: String(type ?? 'BuiltIn'),
        builtIn: String(builtIn),
        addOn: isObject(addOn) ? `${addOn.resourceName}/${addOn.scoreName}` : '',
        weight: Number(weight ?? 1),
      }
    }),
  }
}

function groupsOf(spec: RawObject): DecisionGroup[] {
  const strategy = isObject(spec.decisionStrategy) ? spec.decisionStrategy.groupStrategy : {}
  return raws(isObject(strategy) ? (strategy.decisionGroups ?? []) : []).map(group => {
    // a group's selector has the shape of a predicate's
    const spec = { predicates: [{ requiredClusterSelector: group.groupClusterSelector }] }
    const [predicate] = records('Placement', [{ metadata: { name: 'group' }, spec }])[0]?.predicates ?? []
    const { labelSelector, claimExpressions = [] } = predicate ?? {}
    return { name: String(group.groupName), labelSelector, claimExpressions }
  })
}

export function placement(name: string, namespace: string, spec: RawObject, metadata: RawObject = {}): Placement {
  const [record] = records('Placement', [{ metadata: { ...metadata, name, namespace }, spec }])
  if (record === undefined) throw new Error('no Placement')
  return { ...record, prioritizerPolicy: policyOf(spec), decisionGroups: groupsOf(spec) }
}

/** The Placement of a case: `name`, `namespace`, `spec`, `annotations`. */
export function placementOf({ name, namespace, spec, annotations = {} }: RawObject): Placement {
  return placement(String(name), String(namespace), isObject(spec) ? spec : {}, { annotations })
}

/** A world with one of its clusters changed. */
export function withCluster(world: PlacementWorld, name: string, change: Partial<ManagedCluster>): PlacementWorld {
  if (!world.clusters.some(c => c.meta.name === name)) throw new Error(`no cluster ${name}`)
  return { ...world, clusters: world.clusters.map(c => (c.meta.name === name ? { ...c, ...change } : c)) }
}
