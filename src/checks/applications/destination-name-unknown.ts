import { applications } from '../../fleet/joins/applications.ts'
import { clusterOfKey, clusterSecrets, registration, registrationKey } from '../../fleet/joins/registration.ts'
import { groupBy } from '../../fleet/maps.ts'
import { subject } from '../../fleet/subject.ts'
import type { Check } from '../check.ts'
import { fact, names, olderThan, SECOND } from '../support.ts'

/** A secret and the Applications of a cluster come within a reconcile of each other. */
const SETTLED = 30 * SECOND

export const destinationNameUnknown: Check = {
  code: 'FLT0414',
  slug: 'destination-name-unknown',
  title: 'Every Application that names its cluster names one that is registered',
  severity: 'error',
  category: 'applications',
  models: ['push', 'agent'],
  needs: { hub: ['Application', 'Secret'] },
  uses: applications.inputs,
  whole: { hub: ['Secret'] },
  perObject: ['Secret'],
  docs: {
    why: 'Argo CD looks `destination.name` up among its cluster secrets. With push it says so in a condition; with a principal nobody reconciles the Application on the hub, and the principal skips it with a log line: no status, no sign.',
    remedy: 'Correct the name, or put the cluster into the Placement of the GitOpsCluster, so that it is registered.',
    sources: ['push-pull 1.8, 1.9', 'agent-mode 5 (35), 8 (A15)'],
  },
  *run(fleet) {
    const known = fleet.join(clusterSecrets).byName
    const lost = fleet.join(applications).all.filter(l => {
      const { name, server } = l.app.destination
      if (l.model !== 'unknown' || name === '' || server !== '' || l.app.meta.deleting !== undefined) return false
      return !known.has(registrationKey(l.argoNamespace, name)) && olderThan(fleet.now, l.app.meta.created, SETTLED)
    })
    const { of } = fleet.join(registration)
    for (const list of groupBy(
      lost,
      l => `${l.appSet?.appSet.meta.uid ?? l.app.meta.uid}|${l.app.destination.name}`,
    ).values()) {
      const first = list[0]
      if (first === undefined) continue
      const { name } = first.app.destination
      const registrars = of.get(registrationKey(first.argoNamespace, name)) ?? []
      const there = [...known.keys()].filter(k => k.startsWith(`${first.argoNamespace}/`)).map(clusterOfKey)
      yield {
        subject: first.app.subject,
        message: `${names(list.map(l => `Application "${l.app.meta.name}"`))} ${list.length === 1 ? 'goes' : 'go'} to cluster "${name}", which is not registered in Argo CD of namespace "${first.argoNamespace}".`,
        evidence: [
          fact(first.app, '.spec.destination.name', name),
          fact(first.app, '', `registered: ${names(there.sort(), 10)}`),
        ],
        effect: 'nothing is deployed; an Application for an agent does not even say so',
        fix: `correct destination.name, or register ${name}`,
        because: [
          { subject: subject('hub', 'ManagedCluster', '', name) },
          ...[`cluster-${name}`, `${name}-secret`, ...registrars.map(r => `${name}-${r.msa}-cluster-secret`)].map(
            s => ({
              subject: subject('hub', 'Secret', first.argoNamespace, s),
              codes: ['FLT0213'],
            }),
          ),
          ...registrars.map(r => ({ subject: r.goc.subject })),
          ...(first.appSet === undefined ? [] : [{ subject: first.appSet.appSet.subject }]),
        ],
        through: list.map(l => l.app.subject),
      }
    }
  },
}
