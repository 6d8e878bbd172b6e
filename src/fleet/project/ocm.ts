import { durationOf } from '../../duration.ts'
import type {
  AddOnDeploymentConfig,
  ApplicationSetReport,
  AppliedManifestWork,
  ClusterPermission,
  DecisionGroup,
  GitOpsCluster,
  ManagedCluster,
  ManagedClusterAddOn,
  ManagedClusterSet,
  ManagedClusterSetBinding,
  ManagedServiceAccount,
  Placement,
  PlacementDecision,
  PrioritizerPolicy,
} from '../records.ts'
import { projectBase, projectConditions, projectExpressions, projectSelector } from './common.ts'
import type { Fields } from './fields.ts'
import { orEmpty } from './repeated.ts'

export function managedCluster(cluster: string, o: Fields): ManagedCluster {
  const spec = o.obj('spec')
  const status = o.obj('status')
  const claims: Record<string, string> = {}
  for (const claim of status.objs('clusterClaims')) claims[claim.str('name')] = claim.str('value')
  const { subject, meta } = projectBase(cluster, 'ManagedCluster', o)
  return {
    subject,
    meta,
    accepted: spec.bool('hubAcceptsClient') ?? false,
    leaseDurationSeconds: spec.num('leaseDurationSeconds'),
    clientConfigUrls: spec.objs('managedClusterClientConfigs').map(c => c.str('url')),
    taints: spec.objs('taints').map(t => ({
      key: t.str('key'),
      value: t.str('value'),
      effect: t.str('effect'),
      timeAdded: t.time('timeAdded'),
    })),
    claims,
    kubernetesVersion: status.obj('version').str('kubernetes'),
    capacity: status.map('capacity'),
    allocatable: status.map('allocatable'),
    conditions: projectConditions(status),
  }
}

export function managedClusterSet(cluster: string, o: Fields): ManagedClusterSet {
  const selector = o.obj('spec').obj('clusterSelector')
  const { subject, meta } = projectBase(cluster, 'ManagedClusterSet', o)
  return {
    subject,
    meta,
    selectorType: selector.str('selectorType') || 'ExclusiveClusterSetLabel',
    labelSelector: projectSelector(selector, 'labelSelector'),
    conditions: projectConditions(o.obj('status')),
  }
}

export function managedClusterSetBinding(cluster: string, o: Fields): ManagedClusterSetBinding {
  const { subject, meta } = projectBase(cluster, 'ManagedClusterSetBinding', o)
  return {
    subject,
    meta,
    clusterSet: o.obj('spec').str('clusterSet'),
    conditions: projectConditions(o.obj('status')),
  }
}

function prioritizerPolicy(spec: Fields): PrioritizerPolicy {
  const policy = spec.obj('prioritizerPolicy')
  return {
    mode: policy.str('mode'),
    configurations: policy.objs('configurations').map(c => {
      const coordinate = c.obj('scoreCoordinate')
      const addOn = coordinate.obj('addOn')
      return {
        type: coordinate.str('type') || 'BuiltIn',
        builtIn: coordinate.str('builtIn'),
        addOn: coordinate.has('addOn') ? `${addOn.str('resourceName')}/${addOn.str('scoreName')}` : '',
        weight: c.num('weight') ?? 1,
      }
    }),
  }
}

function decisionGroups(spec: Fields): readonly DecisionGroup[] {
  const strategy = spec.obj('decisionStrategy').obj('groupStrategy')
  return strategy.objs('decisionGroups').map(g => {
    const selector = g.obj('groupClusterSelector')
    return {
      name: g.str('groupName'),
      labelSelector: projectSelector(selector, 'labelSelector'),
      claimExpressions: projectExpressions(selector.obj('claimSelector').objs('matchExpressions')),
    }
  })
}

export function placement(cluster: string, o: Fields): Placement {
  const spec = o.obj('spec')
  const status = o.obj('status')
  const { subject, meta } = projectBase(cluster, 'Placement', o)
  return {
    subject,
    meta,
    clusterSets: spec.strs('clusterSets'),
    numberOfClusters: spec.num('numberOfClusters'),
    predicates: spec.objs('predicates').map(p => {
      const required = p.obj('requiredClusterSelector')
      return {
        labelSelector: projectSelector(required, 'labelSelector'),
        claimExpressions: projectExpressions(required.obj('claimSelector').objs('matchExpressions')),
        celExpressions: required.obj('celSelector').strs('celExpressions'),
      }
    }),
    tolerations: spec.objs('tolerations').map(t => ({
      key: t.str('key'),
      operator: t.str('operator') || 'Equal',
      value: t.str('value'),
      effect: t.str('effect'),
      tolerationSeconds: t.num('tolerationSeconds'),
    })),
    prioritizerPolicy: prioritizerPolicy(spec),
    decisionGroups: decisionGroups(spec),
    conditions: projectConditions(status),
    numberOfSelectedClusters: status.num('numberOfSelectedClusters'),
  }
}

const PLACEMENT_LABEL = 'cluster.open-cluster-management.io/placement'

export function placementDecision(cluster: string, o: Fields): PlacementDecision {
  const { subject, meta } = projectBase(cluster, 'PlacementDecision', o)
  const owner = meta.owners.find(r => r.kind === 'Placement')
  return {
    subject,
    meta,
    placement: meta.labels[PLACEMENT_LABEL] ?? owner?.name ?? '',
    clusterNames: o
      .obj('status')
      .objs('decisions')
      .map(d => d.str('clusterName')),
  }
}

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
