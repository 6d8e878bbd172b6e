import type { ClusterView } from '../../fleet/fleet.ts'
import { inputsOf } from '../../fleet/fleet.ts'
import { reconciled } from '../../fleet/joins/reconciled.ts'
import { proxyService } from '../../fleet/joins/ways.ts'
import { KINDS, type KindName } from '../../fleet/kinds.ts'
import { getOrAdd } from '../../fleet/maps.ts'
import type { Application, ResourceStatus } from '../../fleet/records.ts'
import { type Subject, subjectKey } from '../../fleet/subject.ts'
import type { Check } from '../check.ts'
import { fact, names } from '../support.ts'

/** Kinds that are read on spokes anyway and that Applications often deploy. */
const COMPARED: readonly KindName[] = [
  'ConfigMap',
  'Service',
  'ServiceAccount',
  'Namespace',
  'Deployment',
  'StatefulSet',
  'Role',
  'RoleBinding',
  'ClusterRole',
  'ClusterRoleBinding',
]

function gone(view: ClusterView, r: ResourceStatus): boolean {
  const kind = COMPARED.find(k => k === r.kind && KINDS[k].group === r.group)
  if (kind === undefined || r.status !== 'Synced' || r.hook) return false
  const namespace = KINDS[kind].namespaced ? r.namespace : undefined
  return view.knows(kind, namespace) && view.of(kind).get(namespace ?? '', r.name) === undefined
}

export const pushViewStale: Check = {
  code: 'FLT0522',
  slug: 'push-view-stale',
  title: 'What Argo CD calls Synced is on the cluster',
  severity: 'warning',
  category: 'spokes',
  models: ['push'],
  needs: { hub: ['Application'] },
  uses: inputsOf(reconciled, { spoke: COMPARED }),
  docs: {
    why: 'The Argo CD of the hub compares with its cache of the cluster, which it keeps up by watches. When the way to the cluster breaks, for instance the cluster proxy, the cache stays as it was and Applications remain Synced and Healthy, even after a refresh; nothing on the hub contradicts. Only a look at the cluster does.',
    remedy:
      'Check the cluster proxy (its Service and the add-on) and the log of the application controller for failing watches. After the repair start a sync: automated sync does not try the same revision again.',
    sources: ['push-pull 1.9', 'seen on running controllers: 1.9'],
  },
  *run(fleet) {
    const bySubject = new Map<
      string,
      { subject: Subject; apps: Application[]; lost: { app: Application; names: string[]; cluster: string }[] }
    >()
    for (const r of fleet.join(reconciled)) {
      if (r.at !== 'hub' || r.hub?.model !== 'push' || r.copied || r.app.operation?.phase === 'Running') continue
      const view = fleet.spokes.get(r.target)
      if (view === undefined) continue
      const lost = r.app.resources
        .filter(x => gone(view, x))
        .map(x => `${x.kind} ${x.namespace === '' ? '' : `${x.namespace}/`}${x.name}`)
      if (lost.length === 0) continue
      const way = r.hub.secrets.flatMap(s => proxyService(s.cluster.server))[0] ?? r.app.subject
      const entry = getOrAdd(bySubject, subjectKey(way), () => ({ subject: way, apps: [], lost: [] }))
      entry.apps.push(r.app)
      entry.lost.push({ app: r.app, names: lost, cluster: r.target })
    }
    for (const { subject, apps, lost } of bySubject.values()) {
      yield {
        subject,
        breaks: true,
        message: `Argo CD calls ${names(apps.map(a => `"${a.meta.name}"`))} Synced, but ${names(
          lost.flatMap(l => l.names),
          3,
        )} ${lost.flatMap(l => l.names).length === 1 ? 'does' : 'do'} not exist on ${names([...new Set(lost.map(l => l.cluster))])}: its view of the cluster is old.`,
        evidence: lost
          .slice(0, 5)
          .flatMap(l => [
            fact(l.app, '.status.resources', `${names(l.names, 3)} Synced`),
            fact(l.app, '', `${names(l.names, 3)} not found on ${l.cluster}`),
          ]),
        effect:
          'Synced and Healthy cannot be trusted for Applications that use this way; drift is not seen and not healed',
        fix:
          subject.kind === 'Service'
            ? `see that something answers behind Service ${subject.namespace}/${subject.name} (cluster proxy), then sync`
            : 'look at the log of the application controller for failing watches, then sync',
      }
    }
  },
}
