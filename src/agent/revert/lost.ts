import { managedAgentApps } from '../../checks/agent/agent-support.ts'
import type { LoadedFleet } from '../../fleet/load.ts'
import type { Manifest } from '../../plan/object.ts'
import type { ObjectReader } from '../../plan/object-reader.ts'
import type { RevertStep } from '../../plan/revert.ts'
import { whatIf } from '../../plan/what-if.ts'
import { isObject, type RawObject } from '../../raw.ts'
import { type LostOnCluster, lostOnClusters } from '../danger.ts'

function withValue(value: unknown, [key, ...rest]: readonly string[], to: unknown): unknown {
  if (key === undefined) return to
  const base = isObject(value) ? value : {}
  if (rest.length > 0 || to !== undefined) return { ...base, [key]: withValue(base[key], rest, to) }
  const { [key]: _, ...others } = base
  return others
}

function undone(object: RawObject, { restores }: RevertStep): RawObject {
  let result: unknown = object
  for (const { keys, from } of restores) result = withValue(result, keys, from)
  return isObject(result) ? result : object
}

/**
 * Applications that a way back takes from their agents, beside those of its own ApplicationSets: because a mapping or a
 * project goes back, or because the agents themselves go.
 */
export async function lostByRevert(
  steps: readonly RevertStep[],
  loaded: LoadedFleet,
  reader: ObjectReader,
): Promise<readonly LostOnCluster[]> {
  const own = new Set(
    steps
      .filter(s => s.step.subject.kind === 'ApplicationSet' && s.step.action === 'create' && s.action !== 'leave')
      .map(s => `${s.step.subject.namespace}/${s.step.subject.name}`),
  )
  const objects: Manifest[] = []
  for (const step of steps) {
    const { kind } = step.step.subject
    if (step.action !== 'restore' || (kind !== 'ArgoCD' && kind !== 'AppProject')) continue
    const seen = await reader.look(step.step.subject)
    // What was read has apiVersion, kind and metadata.
    if (seen.state === 'present') objects.push(undone(seen.object, step) as Manifest)
  }
  const after = whatIf(loaded, objects).fleet
  const agentsGo = steps.filter(s => s.step.subject.kind === 'GitOpsCluster' && s.action === 'delete')
  const namespaces = new Set(agentsGo.map(s => s.step.subject.namespace))
  const abandoned = managedAgentApps(loaded.fleet)
    .filter(l => namespaces.has(l.argoNamespace) && l.app.meta.deleting === undefined)
    .map(({ key, cluster }) => ({ key, cluster, why: 'no agent carries it out any more' }))
  const lost = new Map([...abandoned, ...lostOnClusters(loaded.fleet, after)].map(l => [l.key, l]))
  for (const link of managedAgentApps(loaded.fleet)) {
    if (link.owner !== undefined && own.has(`${link.app.meta.namespace}/${link.owner.name}`)) lost.delete(link.key)
  }
  return [...lost.values()].sort((a, b) => (a.key < b.key ? -1 : 1))
}
