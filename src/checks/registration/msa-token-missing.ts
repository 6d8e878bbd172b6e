import type { Fleet } from '../../fleet/fleet.ts'
import { condition, JOINED } from '../../fleet/joins/clusters.ts'
import {
  clusterOfKey,
  clusterSecrets,
  DATA_SOURCE,
  registration,
  registrationKey,
} from '../../fleet/joins/registration.ts'
import type { ManagedServiceAccount } from '../../fleet/records.ts'
import { missing, subject } from '../../fleet/subject.ts'
import { MSA_ADDON } from '../../fleet/well-known.ts'
import type { Check, Finding } from '../check.ts'
import { ago, conditionFact, fact, MINUTE, manifestFix, olderThan, SECOND } from '../support.ts'

/** A token comes within a second or two of the account (seen); a younger account has a right to have none. */
const TOKEN_WITHIN = 15 * SECOND

const ACCOUNT_WITHIN = 2 * MINUTE

function fault(now: number, msa: ManagedServiceAccount): string | undefined {
  if (msa.expires !== undefined && msa.expires < now) return `its token expired ${ago(now, msa.expires)}`
  const reported = condition(msa, 'TokenReported')
  if (reported?.status === 'False') return `its token could not be reported: ${reported.message}`
  if (msa.tokenSecret !== '') return undefined
  if (!olderThan(now, msa.meta.created, TOKEN_WITHIN)) return undefined
  return msa.hasStatus ? 'it has no token' : 'it has no status at all: no agent has ever taken it up'
}

/** Written from the secret of an import, not from a ManagedServiceAccount (push-pull.md 1.7, order 3). */
function isLegacy(fleet: Fleet, argoNamespace: string, cluster: string): boolean {
  const secrets = fleet.join(clusterSecrets).byName.get(registrationKey(argoNamespace, cluster)) ?? []
  const source = fleet.hub.of('Secret').get(cluster, `${cluster}-cluster-secret`)
  return (
    secrets.some(s => !(DATA_SOURCE in s.meta.labels) && s.meta.name === `${cluster}-cluster-secret`) ||
    source !== undefined
  )
}

/** The account of a new cluster is made by an add-on, which has to arrive there first. */
function justJoined(fleet: Fleet, name: string): boolean {
  const cluster = fleet.hub.of('ManagedCluster').get('', name)
  const since = cluster === undefined ? undefined : (condition(cluster, JOINED)?.since ?? cluster.meta.created)
  return since !== undefined && !olderThan(fleet.now, since, ACCOUNT_WITHIN)
}

export const msaTokenMissing: Check = {
  code: 'FLT0214',
  slug: 'msa-token-missing',
  title: 'Every registered cluster has a ManagedServiceAccount with a valid token',
  severity: 'error',
  category: 'registration',
  models: ['push'],
  needs: { hub: ['GitOpsCluster', 'Placement', 'PlacementDecision', 'ManagedServiceAccount'] },
  uses: { hub: ['ManagedClusterSetBinding', 'Secret', 'ManagedClusterAddOn', 'ManagedCluster'] },
  docs: {
    why: 'The token in a cluster secret is that of a ManagedServiceAccount in the namespace of the cluster. When the account is gone, or never got a token, the GitOpsCluster names the last fallback it tried ("legacy secret not found") and hides the cause. An existing secret stays with its dead token: Applications remain Synced and Healthy until something must be written. A missing status means that the agent of add-on `managed-serviceaccount` on the cluster is down, even while the add-on is still reported Available.',
    remedy:
      'Create the ManagedServiceAccount (the application-manager add-on makes the default one), or restart the managed-serviceaccount agent on the cluster.',
    sources: ['push-pull 1.7', 'seen on running controllers: 1.7'],
  },
  *run(fleet) {
    const done = new Set<string>()
    for (const [key, registrars] of fleet.join(registration).of) {
      for (const r of registrars) {
        if (r.writes !== 'real') continue
        const cluster = clusterOfKey(key)
        const id = `${cluster}/${r.msa}`
        if (done.has(id) || isLegacy(fleet, r.argoNamespace, cluster)) continue
        done.add(id)
        const at = subject('hub', 'ManagedServiceAccount', cluster, r.msa)
        const because: Finding['because'] = [
          { subject: subject('hub', 'ManagedCluster', '', cluster) },
          { subject: subject('hub', 'ManagedClusterAddOn', cluster, MSA_ADDON) },
        ]
        const common = {
          effect: `the cluster secret of ${cluster} cannot be written or renewed; push to it fails at the next write or when the old token dies`,
          because,
          clusters: [cluster],
        }
        const msa = fleet.hub.of('ManagedServiceAccount').get(cluster, r.msa)
        if (msa === undefined) {
          // Not in a list that is not whole; or made by an import whose secret could not be seen.
          if (!fleet.hub.knows('ManagedServiceAccount') || !fleet.hub.knows('Secret', r.argoNamespace)) continue
          if (justJoined(fleet, cluster)) continue
          yield {
            ...common,
            subject: missing(at),
            message: `ManagedServiceAccount "${r.msa}" does not exist in namespace "${cluster}", and GitOpsCluster "${r.goc.meta.name}" needs its token.`,
            evidence: [fact(missing(at), '', 'does not exist'), conditionFact(r.goc, 'ClustersRegistered')],
            // As the application-manager add-on makes it: rotation with its defaults (push-pull.md 1.7).
            fix: manifestFix([
              'apiVersion: authentication.open-cluster-management.io/v1beta1',
              'kind: ManagedServiceAccount',
              'metadata:',
              `  name: ${r.msa}`,
              `  namespace: ${cluster}`,
              'spec:',
              '  rotation: {}',
            ]),
          }
          continue
        }
        const text = fault(fleet.now, msa)
        if (text === undefined) continue
        yield {
          ...common,
          subject: at,
          message: `ManagedServiceAccount "${r.msa}" of cluster "${cluster}" gives no token: ${text}.`,
          evidence: [
            conditionFact(msa, 'TokenReported'),
            fact(msa, '.status.tokenSecretRef.name', msa.tokenSecret || 'absent'),
          ],
          fix: `restart the agent of add-on managed-serviceaccount on ${cluster}; check: oc -n ${cluster} get managedclusteraddon managed-serviceaccount`,
        }
      }
    }
  },
}
