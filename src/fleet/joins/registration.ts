import { defineJoin, inputsOf } from '../fleet.ts'
import { groupBy, pushTo } from '../maps.ts'
import type { GitOpsCluster, Secret } from '../records.ts'
import { type Decided, placementKey, selection } from './selection.ts'

/** A GitOpsCluster with its Placement (always of its own namespace: placementRef.namespace is ignored, push-pull.md 1.6). */
export interface Registrar {
  readonly goc: GitOpsCluster
  /** Namespace whose Argo CD gets the clusters. */
  readonly argoNamespace: string
  /** Undefined where the reference is invalid or names no Placement. */
  readonly decided: Decided | undefined
  readonly msa: string
  /** Does it write secrets without credentials (pull), secrets for agents, or real ones? */
  readonly writes: 'blank' | 'agent' | 'real'
}

export const DEFAULT_MSA = 'application-manager'

/** Does the GitOpsCluster name a Placement in the form that its controller wants? */
export function validPlacementRef(goc: GitOpsCluster): boolean {
  const { kind, apiVersion, name } = goc.placementRef
  // Upstream's v1alpha1 has a plain reference; ACM wants kind and group version spelt out (push-pull.md 1.6).
  if (goc.apiVersion.endsWith('/v1alpha1')) return name !== ''
  return (
    kind === 'Placement' && /^cluster\.open-cluster-management\.io\/v1(alpha1|beta1)$/i.test(apiVersion) && name !== ''
  )
}

function kindOfSecrets(goc: GitOpsCluster): Registrar['writes'] {
  if (goc.agentEnabled) return 'agent'
  return goc.addonEnabled || goc.createBlankClusterSecrets ? 'blank' : 'real'
}

interface Registration {
  readonly all: readonly Registrar[]
  readonly byKey: ReadonlyMap<string, Registrar>
  /** By `argoNamespace/cluster`: every GitOpsCluster that decides the cluster into that Argo CD. */
  readonly of: ReadonlyMap<string, readonly Registrar[]>
}

/** Key of a cluster in an Argo CD; a server URL may stand in the place of the name. */
export function registrationKey(argoNamespace: string, cluster: string): string {
  return `${argoNamespace}/${cluster}`
}

/** The cluster of a key; no namespace has a slash, a server in its place may. */
export function clusterOfKey(key: string): string {
  return key.slice(key.indexOf('/') + 1)
}

export const registration = defineJoin<Registration>(inputsOf({ hub: ['GitOpsCluster'] }, selection), fleet => {
  const { byPlacement } = fleet.join(selection)
  const all = fleet.hub.of('GitOpsCluster').all.map(
    (goc): Registrar => ({
      goc,
      argoNamespace: goc.argoNamespace || goc.meta.namespace,
      decided: validPlacementRef(goc)
        ? byPlacement.get(placementKey(goc.meta.namespace, goc.placementRef.name))
        : undefined,
      msa: goc.managedServiceAccountRef || DEFAULT_MSA,
      writes: kindOfSecrets(goc),
    }),
  )
  const of = new Map<string, Registrar[]>()
  for (const r of all) {
    for (const cluster of r.decided?.clusters ?? []) pushTo(of, registrationKey(r.argoNamespace, cluster), r)
  }
  return { all, byKey: new Map(all.map(r => [placementKey(r.goc.meta.namespace, r.goc.meta.name), r])), of }
})

/** Labels and annotations by which the writers of cluster secrets mark them (push-pull.md 1.7, agent-mode.md 1.8). */
export const ACM_CLUSTER = 'apps.open-cluster-management.io/acm-cluster'
export const DATA_SOURCE = 'apps.open-cluster-management.io/data-source'
/** On a GitOpsCluster: its secrets keep the API URL, without a check of the certificate (push-pull.md 1.6). */
export const LEGACY_SECRET = 'apps.open-cluster-management.io/legacy-cluster-secret'
export const AGENT_NAME = 'argocd-agent.argoproj-labs.io/agent-name'

interface ClusterSecrets {
  readonly all: readonly ClusterSecret[]
  /** By `argoNamespace/cluster`, where the cluster is `data.name`. */
  readonly byName: ReadonlyMap<string, readonly ClusterSecret[]>
  /** By `argoNamespace/server`. */
  readonly byServer: ReadonlyMap<string, readonly ClusterSecret[]>
}

export type ClusterSecret = Secret & { readonly cluster: NonNullable<Secret['cluster']> }

function isClusterSecret(secret: Secret): secret is ClusterSecret {
  return secret.cluster !== undefined
}

export const clusterSecrets = defineJoin<ClusterSecrets>({ hub: ['Secret'] }, fleet => {
  const all = fleet.hub.of('Secret').all.filter(isClusterSecret)
  return {
    all,
    byName: groupBy(all, s => registrationKey(s.meta.namespace, s.cluster.name)),
    byServer: groupBy(all, s => registrationKey(s.meta.namespace, s.cluster.server)),
  }
})

/** A secret without credentials: push through it can never work (push-pull.md 1.7, order 0). */
export function isBlank(secret: ClusterSecret): boolean {
  return secret.meta.labels[DATA_SOURCE] === 'blank' || (isAcm(secret) && !secret.cluster.hasConfig)
}

/** Did ACM's GitOpsCluster controller write the secret? */
export function isAcm(secret: Secret): boolean {
  return ACM_CLUSTER in secret.meta.labels
}

/** Does the secret stand for an agent, and not for credentials? */
export function isAgentSecret(secret: Secret): boolean {
  return AGENT_NAME in secret.meta.labels
}
