import { managedAgentApps } from '../../checks/agent/agent-support.ts'
import type { LoadedFleet } from '../../fleet/load.ts'
import type { Manifest } from '../../plan/object.ts'
import type { ObjectReader } from '../../plan/object-reader.ts'
import type { RevertStep } from '../../plan/revert.ts'
import { whatIf } from '../../plan/what-if.ts'
import { isObject, type RawObject, withValueAt } from '../../raw.ts'
import { type LostOnCluster, lostOnClusters } from '../danger.ts'
import { tiesToAgents } from '../danger-of-plan.ts'

function undone(object: RawObject, { restores }: RevertStep): RawObject {
  let result: unknown = object
  for (const { keys, from } of restores) result = withValueAt(result, keys, from)
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
    if (step.action !== 'restore' || !tiesToAgents(step.step.subject)) continue
    const seen = await reader.look(step.step.subject)
    // What was read has apiVersion, kind and metadata.
    if (seen.state === 'present') objects.push(undone(seen.object, step) as Manifest)
  }
  const after = whatIf(loaded, objects).fleet
  const agentsGo = steps.filter(
    ({ action, step: { subject } }) =>
      subject.kind === 'GitOpsCluster' &&
      action === 'delete' &&
      loaded.fleet.hub.of('GitOpsCluster').get(subject.namespace, subject.name)?.agentEnabled === true,
  )
  const namespaces = new Set(agentsGo.map(s => s.step.subject.namespace))
  const carried = managedAgentApps(loaded.fleet)
  const abandoned = carried
    .filter(l => namespaces.has(l.argoNamespace) && l.app.meta.deleting === undefined)
    .map(({ key, cluster }) => ({ key, cluster, why: 'no agent carries it out any more' }))
  const gone = new Set(
    steps
      .filter(s => s.step.subject.kind === 'AppProject' && s.action === 'delete')
      .map(s => `${s.step.subject.namespace}/${s.step.subject.name}`),
  )
  const orphaned = carried
    .filter(l => gone.has(`${l.argoNamespace}/${l.app.project}`) && l.app.meta.deleting === undefined)
    .map(({ key, cluster, app }) => ({ key, cluster, why: `AppProject ${app.project} goes` }))
  const before = whatIf(loaded, []).fleet
  const lost = new Map([...abandoned, ...orphaned, ...lostOnClusters(before, after)].map(l => [l.key, l]))
  for (const link of carried) {
    if (link.owner !== undefined && own.has(`${link.app.meta.namespace}/${link.owner.name}`)) lost.delete(link.key)
  }
  return [...lost.values()].sort((a, b) => (a.key < b.key ? -1 : 1))
}
