import type { PlanInput } from '../../bootstrap/make-plan.ts'
import { managedAgentApps } from '../../checks/agent/agent-support.ts'
import { UsageError } from '../../errors.ts'
import { placementKey } from '../../fleet/joins/selection.ts'
import { CLUSTER_SET_LABEL } from '../../fleet/labels.ts'
import { groupBy } from '../../fleet/maps.ts'
import { clusterSetLabel } from '../../fleet/placement/sets.ts'
import { count } from '../../output/layout.ts'
import { makeSteps, type Removal, type Wait, type Want } from '../../plan/make-steps.ts'
import type { Manifest } from '../../plan/object.ts'
import type { Gate, Plan } from '../../plan/plan.ts'
import { previewOf } from '../../plan/preview.ts'
import { whatIf, withCel } from '../../plan/what-if.ts'
import { type RawObject, textAt } from '../../raw.ts'
import { namedGate } from '../gates.ts'
import { agentPlanOf } from '../plan/envelope.ts'
import { agentRemains, RANKS } from '../remains.ts'
import { agentRegistrar, managedCluster } from './registrar.ts'

interface RemoveRequest {
  readonly cluster: string
  readonly gitOpsCluster: string | undefined
  readonly acceptLost: readonly string[]
}

function withoutSet(object: RawObject): RawObject {
  const copy = structuredClone(object) as { metadata?: { labels?: Record<string, unknown> } }
  delete copy.metadata?.labels?.[CLUSTER_SET_LABEL]
  return copy as RawObject
}

const wait = (section: string, signal: Wait['signal'], why: string, limitSeconds: number): Wait => ({
  type: 'wait',
  section,
  signal,
  why,
  limitSeconds,
})

/** What ACM made for this one cluster: the add-on first, whose job cleans the cluster up. */
function removals(input: PlanInput, namespace: string, cluster: string): readonly (Removal | Wait)[] {
  const remains = agentRemains(input.loaded.fleet, namespace, [], new Set([cluster]))
  return RANKS.flatMap(rank =>
    remains
      .filter(r => r.rank === rank)
      .flatMap(({ subject, uid }): (Removal | Wait)[] => [
        {
          type: 'delete',
          section: 'Agents',
          subject,
          uid,
          why:
            rank === 'addon'
              ? 'its job on the cluster removes Argo CD and the operator there'
              : 'ACM made it for the agent, and nobody else removes it',
        },
        ...(rank === 'addon'
          ? [wait('Agents', { signal: 'deleted', subject }, 'the cluster cleans up first', 900)]
          : []),
      ]),
  )
}

/**
 * Plans to take one cluster its agent: it leaves the set of the Placement, its Applications go while the agent still
 * works, then what ACM made for it (agent-mode.md 2.5, for one cluster).
 *
 * @throws UsageError where the Placement would go on to select it
 */
export async function removePlan(request: RemoveRequest, input: PlanInput): Promise<Plan> {
  const { cluster, acceptLost } = request
  const record = managedCluster(input.loaded.fleet, cluster)
  const { goc, argoNamespace, decided } = agentRegistrar(input.loaded.fleet, request.gitOpsCluster)
  const seen = await input.reader.look(record.subject)
  if (seen.state !== 'present') throw new UsageError(`ManagedCluster ${cluster} could not be read`)
  const isDecided = decided?.clusters.has(cluster) === true
  // Only labels go, so the object keeps its shape.
  const changed = isDecided ? [withoutSet(seen.object) as Manifest] : []
  const loaded = await withCel(input.loaded, changed)
  const [before, after] = [whatIf(loaded, []), whatIf(loaded, changed)]
  const placement = decided?.placement.meta
  const explanation =
    placement === undefined ? undefined : after.explanations.get(placementKey(placement.namespace, placement.name))
  if (isDecided && explanation?.selected.includes(cluster) !== false) {
    throw new UsageError(
      `Placement ${placement?.name} would go on to select "${cluster}" outside of set ${clusterSetLabel(record) ?? '(none)'}; exclude it there first, and run this again`,
    )
  }
  const preview = previewOf(
    before,
    after,
    new Set(placement === undefined ? [] : [placementKey(placement.namespace, placement.name)]),
  )
  const lost = new Map(preview.applications.lost.map(app => [`${app.namespace}/${app.name}`, app.effect]))
  for (const link of managedAgentApps(input.loaded.fleet)) {
    const isHis = link.argoNamespace === argoNamespace && link.cluster === cluster
    if (isHis && !lost.has(link.key)) lost.set(link.key, 'no agent carries it out any more')
  }
  const leaving = groupBy([...preview.applications.lost], app => app.namespace)
  const leave: readonly (Want | Wait)[] =
    !isDecided || placement === undefined
      ? []
      : [
          {
            type: 'object',
            section: 'Clusters',
            manifest: {
              apiVersion: textAt(seen.object, 'apiVersion'),
              kind: 'ManagedCluster',
              metadata: { name: cluster },
            },
            removes: [['metadata', 'labels', CLUSTER_SET_LABEL]],
            shared: true,
            why: `takes ${cluster} out of set ${clusterSetLabel(record) ?? ''}, so that the Placement lets it go`,
            risk: { level: 'high', text: `everything that selects the set loses ${cluster}` },
          },
          wait(
            'Clusters',
            { signal: 'undecided', namespace: placement.namespace, placement: placement.name, clusters: [cluster] },
            'the ApplicationSets take their clusters from the decision',
            300,
          ),
          ...[...leaving].map(([namespace, apps]) =>
            wait(
              'Applications',
              { signal: 'none-of', namespace, applications: apps.map(app => app.name) },
              'the agent deletes what it delivered while it still works',
              600,
            ),
          ),
        ]
  const steps = await makeSteps(
    [...leave, ...removals(input, argoNamespace, cluster)],
    input.reader,
    input.loaded.fleet,
  )
  if (steps.length === 0) throw new UsageError(`cluster "${cluster}" has no agent of GitOpsCluster ${goc.meta.name}`)
  const gates: readonly Gate[] =
    lost.size === 0
      ? []
      : [
          namedGate(
            {
              code: 'lost-applications',
              text: `${count(lost.size, 'Application')} of ${cluster} ${lost.size === 1 ? 'goes' : 'go'}`,
              flag: '--accept-lost',
            },
            [...lost].sort(([a], [b]) => (a < b ? -1 : 1)).map(([key, effect]) => ({ key, text: `${key}: ${effect}` })),
            acceptLost,
            argoNamespace,
          ),
        ]
  return agentPlanOf(
    { title: 'agent remove', command: ['agent', 'remove', cluster], gates, preview, steps },
    argoNamespace,
    input,
  )
}
