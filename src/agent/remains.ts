import { isDnsLabel } from '../bootstrap/names.ts'
import type { Fleet } from '../fleet/fleet.ts'
import { clusters as clustersJoin } from '../fleet/joins/clusters.ts'
import { AGENT_NAME } from '../fleet/joins/registration.ts'
import type { Base } from '../fleet/records.ts'
import { type Subject, subject } from '../fleet/subject.ts'
import {
  AGENT_CA,
  AGENT_CA_WORK,
  AGENT_JWT,
  ARGO_REDIS,
  GITOPS_ADDON,
  GITOPS_ADDON_CONFIG,
  PRINCIPAL_CERTIFICATES,
} from '../fleet/well-known.ts'
import type { ObjectReader } from '../plan/object-reader.ts'
import { textAt } from '../raw.ts'

/** In which order things go: each rank waits for the one before (agent-mode.md 2.5, steps 4 to 7 and 12). */
export type RemainRank = 'policy' | 'addon' | 'per-cluster' | 'template' | 'instance'

export const RANKS: readonly RemainRank[] = ['policy', 'addon', 'per-cluster', 'template', 'instance']

/** An object that ACM makes of a GitOpsCluster for agents, and that nobody removes with it. */
export interface Remain {
  readonly subject: Subject
  readonly uid: string
  readonly rank: RemainRank
}

/** What ACM makes in the namespace of the principal (agent-mode.md 1.7); the CA last. */
const SECRETS = [...PRINCIPAL_CERTIFICATES, AGENT_JWT, ARGO_REDIS, AGENT_CA]
const CONFIG_MAPS = ['argocd-agent-ca-bundle', 'argocd-agent-principal-identity']
/** Made for any GitOpsCluster, so they go only with the last one. */
const GENERATOR = ['acm-placement', 'acm-placementrule']
const ADDON_RBAC = ['addon-manager-controller-role', 'addon-manager-controller-rolebinding']

/** Names of GitOpsClusters whose objects are looked for: those that are there for agents, and others that the caller knows. */
function gocNames(fleet: Fleet, namespace: string, more: readonly string[]): readonly string[] {
  const there = fleet.hub
    .of('GitOpsCluster')
    .all.filter(g => g.agentEnabled && (g.argoNamespace || g.meta.namespace) === namespace)
    .map(g => g.meta.name)
  return [...new Set([...there, ...more])]
}

/**
 * Objects that ACM's controllers make for agents of an Argo CD, by the names and labels that they give them
 * (agent-mode.md 1.7 to 1.9): deleting the GitOpsCluster alone leaves all of them.
 *
 * @param gocs further names of GitOpsClusters, of those that are gone
 * @param clusters only these; undefined for all
 */
export function agentRemains(
  fleet: Fleet,
  namespace: string,
  gocs: readonly string[] = [],
  clusters?: ReadonlySet<string>,
): readonly Remain[] {
  const { hub } = fleet
  const found: Remain[] = []
  const add = (rank: RemainRank, record: Base | undefined): void => {
    if (record !== undefined) found.push({ subject: record.subject, uid: record.meta.uid, rank })
  }
  const names = gocNames(fleet, namespace, gocs)
  const isMine = (cluster: string): boolean => clusters === undefined || clusters.has(cluster)
  const whole = clusters === undefined
  for (const name of whole ? names : []) {
    add('policy', hub.of('PlacementBinding').get(namespace, `${name}-argocd-policy-binding`))
    add('policy', hub.of('Policy').get(namespace, `${name}-argocd-policy`))
  }
  const agents = hub
    .of('Secret')
    .in(namespace)
    .filter(s => AGENT_NAME in s.meta.labels)
  const isAgent = new Set(agents.map(s => s.meta.labels[AGENT_NAME] ?? ''))
  for (const cluster of hub.of('ManagedCluster').all) {
    const { name } = cluster.meta
    if (!isDnsLabel(name) || !isMine(name)) continue
    const addon = hub.of('ManagedClusterAddOn').get(name, GITOPS_ADDON)
    const config = hub.of('AddOnDeploymentConfig').get(name, GITOPS_ADDON_CONFIG)
    // The same add-on also brings Argo CD for pull; it is for agents where its configuration says so.
    const isForAgents = config?.variables.ARGOCD_AGENT_ENABLED === 'true' || isAgent.has(name)
    if (!isForAgents) continue
    add('addon', addon)
    add('per-cluster', config)
    add('per-cluster', hub.of('ManifestWork').get(name, AGENT_CA_WORK))
  }
  for (const secret of agents) if (isMine(secret.meta.labels[AGENT_NAME] ?? '')) add('per-cluster', secret)
  if (!whole) return found
  const { localName } = fleet.join(clustersJoin)
  if (localName !== '') add('per-cluster', hub.of('Secret').get(namespace, `cluster-${localName}`))
  for (const name of names) add('template', hub.of('AddOnTemplate').get('', `${GITOPS_ADDON}-${namespace}-${name}`))
  for (const name of SECRETS) add('instance', hub.of('Secret').get(namespace, name))
  const isSharedGenerator = hub
    .of('GitOpsCluster')
    .all.some(g => (g.argoNamespace || g.meta.namespace) === namespace && !names.includes(g.meta.name))
  if (!isSharedGenerator) {
    for (const name of GENERATOR) add('instance', hub.of('ConfigMap').get(namespace, name))
    add('instance', hub.of('Role').get(namespace, `${namespace}-applicationset-controller-placement`))
    add('instance', hub.of('RoleBinding').get(namespace, `${namespace}-applicationset-controller-placement`))
  }
  for (const name of CONFIG_MAPS) add('instance', hub.of('ConfigMap').get(namespace, name))
  for (const name of ADDON_RBAC) {
    add('instance', hub.of('Role').get(namespace, name))
    add('instance', hub.of('RoleBinding').get(namespace, name))
  }
  return found
}

/**
 * The Secrets of a principal, each asked for by its name: of a hub that is no principal (any more), a reading holds cluster
 * secrets alone.
 */
export async function principalSecrets(reader: ObjectReader, namespace: string): Promise<readonly Remain[]> {
  const found: Remain[] = []
  for (const name of SECRETS) {
    const at = subject('hub', 'Secret', namespace, name)
    const seen = await reader.look(at)
    if (seen.state === 'present') {
      found.push({ subject: at, uid: textAt(seen.object, 'metadata', 'uid'), rank: 'instance' })
    }
  }
  return found
}
