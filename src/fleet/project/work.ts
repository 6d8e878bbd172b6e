import type { Application, ApplicationSetReport, AppliedManifestWork, ManifestRef, ManifestWork } from '../records.ts'
import { application } from './application.ts'
import { projectBase, projectConditions } from './common.ts'
import type { Fields } from './fields.ts'

const APPLICATION_API = 'argoproj.io/'

function groupOf(apiVersion: string): string {
  const slash = apiVersion.indexOf('/')
  return slash < 0 ? '' : apiVersion.slice(0, slash)
}

/** Feedback values by name; the JSON keys are `statusFeedback` and `fieldValue` (push-pull.md 1.11). */
function feedback(manifest: Fields): Record<string, string> {
  const values: Record<string, string> = {}
  for (const v of manifest.obj('statusFeedback').objs('values')) {
    const field = v.obj('fieldValue')
    const value = field.raw.string ?? field.raw.integer ?? field.raw.boolean ?? field.raw.jsonRaw
    if (value !== undefined) values[v.str('name')] = String(value)
  }
  return values
}

export function manifestWork(cluster: string, o: Fields): ManifestWork {
  const { subject, meta } = projectBase(cluster, 'ManifestWork', o)
  const spec = o.obj('spec')
  const status = o.obj('status')
  const manifests: ManifestRef[] = []
  const applications: Application[] = []
  for (const m of spec.obj('workload').objs('manifests')) {
    const apiVersion = m.word('apiVersion')
    const kind = m.word('kind')
    const named = m.obj('metadata')
    manifests.push({ group: groupOf(apiVersion), kind, namespace: named.word('namespace'), name: named.word('name') })
    // The payload lands on the managed cluster whose namespace the work is in.
    if (kind === 'Application' && apiVersion.startsWith(APPLICATION_API))
      applications.push(application(meta.namespace, m))
  }
  return {
    subject,
    meta,
    manifests,
    applications,
    asksFeedback: spec
      .objs('manifestConfigs')
      .some(c => c.obj('resourceIdentifier').word('group') === 'argoproj.io' && c.objs('feedbackRules').length > 0),
    updateStrategies: spec.objs('manifestConfigs').map(c => {
      const id = c.obj('resourceIdentifier')
      return {
        group: id.word('group'),
        resource: id.word('resource'),
        namespace: id.word('namespace'),
        name: id.word('name'),
        type: c.obj('updateStrategy').str('type'),
      }
    }),
    conditions: projectConditions(status),
    manifestStatuses: status
      .obj('resourceStatus')
      .objs('manifests')
      .map(m => {
        const of = m.obj('resourceMeta')
        return {
          ordinal: of.num('ordinal') ?? 0,
          group: of.word('group'),
          kind: of.word('kind'),
          resource: of.word('resource'),
          namespace: of.word('namespace'),
          name: of.word('name'),
          conditions: projectConditions(m),
          feedback: feedback(m),
        }
      }),
  }
}

export function appliedManifestWork(cluster: string, o: Fields): AppliedManifestWork {
  const spec = o.obj('spec')
  const status = o.obj('status')
  const { subject, meta } = projectBase(cluster, 'AppliedManifestWork', o)
  return {
    subject,
    meta,
    hubHash: spec.str('hubHash'),
    manifestWorkName: spec.str('manifestWorkName'),
    evictionStart: status.time('evictionStartTime'),
    appliedResources: status.objs('appliedResources').map(r => ({
      group: r.str('group'),
      resource: r.str('resource'),
      namespace: r.str('namespace'),
      name: r.str('name'),
    })),
  }
}

/** The report has no `.status`: its data stand in top-level `.statuses` (push-pull.md 1.13). */
export function applicationSetReport(cluster: string, o: Fields): ApplicationSetReport {
  const statuses = o.obj('statuses')
  const { subject, meta } = projectBase(cluster, 'MulticlusterApplicationSetReport', o)
  return {
    subject,
    meta,
    entries: statuses.objs('clusterConditions').map(e => ({
      cluster: e.word('cluster'),
      sync: e.str('syncStatus'),
      health: e.str('healthStatus'),
      phase: e.str('operationStatePhase'),
      startedAt: e.time('operationStateStartedAt'),
      revision: e.word('syncRevision'),
      app: e.str('app'),
      conditions: e.objs('conditions').map(c => ({
        type: c.str('type'),
        message: c.str('message'),
        since: c.time('lastTransitionTime'),
      })),
    })),
    summary: statuses.map('summary'),
  }
}
