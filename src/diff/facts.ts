import { ACCEPTED, AVAILABLE, JOINED } from '../fleet/joins/clusters.ts'
import { CLUSTER_SET_LABEL } from '../fleet/labels.ts'
import type {
  Application,
  Base,
  Condition,
  ManagedCluster,
  ManifestWork,
  PlacementDecision,
  Secret,
} from '../fleet/records.ts'

/** What counts of an object in the chain, by name of the field. Empty values are left out, so absence is one of them. */
export type Facts = Readonly<Record<string, string>>

/** `True`, or `False (Reason)`: what is true needs no reason. */
function conditionText(conditions: readonly Condition[], type: string): string {
  const found = conditions.findLast(c => c.type === type)
  if (found === undefined) return ''
  return found.status === 'True' || found.reason === '' ? found.status : `${found.status} (${found.reason})`
}

/** The object is another one of the same name when its uid is another; it goes when it is being deleted. */
function life({ meta }: Base): Facts {
  return { uid: meta.uid, deleting: meta.deleting === undefined ? '' : 'yes' }
}

const names = (list: Iterable<string>): string => [...new Set(list)].sort().join(', ')

/** What counts of a managed cluster. */
export function clusterFacts(cluster: ManagedCluster): Facts {
  const { conditions, meta } = cluster
  return {
    ...life(cluster),
    accepted: conditionText(conditions, ACCEPTED) || (cluster.accepted ? 'wanted' : 'no'),
    joined: conditionText(conditions, JOINED),
    available: conditionText(conditions, AVAILABLE),
    clusterSet: meta.labels[CLUSTER_SET_LABEL] ?? '',
    taints: names(cluster.taints.map(t => `${t.key}${t.value === '' ? '' : `=${t.value}`}:${t.effect}`)),
    kubernetes: cluster.kubernetesVersion,
    labels: names(
      Object.entries(meta.labels)
        .filter(([key]) => key !== CLUSTER_SET_LABEL)
        .map(([key, value]) => `${key}=${value}`),
    ),
  }
}

/** Of all PlacementDecisions of one Placement. */
export function decisionFacts(decisions: readonly PlacementDecision[]): Facts {
  return { clusters: names(decisions.flatMap(d => d.clusterNames)) }
}

/** Of an Argo CD cluster secret; undefined for any other. */
export function secretFacts(secret: Secret): Facts | undefined {
  const { cluster } = secret
  if (cluster === undefined) return undefined
  return {
    ...life(secret),
    cluster: cluster.name,
    server: cluster.server,
    config: cluster.hasConfig ? 'there' : 'missing',
    certificateCheck: cluster.insecure ? 'off' : '',
  }
}

/** What counts of an Application. */
export function applicationFacts(app: Application): Facts {
  const { destination, operation } = app
  const target = destination.name || destination.server
  return {
    ...life(app),
    destination: `${target}${destination.namespace === '' ? '' : ` ${destination.namespace}`}`,
    project: app.project,
    source: app.sources.map(s => [s.repoURL, s.chart || s.path, s.targetRevision].filter(Boolean).join(' ')).join(', '),
    sync: app.sync,
    health: app.health,
    operation: operation?.phase ?? '',
    revision: app.revision,
    conditions: names(app.conditions.map(c => c.type)),
  }
}

/** What counts of a ManifestWork. */
export function workFacts(work: ManifestWork): Facts {
  const { conditions } = work
  return {
    ...life(work),
    applied: conditionText(conditions, 'Applied'),
    available: conditionText(conditions, 'Available'),
    manifests: String(work.manifests.length),
    // A ReadOnly manifest is looked at on the spoke and never written.
    readOnly: names(work.updateStrategies.filter(s => s.type === 'ReadOnly').map(s => s.name)),
  }
}
