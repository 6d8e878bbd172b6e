import type { Model } from '../../checks/check.ts'
import { defineJoin, inputsOf } from '../fleet.ts'
import { PULL_LABEL, PULL_TARGET, SECRET_CLUSTER_NAME, SKIP_RECONCILE } from '../labels.ts'
import { getOrAdd, indexBy } from '../maps.ts'
import type { Application } from '../records.ts'
import { type AppSetLink, appSetKey, appSets, ownerAppSet, owns } from './appsets.ts'
import { argoNamespaces } from './argo-namespaces.ts'
import { clusters } from './clusters.ts'
import { AGENT_NAME, type ClusterSecret, clusterSecrets, registrationKey } from './registration.ts'
import { selection } from './selection.ts'

export const IN_CLUSTER_SERVER = 'https://kubernetes.default.svc'
/** Set by the principal on what an autonomous agent sent (agent-mode.md 4.6); managed Applications never carry it on the hub. */
export const SOURCE_UID = 'argocd.argoproj.io/source-uid'

/** Booleans as Go's strconv.ParseBool reads them, which is how the controllers read these labels. */
export function parsesTrue(value: string | undefined): boolean {
  return value !== undefined && ['1', 't', 'T', 'true', 'TRUE', 'True'].includes(value)
}

/** A hub Application with its delivery model and where it goes (push-pull.md 1.9). */
export interface AppLink {
  readonly app: Application
  /** `namespace/name`. */
  readonly key: string
  readonly model: Model | 'unknown'
  readonly reason: string
  /** ManagedCluster that it goes to; empty where it cannot be told or is the hub itself. */
  readonly cluster: string
  readonly appSet: AppSetLink | undefined
  /** The name and uid of the owner, also where that ApplicationSet is gone. */
  readonly owner: { readonly name: string; readonly uid: string } | undefined
  /** Cluster secrets that the destination resolves to; more than one is a fault. */
  readonly secrets: readonly ClusterSecret[]
  /** Argo CD namespace whose secrets and projects count for it. */
  readonly argoNamespace: string
  /** Both the pull label and the target annotation are right; false on a pull Application means that it is only half made. */
  readonly pullComplete: boolean
}

interface Applications {
  readonly all: readonly AppLink[]
  readonly byKey: ReadonlyMap<string, AppLink>
}

type Route = Pick<AppLink, 'model' | 'reason' | 'cluster' | 'secrets'>

const LABELLED = `label ${PULL_LABEL}`
const NO_SECRETS: readonly ClusterSecret[] = []

/** The last path segment of a cluster-proxy URL is the cluster (push-pull.md 1.7, order 1). */
function proxiedCluster(server: string): string {
  const match = /^https:\/\/[^/]+\/([^/?]+)$/.exec(server)
  return match?.[1] ?? ''
}

export const applications = defineJoin<Applications>(
  // Along the chain: that is the order in which gaps are told.
  inputsOf(
    { hub: ['Application', 'ApplicationSet', 'ConfigMap'] },
    selection,
    clusters,
    appSets,
    argoNamespaces,
    clusterSecrets,
  ),
  fleet => {
    const { byName: managed, localName } = fleet.join(clusters)
    const namespaces = fleet.join(argoNamespaces)
    const only = namespaces.size === 1 ? [...namespaces][0] : undefined
    const secrets = fleet.join(clusterSecrets)
    const { byKey: sets } = fleet.join(appSets)
    const byUrl = new Map<string, string>()
    for (const c of managed.values())
      for (const url of c.clientConfigUrls) byUrl.set(url.replace(/\/+$/, ''), c.meta.name)

    /** Each is said of the Applications of a cluster alike. */
    const reasons = new Map<ClusterSecret, string>()

    /** The managed cluster that a URL leads to, by what the writers of cluster secrets make of its name (push-pull.md 1.7). */
    const clusterAt = (url: string): string => {
      const server = url.replace(/\/+$/, '')
      const byPath = proxiedCluster(server)
      const byBlank = /^https:\/\/(.+)-control-plane(:\d+)?$/.exec(server)?.[1] ?? ''
      return byUrl.get(server) ?? [byPath, byBlank].find(c => managed.has(c)) ?? ''
    }

    const targetOf = (app: Application, found: readonly ClusterSecret[]): string => {
      const secret = found[0]
      if (secret !== undefined) {
        const { name, server } = secret.cluster
        if (managed.has(name)) return name
        // One that was made by hand may have any name; its server tells.
        return secret.meta.labels[SECRET_CLUSTER_NAME] ?? (clusterAt(server) || name)
      }
      const { name, server } = app.destination
      return name === '' ? clusterAt(server) : managed.has(name) ? name : ''
    }

    const routeOf = (app: Application, argoNamespace: string): Route => {
      const { labels, annotations } = app.meta
      const labelled = parsesTrue(labels[PULL_LABEL])
      const target = annotations[PULL_TARGET] ?? ''
      if (labelled && target !== '') return { model: 'pull', reason: LABELLED, cluster: target, secrets: NO_SECRETS }
      if (PULL_LABEL in labels || target !== '') {
        const lacks = labelled ? `annotation ${PULL_TARGET} is missing` : `label ${PULL_LABEL} is not "true"`
        return { model: 'pull', reason: `meant for pull: ${lacks}`, cluster: target, secrets: NO_SECRETS }
      }
      const { name, server } = app.destination
      const found =
        name !== ''
          ? secrets.byName.get(registrationKey(argoNamespace, name))
          : secrets.byServer.get(registrationKey(argoNamespace, server.replace(/\/+$/, '')))
      const hit = found ?? NO_SECRETS
      const agent = hit.find(s => AGENT_NAME in s.meta.labels)
      if (agent !== undefined) {
        const reason = `Secret ${agent.meta.name} belongs to an agent`
        return { model: 'agent', reason, cluster: agent.meta.labels[AGENT_NAME] ?? '', secrets: hit }
      }
      if (SOURCE_UID in annotations && managed.has(app.meta.namespace))
        return { model: 'agent', reason: 'sent by an autonomous agent', cluster: app.meta.namespace, secrets: hit }
      const cluster = targetOf(app, hit)
      if (server === IN_CLUSTER_SERVER || name === 'in-cluster' || (cluster !== '' && cluster === localName))
        return { model: 'local', reason: 'destination is the hub itself', cluster: localName, secrets: hit }
      const first = hit[0]
      return first === undefined
        ? { model: 'unknown', reason: 'no cluster secret has its destination', cluster, secrets: hit }
        : {
            model: 'push',
            reason: getOrAdd(reasons, first, () => `destination is that of Secret ${first.meta.name}`),
            cluster,
            secrets: hit,
          }
    }

    const link = (app: Application): AppLink => {
      const owner = ownerAppSet(app)
      const appSet = owner === undefined ? undefined : sets.get(`${app.meta.namespace}/${owner.name}`)
      const owning = appSet !== undefined && owns(appSet.appSet, owner) ? appSet : undefined
      const argoNamespace = namespaces.has(app.meta.namespace)
        ? app.meta.namespace
        : app.controllerNamespace !== '' && namespaces.has(app.controllerNamespace)
          ? app.controllerNamespace
          : (only ?? app.meta.namespace)
      const { model, reason, cluster, secrets: hit } = routeOf(app, argoNamespace)
      const pullComplete = parsesTrue(app.meta.labels[PULL_LABEL]) && (app.meta.annotations[PULL_TARGET] ?? '') !== ''
      return {
        app,
        key: appSetKey(app),
        model,
        reason,
        cluster,
        appSet: owning,
        owner,
        secrets: hit,
        argoNamespace,
        pullComplete,
      }
    }
    const all = fleet.hub.of('Application').all.map(link)
    return { all, byKey: indexBy(all, l => l.key) }
  },
)

/** Is the hub's controller told to keep its hands off? A value that is no boolean is ignored (push-pull.md 1.9). */
export function skipsReconcile(app: Application): boolean {
  return parsesTrue(app.meta.annotations[SKIP_RECONCILE])
}
