import type { KindName } from '../fleet/kinds.ts'
import { isArgoServer, PULL_LABEL } from '../fleet/labels.ts'
import { getOrAdd } from '../fleet/maps.ts'
import { ADDON_NAMESPACE, KLUSTERLET_NAMESPACE } from '../fleet/well-known.ts'
import { listAt, text, textAt, textMap, valueAt } from '../raw.ts'
import type { NamespaceRole } from './read-plan.ts'

/** Where OCM and ACM put their controllers and agents unless told otherwise (ocm manifests; ACM and MCE operators). */
const CONTROLLERS = ['open-cluster-management', 'open-cluster-management-hub', 'multicluster-engine']
const AGENTS = [KLUSTERLET_NAMESPACE, ADDON_NAMESPACE]
/** OLM packages of the hub's operators; the namespace of their Subscription is that of the controllers. */
const HUB_PACKAGES = new Set(['advanced-cluster-management', 'multicluster-engine', 'cluster-manager'])
const ARGO_PACKAGE = /gitops|argocd/
/** Add-ons choose their namespace; more than so many different ones are a mistake that we need not follow. */
const MOST_AGENT_NAMESPACES = 10

/** Collects, from objects as they are read, which namespaces of a cluster matter and why. */
export class NamespaceFacts {
  readonly #role: 'hub' | 'spoke'
  readonly #byRole: Readonly<Record<NamespaceRole, Set<string>>> = {
    argo: new Set(),
    apps: new Set(),
    destinations: new Set(),
    operators: new Set(),
    controllers: new Set(CONTROLLERS),
    agents: new Set(AGENTS),
  }
  /** Namespaces that hold an ApplicationSet somebody reconciles: Argo CD lives there when nothing else says where. */
  readonly #reconciled = new Set<string>()
  /** Namespaces with an argocd-agent principal or agent. */
  readonly agentMode = new Set<string>()
  /** Namespaces that this hub's Applications deploy into, by the cluster's name or address in the destination. */
  readonly #pushedTo = new Map<string, Set<string>>()
  /** Addresses under which Argo CD knows a cluster, by its name. */
  readonly #serversOf = new Map<string, Set<string>>()
  #existing: Set<string> | undefined

  constructor(role: 'hub' | 'spoke') {
    this.#role = role
  }

  add(role: NamespaceRole, namespace: string): void {
    if (namespace !== '') this.#byRole[role].add(namespace)
  }

  /**
   * Takes what the hub knows of this spoke: the namespaces that its Applications deploy into and, as a guess, its own
   * namespaces of Argo CD, which the pull model uses on both sides.
   */
  learnFrom(hub: NamespaceFacts, cluster: string): void {
    for (const role of ['argo', 'apps'] as const) for (const ns of hub.namespaces([role])) this.add('argo', ns)
    for (const ns of hub.#byRole.agents) this.add('agents', ns)
    for (const target of [cluster, ...(hub.#serversOf.get(cluster) ?? [])]) {
      for (const ns of hub.#pushedTo.get(target) ?? []) this.add('destinations', ns)
    }
  }

  /** Once the namespaces of the cluster are known, the others need not be asked for. */
  knowExisting(names: Iterable<string>): void {
    this.#existing = new Set(names)
  }

  observe(kind: KindName, raw: unknown): void {
    const namespace = textAt(raw, 'metadata', 'namespace')
    switch (kind) {
      case 'ArgoCD':
        this.add('argo', namespace)
        if (valueAt(raw, 'spec', 'argoCDAgent') !== undefined) this.agentMode.add(namespace)
        break
      case 'GitOpsCluster': {
        const argo = textAt(raw, 'spec', 'argoServer', 'argoNamespace') || namespace
        this.add('argo', argo)
        this.add('apps', namespace)
        if (valueAt(raw, 'spec', 'gitopsAddon', 'argoCDAgent') !== undefined) this.agentMode.add(argo)
        break
      }
      case 'Service':
        if (isArgoServer(textMap(valueAt(raw, 'metadata', 'labels')))) this.add('argo', namespace)
        break
      case 'StatefulSet':
        if (valueAt(raw, 'metadata', 'labels', 'app.kubernetes.io/part-of') === 'argocd') this.add('argo', namespace)
        break
      case 'ApplicationSet':
        this.add('apps', namespace)
        if (valueAt(raw, 'status') !== undefined) this.#reconciled.add(namespace)
        break
      case 'Application':
        this.#application(raw, namespace)
        break
      case 'Subscription': {
        const packageName = textAt(raw, 'spec', 'name')
        if (HUB_PACKAGES.has(packageName)) this.add('controllers', namespace)
        if (ARGO_PACKAGE.test(packageName)) this.add('operators', namespace)
        break
      }
      case 'Secret': {
        const [name, server] = ['name', 'server'].map(key => decoded(valueAt(raw, 'data', key)))
        if (name && server) getOrAdd(this.#serversOf, name, () => new Set<string>()).add(withoutSlash(server))
        break
      }
      case 'ManagedClusterAddOn':
        if (this.#byRole.agents.size < MOST_AGENT_NAMESPACES) {
          this.add('agents', textAt(raw, 'status', 'namespace') || textAt(raw, 'spec', 'installNamespace'))
        }
        break
      default:
    }
  }

  /** Namespaces with one of these roles, sorted; those that are known not to exist are left out. */
  namespaces(roles: readonly NamespaceRole[]): readonly string[] {
    const found = new Set<string>()
    for (const role of roles) {
      const names = this.#byRole[role]
      const all = role === 'argo' && names.size === 0 ? this.#reconciled : names
      for (const name of all) if (this.#existing?.has(name) ?? true) found.add(name)
    }
    return [...found].sort()
  }

  #application(raw: unknown, namespace: string): void {
    this.add('apps', namespace)
    this.add('argo', textAt(raw, 'status', 'controllerNamespace'))
    const isElsewhere = this.#role === 'hub' && !isDeployedHere(raw)
    const spec = valueAt(raw, 'spec', 'destination')
    const target = textAt(spec, 'name') || withoutSlash(textAt(spec, 'server'))
    const into = isElsewhere ? getOrAdd(this.#pushedTo, target, () => new Set<string>()) : this.#byRole.destinations
    const deployed = listAt(raw, 'status', 'resources').map(resource => valueAt(resource, 'namespace'))
    for (const ns of [valueAt(spec, 'namespace'), ...deployed]) if (typeof ns === 'string' && ns !== '') into.add(ns)
  }
}

function withoutSlash(url: string): string {
  return url.replace(/\/+$/, '')
}

function decoded(base64: unknown): string {
  return Buffer.from(text(base64), 'base64').toString('utf8')
}

/** On a hub most Applications deploy elsewhere; only those that Argo CD itself brings to the hub make its namespaces matter. */
function isDeployedHere(raw: unknown): boolean {
  const destination = valueAt(raw, 'spec', 'destination')
  const isPulled = valueAt(raw, 'metadata', 'labels', PULL_LABEL) === 'true'
  const isInCluster =
    valueAt(destination, 'server') === 'https://kubernetes.default.svc' || valueAt(destination, 'name') === 'in-cluster'
  return isInCluster && !isPulled
}
