import { createHash } from 'node:crypto'
import type { Fleet } from '../fleet/fleet.ts'
import { appSetKey, appSets } from '../fleet/joins/appsets.ts'
import { argoNamespaces } from '../fleet/joins/argo-namespaces.ts'
import { AVAILABLE, condition, isTrue } from '../fleet/joins/clusters.ts'
import { flavour } from '../fleet/joins/flavour.ts'
import { AGENT_NAME } from '../fleet/joins/registration.ts'
import type { Way } from '../fleet/joins/ways.ts'
import type { KindName } from '../fleet/kinds.ts'
import { ARGO_SERVER_SELECTOR, OCM_CLUSTER_NAME, PULL_LABEL, SECRET_CLUSTER_NAME } from '../fleet/labels.ts'
import { CLUSTER_LEASE, CLUSTER_PROXY_SERVICE, CONTROLLER_CONFIG_MAP, PRINCIPAL_SECRETS } from '../fleet/well-known.ts'
import { CLUSTER_SECRETS } from '../kube/read-plan.ts'
import type { Part, PartReading } from '../source/source.ts'
import type { AppRef } from './find.ts'

/** Requests to the hub for one trace, the three of discovery left out. */
export const MOST_PARTS = 22

const MANY = 2_000

/** With no more managed clusters and Applications than this, a page holds all of what there is one for each of them. */
const FEW_CLUSTERS = 50
const FEW_APPLICATIONS = 400
/** One list that holds the managed clusters of a large fleet; a Placement can only be explained over all of them. */
const MOST_CLUSTERS = 10_000

/** On ACM's ManifestWorks: sha1 of `namespace/name` of the ApplicationSet (push-pull.md 1.10). */
const SET_HASH = 'apps.open-cluster-management.io/application-set-hash'
const CLUSTER_SERVER = 'apps.open-cluster-management.io/cluster-server'
/** Namespace of ACM's application controllers, and the ConfigMap that switches pull off there (push-pull.md 1.10, 4.1). */
const SWITCH = { namespace: 'open-cluster-management', name: CONTROLLER_CONFIG_MAP }

/** One object, by a list: the right to list is all that the least roles give. */
function named(kind: KindName, name: string, namespace?: string): Part {
  return { kind, fieldSelector: `metadata.name=${name}`, ...(namespace === undefined ? {} : { namespace }) }
}

/** The Application, and the kinds of which a hub has few: enough to tell its way. */
export function firstParts({ name, namespace }: AppRef): readonly Part[] {
  return [
    named('Application', name, namespace),
    { kind: 'ApplicationSet', most: MANY },
    { kind: 'ArgoCD' },
    { kind: 'GitOpsCluster' },
    { kind: 'Placement', most: MANY },
    { kind: 'PlacementDecision', most: MANY },
    { kind: 'ManagedClusterSetBinding', most: MANY },
    { kind: 'ManagedClusterSet' },
    { kind: 'ManagedCluster', most: MOST_CLUSTERS },
    { kind: 'CustomResourceDefinition', metadataOnly: true, most: MANY },
    { kind: 'Service', labelSelector: ARGO_SERVER_SELECTOR },
  ]
}

/**
 * Is the hub so small that a request holds what a large one has thousands of? Told by its clusters and by what its
 * ApplicationSets generate. What Applications share is then seen as the doctor sees it.
 */
function isSmall(fleet: Fleet): boolean {
  const generated = fleet
    .join(appSets)
    .all.reduce((sum, { generators }) => sum + generators.reduce((n, g) => n + g.clusters.size, 0), 0)
  return fleet.hub.of('ManagedCluster').all.length <= FEW_CLUSTERS && generated <= FEW_APPLICATIONS
}

/** Secrets by which an Argo CD may know the cluster of a way; on a large hub those of other clusters are left where they are. */
export function secretParts(fleet: Fleet, way: Way): readonly Part[] {
  const { cluster, argoNamespace: namespace, link } = way
  const select = (...more: readonly string[]): Part => ({
    kind: 'Secret',
    namespace,
    labelSelector: [CLUSTER_SECRETS, ...more].join(','),
  })
  if (isSmall(fleet))
    return [...fleet.join(argoNamespaces), namespace]
      .filter(unique)
      .slice(0, 2)
      .map(ns => ({ ...select(), namespace: ns }))
  const parts: Part[] = []
  if (cluster !== '') parts.push(select(`${SECRET_CLUSTER_NAME}=${cluster}`))
  else {
    const host = serverLabel(link?.app.destination.server ?? '')
    if (host !== '') parts.push(select(`${CLUSTER_SERVER}=${host}`))
  }
  const hasAgents = fleet.hub.of('ArgoCD').all.some(a => a.principal?.enabled)
  if (hasAgents && cluster !== '') parts.push(select(`${AGENT_NAME}=${cluster}`, `!${SECRET_CLUSTER_NAME}`))
  // Made by hand, or by upstream OCM, which sets no label: one for each cluster there.
  if (fleet.join(flavour) === 'upstream' && cluster !== '') parts.push(named('Secret', `${cluster}-secret`, namespace))
  else parts.push(select(`!${SECRET_CLUSTER_NAME}`, `!${AGENT_NAME}`))
  return parts
}

function unique<T>(value: T, index: number, all: readonly T[]): boolean {
  return all.indexOf(value) === index
}

/** Value of the label by which ACM marks a secret with its host: no scheme, no port, 63 characters (push-pull.md 1.7). */
function serverLabel(server: string): string {
  const host = /^[a-z]+:\/\/([^/:]+)/.exec(server)?.[1] ?? ''
  return host.slice(0, 63).replace(/[^A-Za-z0-9]+$/, '')
}

/** ManifestWorks of the Application, wherever, and of those that its ApplicationSet made beside it (push-pull.md 1.10). */
function workParts({ cluster, appSet }: Way, small: boolean): readonly Part[] {
  if (small) return [{ kind: 'ManifestWork' }]
  const siblings =
    appSet === undefined
      ? `${PULL_LABEL}=true`
      : `${SET_HASH}=${createHash('sha1').update(appSetKey(appSet.appSet)).digest('hex')}`
  return [
    { kind: 'ManifestWork', namespace: cluster },
    { kind: 'ManifestWork', labelSelector: siblings },
  ]
}

/** The principal, and the agent's certificate and settings on the hub (agent-mode.md 1.4, 1.8). */
function agentParts({ cluster, argoNamespace: namespace }: Way): readonly Part[] {
  return [
    ...(cluster === ''
      ? []
      : [{ kind: 'CertificateSigningRequest' as const, labelSelector: `${OCM_CLUSTER_NAME}=${cluster}`, most: MANY }]),
    { kind: 'Deployment', namespace },
    { kind: 'Policy', namespace },
    ...PRINCIPAL_SECRETS.map((name): Part => ({ kind: 'Secret', namespace, name })),
  ]
}

/** The rest of the way, most telling first: a reader stops where the requests are used up. */
export function wayParts(fleet: Fleet, way: Way): readonly Part[] {
  const { cluster, argoNamespace: namespace, model, appSet, link } = way
  const small = isSmall(fleet)
  const ofCluster = (kind: KindName): Part => (small ? { kind } : { kind, namespace: cluster })
  const parts: Part[] = small ? [{ kind: 'Application' }] : []
  if (cluster !== '') {
    parts.push(ofCluster('ManagedClusterAddOn'))
    // What is pushed may clash with what is pulled.
    if (model === 'pull' || (small && model !== 'agent')) parts.push(...workParts(way, small))
    if (model === 'push' || model === 'unknown') parts.push(ofCluster('ManagedServiceAccount'))
    const managed = fleet.hub.of('ManagedCluster').get('', cluster)
    // The namespace of a cluster tells whether it ever was one.
    if (model === 'pull' && small) parts.push({ kind: 'Namespace' })
    else if (managed === undefined) parts.push(named('Namespace', cluster))
    if (managed !== undefined && !isTrue(managed, AVAILABLE)) parts.push(named('Lease', CLUSTER_LEASE, cluster))
  }
  if (model === 'pull' && appSet !== undefined) {
    const { namespace: at, name } = appSet.appSet.meta
    parts.push(
      small ? { kind: 'MulticlusterApplicationSetReport' } : named('MulticlusterApplicationSetReport', name, at),
    )
  }
  // It lacks a right to read what its generator needs (push-pull.md 1.8).
  const error = appSet === undefined ? undefined : condition(appSet.appSet, 'ErrorOccurred')
  if (model !== 'agent' && error?.status === 'True' && error.message.includes('forbidden')) {
    for (const kind of ['RoleBinding', 'Role', 'ServiceAccount'] as const) parts.push({ kind, namespace })
    for (const kind of ['ClusterRoleBinding', 'ClusterRole'] as const) parts.push({ kind, most: MANY })
  }
  if ((link?.app.project ?? appSet?.appSet.template.project ?? '') !== '')
    parts.push({ kind: 'AppProject', most: MANY })
  if (model === 'agent') parts.push(...agentParts(way))
  parts.push({ kind: 'ConfigMap', namespace })
  if (model === 'pull') parts.push({ kind: 'ConfigMap', ...SWITCH })
  if (model === 'push') parts.push({ kind: 'Service', ...CLUSTER_PROXY_SERVICE })
  if (model !== 'pull' && small) parts.push({ kind: 'MulticlusterApplicationSetReport' })
  parts.push({ kind: 'Service', namespace })
  return parts
}

/** Says of every kind that was read in part in which. */
export function narrowKinds(reading: PartReading, { name }: AppRef, way: Way, fleet: Fleet): void {
  const { cluster, argoNamespace, appSet } = way
  const reason = `only what the trace of Application "${name}" needs was read`
  if (!isSmall(fleet)) {
    reading.narrow('Application', { reason, names: [name] })
    for (const kind of ['ManagedClusterAddOn', 'ManagedServiceAccount', 'ManifestWork'] as const)
      reading.narrow(kind, { reason, within: [cluster] })
    reading.narrow('Namespace', { reason, names: [cluster] })
  } else if (way.model !== 'pull') reading.narrow('Namespace', { reason, names: [cluster] })
  const ns = { within: [argoNamespace] }
  reading.narrow('Secret', isSmall(fleet) ? ns : { reason, ...ns })
  // As a whole run has them.
  reading.narrow('ConfigMap', { within: [argoNamespace, SWITCH.namespace] })
  reading.narrow('Service', { within: [argoNamespace, CLUSTER_PROXY_SERVICE.namespace] })
  for (const kind of ['Role', 'RoleBinding', 'ServiceAccount', 'Deployment', 'Policy'] as const)
    reading.narrow(kind, ns)
  reading.narrow('Lease', { reason, within: [cluster], names: [CLUSTER_LEASE] })
  reading.narrow('CertificateSigningRequest', { reason })
  const set = appSet?.appSet.meta
  if (isSmall(fleet)) return
  reading.narrow('MulticlusterApplicationSetReport', {
    reason,
    within: [set?.namespace ?? ''],
    names: [set?.name ?? ''],
  })
}
