import type { Fleet } from '../../fleet/fleet.ts'
import { applications } from '../../fleet/joins/applications.ts'
import { condition } from '../../fleet/joins/clusters.ts'
import { clusterOfKey, DATA_SOURCE, registration } from '../../fleet/joins/registration.ts'
import { pushTo } from '../../fleet/maps.ts'
import type { Application, ManagedClusterAddOn } from '../../fleet/records.ts'
import { subject } from '../../fleet/subject.ts'
import { GITOPS_ADDON, MSA_ADDON, PROXY_ADDON } from '../../fleet/well-known.ts'
import { messageKind } from '../argo/messages.ts'
import type { Check, Severity } from '../check.ts'
import { conditionFact, count, fact, lasting, MINUTE, olderThan } from '../support.ts'

/** An add-on that was just installed has not reported yet; its lease controller gives it five minutes (push-pull.md 1.15). */
const STARTS_WITHIN = 5 * MINUTE

/** What each add-on does for delivery; others are not the matter of this check. */
const MATTERS: Readonly<Record<string, string>> = {
  [MSA_ADDON]: 'no token is made or renewed for the cluster',
  [PROXY_ADDON]: 'push through the cluster proxy may fail',
  [GITOPS_ADDON]: 'Argo CD on the cluster is not installed or kept up',
  'config-policy-controller': 'policies are not enforced on the cluster',
  'governance-policy-framework': 'policies do not reach the cluster',
}

interface Uses {
  readonly proxied: ReadonlyMap<string, readonly Application[]>
  readonly tokens: ReadonlySet<string>
  readonly addon: ReadonlySet<string>
}

/** Clusters whose delivery rests on the cluster proxy, on tokens, on the GitOps add-on. */
function usesOf(fleet: Fleet): Uses {
  const proxied = new Map<string, Application[]>()
  for (const link of fleet.join(applications).all) {
    if (link.model === 'push' && link.secrets.some(s => s.meta.labels[DATA_SOURCE] === 'cluster-proxy'))
      pushTo(proxied, link.cluster, link.app)
  }
  const tokens = new Set<string>()
  const addon = new Set<string>()
  for (const [key, registrars] of fleet.join(registration).of) {
    for (const r of registrars) {
      const cluster = clusterOfKey(key)
      if (r.writes === 'real') tokens.add(cluster)
      if (r.goc.addonEnabled) addon.add(cluster)
    }
  }
  return { proxied, tokens, addon }
}

/** Did the last operation, or the last comparison, not get through to the cluster? */
function isCutOff({ operation, conditions }: Application): boolean {
  const failed = operation !== undefined && operation.phase !== 'Succeeded' ? [operation.message] : []
  return [...failed, ...conditions.map(c => c.message)].some(text => messageKind(text) === 'cluster-unreachable')
}

/** How bad it is for what is delivered now. An add-on can be down while push through the proxy works (seen). */
function severityOf(mca: ManagedClusterAddOn, since: number | undefined, { proxied, tokens, addon }: Uses): Severity {
  const { name, namespace } = mca.meta
  if (name === MSA_ADDON) return tokens.has(namespace) ? 'error' : 'warning'
  if (name !== PROXY_ADDON) return addon.has(namespace) ? 'error' : 'warning'
  const apps = proxied.get(namespace) ?? []
  const works = apps.some(
    a => a.sync === 'Synced' && a.reconciledAt !== undefined && since !== undefined && a.reconciledAt >= since,
  )
  // A warm cache stays Synced; what had to be written tells (push-pull.md 1.9).
  return apps.length > 0 && (!works || apps.some(isCutOff)) ? 'error' : 'warning'
}

export const addonUnavailable: Check = {
  code: 'FLT0901',
  slug: 'addon-unavailable',
  title: 'The add-ons that delivery rests on are available',
  severity: 'warning',
  category: 'addons',
  models: ['push', 'pull', 'agent'],
  needs: { hub: ['ManagedClusterAddOn'] },
  uses: applications.inputs,
  docs: {
    why: 'Tokens, the cluster proxy, policies and Argo CD itself come from add-ons whose agents run on the cluster and renew a lease. The choice of the proxy URL never looks at the add-on: with a dead proxy push simply fails. The other way round an add-on may be reported unavailable while the proxy works. When the cluster itself is unknown all its add-ons are overwritten with that reason.',
    remedy:
      'Look at the add-on agent in `open-cluster-management-agent-addon` on the cluster, and at the ManifestWork `addon-<name>-deploy-0` on the hub.',
    sources: ['push-pull 1.1, 1.7, 1.15', 'seen on running controllers: 1.15'],
  },
  *run(fleet) {
    const uses = usesOf(fleet)
    for (const mca of fleet.hub.of('ManagedClusterAddOn').all) {
      const { name, namespace, created } = mca.meta
      const effect = MATTERS[name]
      const available = condition(mca, 'Available')
      if (effect === undefined || available?.status === 'True') continue
      if (!olderThan(fleet.now, available?.since ?? created, 0)) continue
      const fresh =
        (available === undefined || available.reason === 'ManagedClusterAddOnLeaseNotFound') &&
        !olderThan(fleet.now, created, STARTS_WITHIN)
      // Written over it when the cluster was lost: that says nothing of the add-on.
      const copied =
        available?.reason === 'ManagedClusterLeaseUpdateStopped' ||
        available?.reason === 'ManagedClusterKubeAPIServerUnavailable'
      const severity = fresh || copied ? 'warning' : severityOf(mca, available?.since, uses)
      yield {
        subject: mca.subject,
        severity,
        message: `Add-on "${name}" of cluster "${namespace}" has not been available for ${lasting(fleet.now, available?.since ?? created)}.`,
        evidence: [
          conditionFact(mca, 'Available'),
          ...(name === PROXY_ADDON
            ? [
                fact(
                  mca,
                  '',
                  `${count(uses.proxied.get(namespace)?.length ?? 0, 'Application')} pushed through the proxy`,
                ),
              ]
            : []),
        ],
        effect,
        fix: `on ${namespace}: oc -n open-cluster-management-agent-addon get pods; restart the agent of ${name}`,
        because: [{ subject: subject('hub', 'ManagedCluster', '', namespace) }],
        clusters: [namespace],
      }
    }
  },
}
