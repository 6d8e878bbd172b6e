import { type AppLink, applications, IN_CLUSTER_SERVER } from '../../fleet/joins/applications.ts'
import {
  clusterSecrets,
  isBlank,
  type Registrar,
  registration,
  registrationKey,
} from '../../fleet/joins/registration.ts'
import { getOrAdd, groupBy } from '../../fleet/maps.ts'
import type { Check } from '../check.ts'
import { count, fact, names } from '../support.ts'

/** Pushed Applications whose destination is that of a blank secret. */
function pushedThroughBlank(link: AppLink): boolean {
  return link.model === 'push' && link.secrets.some(isBlank) && link.app.destination.server !== IN_CLUSTER_SERVER
}

/** Who made the secret blank: of several GitOpsClusters the blank one whose name sorts last wins (push-pull.md 1.6). */
function culprit(list: readonly Registrar[]): Registrar | undefined {
  return list.filter(r => r.writes === 'blank').sort((a, b) => (a.goc.meta.name < b.goc.meta.name ? 1 : -1))[0]
}

export const blankSecretUnderPush: Check = {
  code: 'FLT0212',
  slug: 'blank-secret-under-push',
  title: 'No Application is pushed through a cluster secret without credentials',
  severity: 'error',
  category: 'registration',
  models: ['push'],
  needs: { hub: ['Application', 'Secret', 'GitOpsCluster'] },
  uses: applications.inputs,
  docs: {
    why: 'A GitOpsCluster with the GitOps add-on or `createBlankClusterSecrets` writes secrets without credentials and with a dummy URL for every cluster of its Placement. ApplicationSets render that URL into pushed Applications, which then cannot reach the cluster. Argo CD hides the failure for three minutes, and health says Healthy even after that.',
    remedy:
      'Use one delivery model per cluster and Argo CD namespace: take the add-on (or `createBlankClusterSecrets`) off this GitOpsCluster, or move these Applications to pull or agent delivery.',
    sources: ['push-pull 1.7, 5 (1)', 'seen on running controllers: 1.7'],
  },
  *run(fleet) {
    const { of } = fleet.join(registration)
    const byCluster = fleet.join(clusterSecrets).byName
    const hit = new Map<string, { registrar: Registrar | undefined; links: AppLink[] }>()
    for (const link of fleet.join(applications).all) {
      if (!pushedThroughBlank(link)) continue
      const registrar = culprit(of.get(registrationKey(link.argoNamespace, link.cluster)) ?? [])
      const key =
        registrar === undefined
          ? `secret ${link.cluster}`
          : `${registrar.goc.meta.namespace}/${registrar.goc.meta.name}`
      getOrAdd(hit, key, () => ({ registrar, links: [] })).links.push(link)
    }
    for (const { registrar, links } of hit.values()) {
      const served = [...groupBy(links, l => l.cluster).keys()].sort()
      const secrets = served.flatMap(c => byCluster.get(registrationKey(links[0]?.argoNamespace ?? '', c)) ?? [])
      const first = registrar?.goc.subject ?? secrets[0]?.subject
      if (first === undefined) continue
      yield {
        subject: first,
        message:
          registrar === undefined
            ? `The cluster secrets of ${names(served)} are blank, and ${count(links.length, 'Application')} ${links.length === 1 ? 'is' : 'are'} pushed through them.`
            : `GitOpsCluster "${registrar.goc.meta.name}" makes the cluster secrets of ${names(served)} blank (${registrar.goc.addonEnabled ? 'gitopsAddon.enabled' : 'createBlankClusterSecrets'}), and ${count(links.length, 'Application')} ${links.length === 1 ? 'is' : 'are'} pushed through them.`,
        evidence: [
          ...secrets.slice(0, 5).map(s => fact(s, '', `no credentials, server ${s.cluster.server}`)),
          ...links
            .slice(0, 5)
            .map(l => fact(l.app, '.spec.destination.server', l.app.destination.server || l.app.destination.name)),
        ],
        effect: 'these Applications cannot reach their cluster; Synced and Healthy are stale',
        fix: 'take gitopsAddon or createBlankClusterSecrets off this GitOpsCluster, or move the Applications to pull or agent delivery',
        because: served.flatMap(c =>
          (of.get(registrationKey(links[0]?.argoNamespace ?? '', c)) ?? []).map(r => ({
            subject: r.goc.subject,
            codes: ['FLT0206'],
          })),
        ),
        clusters: served,
        through: links.map(l => l.app.subject),
      }
    }
  },
}
