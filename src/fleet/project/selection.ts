import { PLACEMENT_LABEL } from '../labels.ts'
import type {
  DecisionGroup,
  ManagedCluster,
  ManagedClusterSet,
  ManagedClusterSetBinding,
  Placement,
  PlacementDecision,
  PrioritizerPolicy,
} from '../records.ts'
import { projectBase, projectConditions, projectExpressions, projectSelector } from './common.ts'
import type { Fields } from './fields.ts'

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
