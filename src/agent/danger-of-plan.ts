import { managedAgentApps } from '../checks/agent/agent-support.ts'
import { principals } from '../fleet/joins/agents.ts'
import type { LoadedFleet } from '../fleet/load.ts'
import { type Subject, subjectKey } from '../fleet/subject.ts'
import { type FieldChange, stepChanges } from '../plan/diff.ts'
import type { Manifest } from '../plan/object.ts'
import type { ObjectReader } from '../plan/object-reader.ts'
import { type Plan, writes } from '../plan/plan.ts'
import { whatIf } from '../plan/what-if.ts'
import { isObject, type RawObject, withValueAt } from '../raw.ts'
import { type LostOnCluster, lostOnClusters } from './danger.ts'
import { unseen } from './hub.ts'

/** Kinds by which an Application loses its agent: the mapping, the project, and what names the cluster (agent-mode.md 2.6). */
const TIES: ReadonlySet<string> = new Set(['ArgoCD', 'AppProject', 'ApplicationSet', 'Application'])

/** Is an object one of those that tie Applications to agents? */
export const tiesToAgents = ({ kind }: Subject): boolean => TIES.has(kind)

function changedBy(object: RawObject, changes: readonly FieldChange[]): RawObject {
  let result: unknown = object
  for (const { keys, to } of changes) result = withValueAt(result, keys, to)
  return isObject(result) ? result : object
}

/** Could a plan take Applications from their agents at all? */
export function mayTake(plan: Plan): boolean {
  return writes(plan).some(step => step.action !== 'create' && tiesToAgents(step.subject))
}

/** Applications of agents that go because they, their ApplicationSet or their project are deleted. */
function lostByDeletion(plan: Plan, { fleet }: LoadedFleet): readonly LostOnCluster[] {
  const gone = new Set(
    writes(plan)
      .filter(step => step.action === 'delete')
      .map(({ subject: { kind, namespace, name } }) => `${kind} ${namespace}/${name}`),
  )
  return managedAgentApps(fleet).flatMap(({ app, appSet, argoNamespace, cluster, key }): LostOnCluster[] => {
    const set = appSet === undefined ? '' : `ApplicationSet ${appSet.appSet.meta.namespace}/${appSet.appSet.meta.name}`
    const ties = [`Application ${key}`, set, `AppProject ${argoNamespace}/${app.project}`]
    const why = ties.find(tie => gone.has(tie))
    return why === undefined || app.meta.deleting !== undefined ? [] : [{ key, cluster, why: `${why} is deleted` }]
  })
}

/**
 * Applications that agents would delete if a plan were carried out now, whatever command made it, and whatever was there then.
 *
 * @param reader gives the objects as they are now
 */
export async function lostByPlan(
  plan: Plan,
  loaded: LoadedFleet,
  reader: ObjectReader,
): Promise<readonly LostOnCluster[]> {
  const objects = new Map<string, RawObject>()
  for (const step of writes(plan)) {
    if (step.action !== 'configure' || !tiesToAgents(step.subject)) continue
    const key = subjectKey(step.subject)
    const seen = objects.has(key) ? undefined : await reader.look(step.subject)
    const there = objects.get(key) ?? (seen?.state === 'present' ? seen.object : undefined)
    if (there !== undefined) objects.set(key, changedBy(there, stepChanges(step, there)))
  }
  const deleted = lostByDeletion(plan, loaded)
  if (objects.size === 0) return deleted
  // What was read has apiVersion, kind and metadata.
  const after = whatIf(loaded, [...objects.values()] as Manifest[])
  const changed = lostOnClusters(whatIf(loaded, []).fleet, after.fleet)
  return [...new Map([...deleted, ...changed].map(l => [l.key, l])).values()]
}

/** Why it is not known what agents carry, on a hub that has some; undefined where it is. */
export function blindToLosses({ fleet }: LoadedFleet): string | undefined {
  return fleet.join(principals).length === 0 ? undefined : unseen(fleet.hub, 'Application')
}

/** `namespace/name` of the Applications that a plan names as lost, and whose loss was accepted. */
export function acceptedLosses({ gates }: Plan): ReadonlySet<string> {
  const flag = '--accept-lost '
  return new Set(
    gates
      .filter(gate => gate.accepted && gate.flag.startsWith(flag))
      .flatMap(gate => gate.flag.slice(flag.length).split(',')),
  )
}
