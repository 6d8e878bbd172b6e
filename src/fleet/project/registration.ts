import { durationOf } from '../../duration.ts'
import type {
  AddOnDeploymentConfig,
  ClusterPermission,
  GitOpsCluster,
  ManagedClusterAddOn,
  ManagedServiceAccount,
} from '../records.ts'
import { projectBase, projectConditions } from './common.ts'
import type { Fields } from './fields.ts'
import { orEmpty } from './repeated.ts'

/** Both dialects of GitOpsCluster: ACM's v1beta1 and upstream OCM's v1alpha1 (agent only; push-pull.md 1.6, 4.1). */
export function gitOpsCluster(cluster: string, o: Fields): GitOpsCluster {
  const spec = o.obj('spec')
  const status = o.obj('status')
  const argoServer = spec.obj('argoServer')
  const ref = spec.obj('placementRef')
  const addon = spec.obj('gitopsAddon')
  const agent = addon.obj('argoCDAgent')
  const upstreamAgent = spec.obj('argoCDAgentAddon')
  const { subject, meta } = projectBase(cluster, 'GitOpsCluster', o)
  return {
    subject,
    meta,
    apiVersion: o.str('apiVersion'),
    argoNamespace: argoServer.str('argoNamespace'),
    argoCluster: argoServer.str('cluster'),
    placementRef: {
      kind: ref.str('kind'),
      apiVersion: ref.str('apiVersion'),
      name: ref.str('name'),
      namespace: ref.str('namespace'),
    },
    managedServiceAccountRef: spec.str('managedServiceAccountRef'),
    createBlankClusterSecrets: spec.bool('createBlankClusterSecrets') ?? false,
    addonEnabled: addon.bool('enabled') ?? false,
    agentEnabled: (agent.bool('enabled') ?? false) || spec.has('argoCDAgentAddon'),
    agentMode: agent.str('mode') || upstreamAgent.str('mode'),
    serverAddress: agent.str('serverAddress') || upstreamAgent.str('principalServerAddress'),
    serverPort: agent.str('serverPort') || upstreamAgent.str('principalServerPort'),
    phase: status.str('phase'),
    message: status.str('message'),
    lastUpdate: status.time('lastUpdateTime'),
    conditions: projectConditions(status),
  }
}

export function managedServiceAccount(cluster: string, o: Fields): ManagedServiceAccount {
  const spec = o.obj('spec')
  const status = o.obj('status')
  const ref = status.obj('tokenSecretRef')
  const validity = durationOf(spec.obj('rotation').str('validity'))
  const { subject, meta } = projectBase(cluster, 'ManagedServiceAccount', o)
  return {
    subject,
    meta,
    conditions: projectConditions(status),
    hasStatus: o.has('status'),
    tokenSecret: ref.str('name'),
    lastRefresh: ref.time('lastRefreshTimestamp'),
    expires: status.time('expirationTimestamp'),
    rotationEnabled: spec.obj('rotation').bool('enabled') ?? true,
    validitySeconds: validity === undefined ? undefined : validity / 1000,
  }
}

export function managedClusterAddOn(cluster: string, o: Fields): ManagedClusterAddOn {
  const spec = o.obj('spec')
  const status = o.obj('status')
  const { subject, meta } = projectBase(cluster, 'ManagedClusterAddOn', o)
  return {
    subject,
    meta,
    installNamespace: status.str('namespace') || spec.str('installNamespace'),
    configs: orEmpty(
      spec.objs('configs').map(c => ({
        group: c.word('group'),
        resource: c.word('resource'),
        namespace: c.word('namespace'),
        name: c.str('name'),
      })),
    ),
    conditions: projectConditions(status),
  }
}

export function addOnDeploymentConfig(cluster: string, o: Fields): AddOnDeploymentConfig {
  const variables: Record<string, string> = {}
  for (const v of o.obj('spec').objs('customizedVariables')) variables[v.str('name')] = v.str('value')
  const { subject, meta } = projectBase(cluster, 'AddOnDeploymentConfig', o)
  return { subject, meta, variables }
}

export function clusterPermission(cluster: string, o: Fields): ClusterPermission {
  const { subject, meta } = projectBase(cluster, 'ClusterPermission', o)
  const spec = o.obj('spec')
  const single = spec.has('clusterRoleBinding') ? [spec.obj('clusterRoleBinding')] : []
  const bindings = [...single, ...spec.objs('clusterRoleBindings'), ...spec.objs('roleBindings')]
  return {
    subject,
    meta,
    roleNames: bindings.map(b => b.obj('roleRef').str('name')).filter(name => name !== ''),
    conditions: projectConditions(o.obj('status')),
  }
}
