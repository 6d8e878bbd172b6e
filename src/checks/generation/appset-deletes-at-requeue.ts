import type { Fleet } from '../../fleet/fleet.ts'
import { inputsOf } from '../../fleet/fleet.ts'
import { applications } from '../../fleet/joins/applications.ts'
import { type AppSetLink, appSetKey, appSets } from '../../fleet/joins/appsets.ts'
import { condition } from '../../fleet/joins/clusters.ts'
import { clusterSecrets, registration, registrationKey } from '../../fleet/joins/registration.ts'
import type { Application } from '../../fleet/records.ts'
import { subject } from '../../fleet/subject.ts'
import type { Cause, Check } from '../check.ts'
import { count, fact, names } from '../support.ts'
import { APPSET_NEEDS, decidedClusters, renderedFor } from './appset-support.ts'

/** Policies under which the controller deletes nothing (argo-cd applicationset types, ApplicationsSyncPolicy). */
const KEEPS = new Set(['create-only', 'create-update'])

/** Applications that the next look at the generator would not make again: their cluster is not decided, or has no secret. */
function doomed(fleet: Fleet, link: AppSetLink): readonly Application[] {
  const { appSet, generators, ownedByKey, argoNamespace } = link
  if (!appSet.simple || appSet.hasTemplatePatch || KEEPS.has(appSet.applicationsSync)) return []
  if (appSet.meta.deleting !== undefined || condition(appSet, 'ErrorOccurred')?.status === 'True') return []
  // No decision object at all is an error for the generator: it keeps everything.
  if (generators.every(g => g.decisions.length === 0)) return []
  const made = renderedFor(fleet, link)
  if (made.length < decidedClusters(link).length) return []
  const { byName } = fleet.join(clusterSecrets)
  const stays = new Set<string>()
  for (const { cluster, key } of made) if (byName.has(registrationKey(argoNamespace, cluster))) stays.add(key)
  const leave: Application[] = []
  for (const [key, app] of ownedByKey) if (app.meta.deleting === undefined && !stays.has(key)) leave.push(app)
  return leave
}

export const appsetDeletesAtRequeue: Check = {
  code: 'FLT0311',
  slug: 'appset-deletes-at-requeue',
  title: 'No ApplicationSet is about to delete Applications',
  severity: 'warning',
  category: 'generation',
  models: ['push', 'pull', 'agent'],
  needs: { hub: [...(APPSET_NEEDS.hub ?? []), 'Application', 'Secret'] },
  uses: inputsOf(appSets, { hub: ['ManagedCluster'] }),
  whole: { hub: ['PlacementDecision', 'Secret'] },
  docs: {
    why: 'Neither decisions nor cluster secrets trigger this generator: what has left the decision, or lost its secret, keeps its Application until the ApplicationSet requeues, three minutes by default. Then the Application is deleted, with its workload when it has a finalizer, and every condition stays green.',
    remedy:
      'If it is not meant: mend the Placement or the secret before the requeue, or set `spec.syncPolicy.applicationsSync: create-update` at once.',
    sources: ['push-pull 1.8, 1.14, 5 (12)', 'failures in the field D-4'],
  },
  *run(fleet) {
    for (const link of fleet.join(appSets).all) {
      const list = doomed(fleet, link)
      if (list.length === 0) continue
      const { appSet } = link
      const withWorkload = list.filter(app => app.meta.finalizers.some(f => f.startsWith('resources-finalizer')))
      yield {
        subject: appSet.subject,
        message: `ApplicationSet "${appSet.meta.name}" will delete ${count(list.length, 'Application')} at its next requeue: ${names(list.map(a => a.meta.name))}.`,
        evidence: [
          fact(appSet, '', `decided with a cluster secret: ${names(decidedClusters(link))}`),
          ...withWorkload.slice(0, 5).map(a => fact(a, '.metadata.finalizers', names(a.meta.finalizers))),
        ],
        effect:
          withWorkload.length > 0
            ? `the workload of ${names(withWorkload.map(a => a.meta.name))} goes with ${withWorkload.length === 1 ? 'it' : 'them'}`
            : 'the workload stays, managed by nobody',
        fix: 'mend the Placement or the cluster secret before the requeue; to be safe set spec.syncPolicy.applicationsSync: create-update',
        because: causesOf(fleet, link, list),
        breaks: false,
        through: list.map(a => a.subject),
      }
    }
  },
}

function causesOf(
  fleet: Fleet,
  { generators, argoNamespace, appSet }: AppSetLink,
  list: readonly Application[],
): Cause[] {
  const { byKey } = fleet.join(applications)
  const clusters = new Set(list.flatMap(app => byKey.get(appSetKey(app))?.cluster ?? []))
  const { of } = fleet.join(registration)
  return [
    ...generators.flatMap(g => g.placements.map(p => ({ subject: p.placement.subject }))),
    ...[...clusters].flatMap(c => [
      { subject: subject('hub', 'ManagedCluster', '', c) },
      ...(of.get(registrationKey(argoNamespace, c)) ?? []).map(r => ({
        subject: subject('hub', 'Secret', argoNamespace, `${c}-${r.msa}-cluster-secret`),
      })),
    ]),
    { subject: appSet.subject },
    ...list.map(a => ({ subject: a.subject })),
  ]
}
