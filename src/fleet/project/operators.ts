import type { ClusterServiceVersion, Policy, PolicyObject, Subscription } from '../records.ts'
import { argoCD } from './argo.ts'
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
    state: status.str('state'),
    conditions: projectConditions(status),
  }
}

export function clusterServiceVersion(cluster: string, o: Fields): ClusterServiceVersion {
  const { subject, meta } = projectBase(cluster, 'ClusterServiceVersion', o)
  return {
    subject,
    meta,
    version: o.obj('spec').str('version'),
    phase: o.obj('status').str('phase'),
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
  }
}
