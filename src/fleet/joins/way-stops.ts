import type { Model } from '../../checks/check.ts'
import type { Fleet } from '../fleet.ts'
import { CLUSTER_SET_LABEL, PULL_NAMESPACE } from '../labels.ts'
import { type Subject, subject } from '../subject.ts'
import { GITOPS_ADDON, MSA_ADDON, PROXY_ADDON } from '../well-known.ts'
import type { AppLink } from './applications.ts'
import type { AppSetLink } from './appsets.ts'
import { clusters } from './clusters.ts'
import {
  AGENT_NAME,
  clusterSecrets,
  DEFAULT_MSA,
  type Registrar,
  registration,
  registrationKey,
} from './registration.ts'
import { type Decided, selection } from './selection.ts'
import { workName, works } from './works.ts'

/** The way of one Application to its cluster: an existing hub Application, or one that would be, or was, generated. */
export interface Way {
  /** `namespace/name` on the hub. */
  readonly key: string
  readonly subject: Subject
  readonly link: AppLink | undefined
  readonly appSet: AppSetLink | undefined
  readonly cluster: string
  readonly model: Model | 'unknown'
  readonly argoNamespace: string
}

const hub = (kind: Parameters<typeof subject>[1], namespace: string, name: string): Subject =>
  subject('hub', kind, namespace, name)

/** What decides which clusters a Placement selects: its bindings, its sets, itself, its decisions. */
export function selectionStops(fleet: Fleet, { placement, decisions }: Decided): Subject[] {
  const { namespace } = placement.meta
  const bound = fleet.join(selection).bindingsIn.get(namespace) ?? []
  const sets = placement.clusterSets.length > 0 ? placement.clusterSets : bound.map(b => b.meta.name)
  return [
    ...sets.map(set => hub('ManagedClusterSet', '', set)),
    ...bound.map(b => b.subject),
    ...sets.map(set => hub('ManagedClusterSetBinding', namespace, set)),
    placement.subject,
    ...decisions.map(d => d.subject),
  ]
}

/** Does this GitOpsCluster write, or should it write, the cluster's secret? One with a broken reference may be the one. */
function serves(r: Registrar, argoNamespace: string, cluster: string): boolean {
  return r.argoNamespace === argoNamespace && (r.decided === undefined || r.decided.clusters.has(cluster))
}

/** The GitOpsClusters that register a cluster in an Argo CD. */
export function registrarsOf(fleet: Fleet, argoNamespace: string, cluster: string): readonly Registrar[] {
  return fleet.join(registration).all.filter(r => serves(r, argoNamespace, cluster))
}

/** A GitOpsCluster and the Placement that it names, without its selection. */
export function registrarStops({ goc }: Registrar): readonly [placement: Subject, goc: Subject] {
  return [hub('Placement', goc.meta.namespace, goc.placementRef.name), goc.subject]
}

/** What gives an Argo CD access to a cluster. */
export function credentialStops(
  fleet: Fleet,
  argoNamespace: string,
  cluster: string,
  registrars: readonly Registrar[],
): Subject[] {
  const secrets = fleet.join(clusterSecrets).byName.get(registrationKey(argoNamespace, cluster)) ?? []
  const accounts = new Set(registrars.map(r => r.msa))
  if (accounts.size === 0) accounts.add(DEFAULT_MSA)
  return [
    ...[...accounts].map(msa => hub('ManagedServiceAccount', cluster, msa)),
    ...[MSA_ADDON, PROXY_ADDON, GITOPS_ADDON].map(name => hub('ManagedClusterAddOn', cluster, name)),
    ...secrets.map(s => s.subject),
    ...[...accounts].map(msa => hub('Secret', argoNamespace, `${cluster}-${msa}-cluster-secret`)),
    ...secrets.flatMap(s => proxyService(s.cluster.server)),
  ]
}

/** The Service behind an in-cluster URL such as `https://<name>.<namespace>.svc…`. */
export function proxyService(server: string): Subject[] {
  const match = /^https:\/\/([^./:]+)\.([^./:]+)\.svc\b/.exec(server)
  return match?.[1] === undefined || match[2] === undefined ? [] : [hub('Service', match[2], match[1])]
}

function deliveryStops(fleet: Fleet, way: Way): Subject[] {
  const app = way.link?.app
  const found = fleet.join(works).byApp.get(way.key) ?? []
  const spokeNames = new Set(
    found.flatMap(w => (w.payload === undefined ? [] : [`${w.payload.meta.namespace}/${w.payload.meta.name}`])),
  )
  const annotated = app?.meta.annotations[PULL_NAMESPACE]
  if (app !== undefined) spokeNames.add(`${annotated || app.meta.namespace}/${app.meta.name}`)
  return [
    ...found.map(w => w.work.subject),
    ...(app === undefined ? [] : [hub('ManifestWork', way.cluster, workName(app))]),
    ...[...spokeNames].map(key => {
      const slash = key.indexOf('/')
      return subject(way.cluster, 'Application', key.slice(0, slash), key.slice(slash + 1))
    }),
    ...(way.appSet === undefined
      ? []
      : [hub('MulticlusterApplicationSetReport', way.appSet.appSet.meta.namespace, way.appSet.appSet.meta.name)]),
  ]
}

/** The cluster itself and its set. */
export function clusterStops(fleet: Fleet, cluster: string): Subject[] {
  const set = fleet.join(clusters).byName.get(cluster)?.meta.labels[CLUSTER_SET_LABEL]
  return [hub('ManagedCluster', '', cluster), ...(set === undefined ? [] : [hub('ManagedClusterSet', '', set)])]
}

/** The Placements that the generators name, whether they exist or not. */
export function placementStops({ generators }: AppSetLink, argoNamespace: string): Subject[] {
  return generators.flatMap(g => g.placementNames.map(name => hub('Placement', argoNamespace, name)))
}

/** What generates the Application from the clusters that are decided. */
export function generationStops({ appSet, generators }: AppSetLink, argoNamespace: string): Subject[] {
  return [...generators.map(g => hub('ConfigMap', argoNamespace, g.generator.configMapRef)), appSet.subject]
}

/** What no other Application has, or few have. */
export function ownStops(fleet: Fleet, way: Way): Subject[] {
  const { appSet, cluster, argoNamespace, link } = way
  const stops: Subject[] = []
  const project = link?.app.project ?? appSet?.appSet.template.project
  if (project !== undefined && project !== '') stops.push(hub('AppProject', argoNamespace, project))
  for (const s of link?.secrets ?? []) {
    stops.push(s.subject, ...proxyService(s.cluster.server))
    if (AGENT_NAME in s.meta.labels) stops.push(hub('ManagedClusterAddOn', cluster, GITOPS_ADDON))
  }
  for (const argo of fleet.hub.of('ArgoCD').in(argoNamespace)) if (way.model !== 'pull') stops.push(argo.subject)
  stops.push(way.subject)
  if (way.model === 'pull') stops.push(...deliveryStops(fleet, way))
  if (way.model === 'agent') stops.push(subject(cluster, 'Application', way.subject.namespace, way.subject.name))
  return stops
}

/** Every object that an Application depends on, from the cluster set down to the report: upstream first. */
export function stopsOf(fleet: Fleet, way: Way): Subject[] {
  const { appSet, cluster, argoNamespace } = way
  const stops: Subject[] = []
  if (cluster !== '') stops.push(...clusterStops(fleet, cluster))
  if (appSet !== undefined) {
    for (const g of appSet.generators) for (const d of g.placements) stops.push(...selectionStops(fleet, d))
    stops.push(...placementStops(appSet, argoNamespace))
  }
  if (cluster !== '') {
    const registrars = registrarsOf(fleet, argoNamespace, cluster)
    for (const r of registrars) {
      const [placement, goc] = registrarStops(r)
      stops.push(placement, ...(r.decided === undefined ? [] : selectionStops(fleet, r.decided)), goc)
    }
    stops.push(...credentialStops(fleet, argoNamespace, cluster, registrars))
  }
  if (appSet !== undefined) stops.push(...generationStops(appSet, argoNamespace))
  stops.push(...ownStops(fleet, way))
  return stops
}
