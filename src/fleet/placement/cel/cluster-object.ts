import type { ManagedCluster, StringMap } from '../../records.ts'

/** Fields of `managedCluster` that the record holds in full. `keyed` ones are right for single keys, not as a whole. */
export const CLUSTER_FIELDS: Readonly<Record<string, 'whole' | 'keyed'>> = {
  'metadata.name': 'whole',
  'metadata.labels': 'whole',
  'metadata.annotations': 'keyed',
  'spec.hubAcceptsClient': 'whole',
  'spec.leaseDurationSeconds': 'whole',
  'spec.taints': 'whole',
  'status.conditions': 'whole',
  'status.capacity': 'whole',
  'status.allocatable': 'whole',
  'status.version': 'keyed',
  'status.clusterClaims': 'whole',
}

/** A value of the CEL library: integers are bigint, maps are Map. */
export type CelValue = string | boolean | bigint | null | readonly CelValue[] | ReadonlyMap<string, CelValue>

/** Builds a map without the fields that Go leaves out when empty (`omitempty`): for CEL these do not exist. */
function object(fields: Readonly<Record<string, CelValue | undefined>>): ReadonlyMap<string, CelValue> {
  const entries = new Map<string, CelValue>()
  for (const [name, value] of Object.entries(fields)) if (value !== undefined) entries.set(name, value)
  return entries
}

const text = (value: string): string | undefined => (value === '' ? undefined : value)

function strings(values: StringMap | undefined): ReadonlyMap<string, CelValue> | undefined {
  const entries = Object.entries(values ?? {})
  return entries.length === 0 ? undefined : new Map(entries)
}

function filled(list: readonly CelValue[]): readonly CelValue[] | undefined {
  return list.length === 0 ? undefined : list
}

const rfc3339 = (ms: number | undefined): CelValue =>
  ms === undefined ? null : new Date(ms).toISOString().replace(/\.\d+Z$/, 'Z')

const integer = (value: number | undefined): bigint | undefined =>
  value === undefined || value === 0 || !Number.isInteger(value) ? undefined : BigInt(value)

/**
 * The variable `managedCluster` of a CEL expression, as far as the record goes (CLUSTER_FIELDS). Go types and their tags: open-cluster-management-io/api cluster/v1/types.go.
 */
export function clusterObject(cluster: ManagedCluster): ReadonlyMap<string, CelValue> {
  return object({
    metadata: object({
      name: cluster.meta.name,
      labels: strings(cluster.meta.labels),
      annotations: strings(cluster.meta.annotations),
    }),
    spec: object({
      hubAcceptsClient: cluster.accepted,
      leaseDurationSeconds: integer(cluster.leaseDurationSeconds),
      taints: filled(
        cluster.taints.map(taint =>
          object({
            key: taint.key,
            value: text(taint.value),
            effect: taint.effect,
            timeAdded: rfc3339(taint.timeAdded),
          }),
        ),
      ),
    }),
    status: object({
      conditions: cluster.conditions.map(condition =>
        object({
          type: condition.type,
          status: condition.status,
          observedGeneration: integer(condition.observedGeneration),
          lastTransitionTime: rfc3339(condition.since),
          reason: condition.reason,
          message: condition.message,
        }),
      ),
      capacity: strings(cluster.capacity),
      allocatable: strings(cluster.allocatable),
      version: object({ kubernetes: text(cluster.kubernetesVersion) }),
      clusterClaims: filled(
        Object.entries(cluster.claims).map(([name, value]) => object({ name: text(name), value: text(value) })),
      ),
    }),
  })
}
