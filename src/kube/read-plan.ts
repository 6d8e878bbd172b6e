import { KINDS, type KindName } from '../fleet/kinds.ts'
import { ARGO_SERVER_SELECTOR, OCM_CLUSTER_NAME } from '../fleet/labels.ts'
import { AGENT_CLIENT_TLS, ARGO_REDIS, PRINCIPAL_SECRETS } from '../fleet/well-known.ts'

/** What makes a namespace worth reading. Which namespaces those are is found out while reading, see NamespaceFacts. */
export type NamespaceRole =
  /** An Argo CD control plane lives there. */
  | 'argo'
  /** Applications or ApplicationSets lie there. */
  | 'apps'
  /** Applications of this cluster deploy into it. */
  | 'destinations'
  /** The operator of Argo CD runs there. */
  | 'operators'
  /** The hub's controllers (ACM, OCM) run there. */
  | 'controllers'
  /** Klusterlet and add-on agents run there. */
  | 'agents'

/** Which part of a kind is read, and in what portions. */
export interface Selection {
  readonly labelSelector?: string
  readonly fieldSelector?: string
  /** Objects per page, for kinds whose objects are much larger or smaller than usual. */
  readonly limit?: number
  readonly metadataOnly?: boolean
  readonly mostPages?: number
}

export interface KindPlan {
  /** One list over the whole cluster. */
  readonly wide?: Selection
  /** The wide list only helps to find namespaces: being refused it loses nothing. */
  readonly wideIsHelp?: boolean
  /** Lists in the namespaces that have one of these roles. */
  readonly roles?: readonly NamespaceRole[]
  readonly inNamespaces?: Selection
  /** Further namespaces, of which only names and labels are read: enough to tell whether a deployed object is there. */
  readonly namesOnly?: readonly NamespaceRole[]
  /** A user who may not list the whole cluster may still see what lies beside Argo CD. */
  readonly orBesideArgo?: boolean
}

const WHOLE: KindPlan = { wide: {} }
const BESIDE_ARGO: KindPlan = { wide: {}, orBesideArgo: true }
const WORKLOADS: readonly NamespaceRole[] = ['argo', 'operators', 'controllers', 'agents']

/**
 * How each kind is read: the kinds of the chain over the whole cluster in one list, since their namespaces are many (one
 * per managed cluster); what every cluster is full of (Secrets, Deployments, RBAC, …) only in the namespaces that matter.
 */
const PLANS: Partial<Record<KindName, KindPlan>> = {
  Placement: BESIDE_ARGO,
  PlacementDecision: BESIDE_ARGO,
  ManagedClusterSetBinding: BESIDE_ARGO,
  GitOpsCluster: BESIDE_ARGO,
  MulticlusterApplicationSetReport: BESIDE_ARGO,
  ApplicationSet: BESIDE_ARGO,
  Application: BESIDE_ARGO,
  AppProject: BESIDE_ARGO,
  ArgoCD: BESIDE_ARGO,
  Policy: BESIDE_ARGO,
  PlacementBinding: BESIDE_ARGO,
  Subscription: BESIDE_ARGO,
  OperatorGroup: BESIDE_ARGO,
  // The whole work of a cluster stands in it, so pages are smaller.
  ManifestWork: { wide: { limit: 250 } },
  // OLM copies the one of a global operator into every namespace, and each holds its icon and all its CRDs.
  ClusterServiceVersion: { wide: { labelSelector: '!olm.copiedFrom', limit: 50 }, orBesideArgo: true },
  // Names are enough, discovery knows the versions; the schemas of an OpenShift hub are tens of megabytes.
  CustomResourceDefinition: { wide: { metadataOnly: true } },
  // OCM labels those by which clusters and add-ons join (registration and add-on agents).
  CertificateSigningRequest: { wide: { labelSelector: OCM_CLUSTER_NAME } },
  Lease: { wide: { fieldSelector: 'metadata.name=managed-cluster-lease' }, roles: ['agents'] },
  Secret: { roles: ['argo'] },
  ConfigMap: { roles: ['argo', 'apps'], namesOnly: ['destinations'] },
  Service: { wide: { labelSelector: ARGO_SERVER_SELECTOR }, wideIsHelp: true, roles: ['argo', 'destinations'] },
  ServiceAccount: { roles: ['argo', 'agents', 'destinations'] },
  Role: { roles: ['argo', 'apps', 'destinations'] },
  RoleBinding: { roles: ['argo', 'apps', 'destinations'] },
  Deployment: { roles: [...WORKLOADS, 'destinations'] },
  StatefulSet: {
    wide: { labelSelector: 'app.kubernetes.io/part-of=argocd' },
    wideIsHelp: true,
    roles: [...WORKLOADS, 'destinations'],
  },
  Pod: { roles: WORKLOADS, inNamespaces: { mostPages: 2 } },
  Event: { roles: ['argo', 'apps', 'operators', 'agents'], inNamespaces: { mostPages: 2 } },
  Route: { roles: ['argo'] },
}

/** Kinds whose objects tell which namespaces matter; they are read even when no check asks for them. */
export const SIGNPOSTS: readonly KindName[] = [
  'ArgoCD',
  'GitOpsCluster',
  'ApplicationSet',
  'Application',
  'Subscription',
  'ManagedClusterAddOn',
  'Service',
  'StatefulSet',
]

/** Signposts on one side; ApplicationSets on a spoke generate nothing that the hub delivers. */
export function signpostsOn(role: 'hub' | 'spoke'): readonly KindName[] {
  return SIGNPOSTS.filter(kind => isReadOn(kind, role) && (role === 'hub' || kind !== 'ApplicationSet'))
}

export function planFor(kind: KindName, role: 'hub' | 'spoke'): KindPlan {
  if (kind === 'Lease' && role === 'spoke') return { roles: ['agents'] }
  return PLANS[kind] ?? WHOLE
}

/** Is the kind read on this side of the chain at all? */
export function isReadOn(kind: KindName, role: 'hub' | 'spoke'): boolean {
  const { where } = KINDS[kind]
  return where === 'both' || where === role
}

/** Secrets by which principal and agents live (agent-mode 1.4, 1.7, 1.10); read for their key names only. */
export const AGENT_SECRETS: readonly string[] = [...PRINCIPAL_SECRETS, AGENT_CLIENT_TLS, ARGO_REDIS]

/** Label of Argo CD's cluster secrets. */
export const CLUSTER_SECRETS = 'argocd.argoproj.io/secret-type=cluster'
