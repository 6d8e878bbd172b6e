import { condition } from '../../fleet/joins/clusters.ts'
import { type WorkLink, works } from '../../fleet/joins/works.ts'
import type { Application } from '../../fleet/records.ts'
import { subject } from '../../fleet/subject.ts'
import type { Check, Finding } from '../check.ts'
import { hubApp, isCurrent, PULL_INPUTS, spokeApp } from '../delivery/pull-support.ts'
import { fact, names } from '../support.ts'
import { waitsForAgent } from '../work-agent.ts'

/**
 * Does the Application have what the payload wants? The fingerprint leaves the destination out, since that of the hub is
 * another one. A field that the payload does not have is left on the spoke as it is (seen).
 */
function sameSpec(app: Application, payload: Application): boolean {
  const { destination } = app
  const wanted = payload.destination
  return (
    app.specHash === payload.specHash &&
    (wanted.server === '' || wanted.server === destination.server) &&
    (wanted.name === '' || wanted.name === destination.name) &&
    (wanted.namespace === '' || wanted.namespace === destination.namespace)
  )
}

/** The Application is what it should be, but a deletion on the hub would leave its workload behind (push-pull.md 1.10, 3). */
function withoutFinalizer(app: Application, { work, cluster }: WorkLink, lacks: readonly string[]): Finding {
  return {
    subject: app.subject,
    severity: 'warning',
    message: `Application "${app.meta.name}" on cluster "${cluster}" has lost finalizer ${names(lacks)}, which ManifestWork "${work.meta.name}" delivers.`,
    evidence: [
      fact(app, '.metadata.finalizers', names(app.meta.finalizers)),
      fact(work, 'payload .metadata.finalizers', names(lacks)),
    ],
    effect:
      'when the Application is removed on the hub, or the cluster is no longer selected, its workload stays on the cluster',
    fix: `put the finalizer back on Application ${app.meta.namespace}/${app.meta.name} on ${cluster}`,
    because: [{ subject: work.subject }, { subject: subject('hub', 'ManagedCluster', '', cluster) }],
    clusters: [cluster],
    breaks: false,
  }
}

export const spokeAppDrifted: Check = {
  code: 'FLT0519',
  slug: 'spoke-app-drifted',
  title: 'Applications on the spokes are as the hub delivers them',
  severity: 'error',
  category: 'spokes',
  models: ['pull'],
  needs: { hub: ['ManifestWork', 'Application'], spoke: ['Application'] },
  uses: PULL_INPUTS,
  docs: {
    why: 'Since ACM 2.14 the work agent compares only a hash that it noted, so a hand edit on the spoke survives until the payload changes on the hub, while the ManifestWork says Applied. Two ManifestWorks with one Application overwrite each other in turn.',
    remedy:
      'Edit on the hub. To force the content, remove annotation `open-cluster-management.io/config-spec-hash` from the Application on the spoke.',
    sources: ['push-pull 1.12', 'seen on running controllers: 1.12'],
  },
  *run(fleet) {
    const { byPayload } = fleet.join(works)
    for (const work of fleet.join(works).all) {
      const at = spokeApp(work)
      const app =
        at === undefined ? undefined : fleet.spokes.get(work.cluster)?.of('Application').get(at.namespace, at.name)
      const { payload } = work
      if (at === undefined || app === undefined || payload === undefined) continue
      const lacks = payload.meta.finalizers.filter(f => !app.meta.finalizers.includes(f))
      const same = sameSpec(app, payload)
      if (same && lacks.length === 0) continue
      if (
        work.work.meta.deleting !== undefined ||
        app.meta.deleting !== undefined ||
        waitsForAgent(fleet.now, work.work)
      )
        continue
      if (condition(work.work, 'Applied')?.status !== 'True') continue
      const link = hubApp(fleet, work)
      if (link !== undefined && !isCurrent(link, work)) continue
      if (same) {
        yield withoutFinalizer(app, work, lacks)
        continue
      }
      const rivals = (byPayload.get(`${work.cluster}|${at.namespace}/${at.name}`) ?? []).filter(w => w !== work)
      yield {
        subject: at,
        message: `Application "${at.name}" on cluster "${work.cluster}" differs from what ManifestWork "${work.work.meta.name}" delivers.`,
        evidence: [
          fact(
            app,
            '.spec.source',
            app.sources.map(s => `${s.repoURL} ${s.path || s.chart}@${s.targetRevision}`).join(', '),
          ),
          fact(
            work.work,
            'payload .spec.source',
            payload.sources.map(s => `${s.repoURL} ${s.path || s.chart}@${s.targetRevision}`).join(', '),
          ),
        ],
        effect: 'the cluster deploys something else than the hub says, and Applied stays True',
        fix: 'edit on the hub; to force it: remove annotation open-cluster-management.io/config-spec-hash from the Application on the spoke',
        because: [
          ...rivals.map(w => ({ subject: w.work.subject, codes: ['FLT0603'] })),
          { subject: work.work.subject },
          { subject: subject('hub', 'ManagedCluster', '', work.cluster) },
        ],
      }
    }
  },
}
