import type { ClusterServiceVersion, PlacementBinding, Policy, PolicyObject, Subscription } from '../records.ts'
import { argoCD } from './argocd.ts'
import { projectBase, projectConditions } from './common.ts'
import type { Fields } from './fields.ts'

export function subscription(cluster: string, o: Fields): Subscription {
  const spec = o.obj('spec')
  const status = o.obj('status')
  const env: Record<string, string> = {}
  for (const e of spec.obj('config').objs('env')) if (e.has('value')) env[e.str('name')] = e.str('value')
  const { subject, meta } = projectBase(cluster, 'Subscription', o)
  return {
    subject,
    meta,
    packageName: spec.str('name'),
    channel: spec.str('channel'),
    env,
    installedCSV: status.str('installedCSV'),
    currentCSV: status.str('currentCSV'),
    manualApproval: spec.str('installPlanApproval') === 'Manual',
    state: status.str('state'),
    conditions: projectConditions(status),
  }
}

export function clusterServiceVersion(cluster: string, o: Fields): ClusterServiceVersion {
  const { subject, meta } = projectBase(cluster, 'ClusterServiceVersion', o)
  const status = o.obj('status')
  return {
    subject,
    meta,
    version: o.obj('spec').str('version'),
    phase: status.str('phase'),
    reason: status.str('reason'),
    message: status.str('message'),
  }
}

function policyObjects(cluster: string, templates: readonly Fields[]): PolicyObject[] {
  const objects: PolicyObject[] = []
  for (const template of templates) {
    for (const t of template.obj('objectDefinition').obj('spec').objs('object-templates')) {
      const object = t.obj('objectDefinition')
      const meta = object.obj('metadata')
      const kind = object.str('kind')
      objects.push({
        apiVersion: object.str('apiVersion'),
        kind,
        namespace: meta.str('namespace'),
        name: meta.str('name'),
        complianceType: t.str('complianceType'),
        argocd: kind === 'ArgoCD' ? argoCD(cluster, object) : undefined,
      })
    }
  }
  return objects
}

export function policy(cluster: string, o: Fields): Policy {
  const spec = o.obj('spec')
  const status = o.obj('status')
  const { subject, meta } = projectBase(cluster, 'Policy', o)
  return {
    subject,
    meta,
    disabled: spec.bool('disabled') ?? false,
    remediationAction: spec.str('remediationAction'),
    compliant: status.str('compliant'),
    clusterStatus: status.objs('status').map(s => ({ cluster: s.str('clustername'), compliant: s.str('compliant') })),
    objects: policyObjects(cluster, spec.objs('policy-templates')),
    violations: status
      .objs('details')
      .filter(d => d.str('compliant') === 'NonCompliant')
      .flatMap(d => d.objs('history').slice(0, 1))
      .map(h => h.str('message')),
  }
}

/** `placementRef` and `subjects` stand at the top: the kind has no spec. */
export function placementBinding(cluster: string, o: Fields): PlacementBinding {
  const ref = o.obj('placementRef')
  const { subject, meta } = projectBase(cluster, 'PlacementBinding', o)
  return {
    subject,
    meta,
    placementKind: ref.str('kind'),
    placementName: ref.str('name'),
    boundTo: o.objs('subjects').map(s => ({ kind: s.str('kind'), name: s.str('name') })),
  }
}
