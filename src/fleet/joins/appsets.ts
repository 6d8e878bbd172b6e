import { defineJoin, type Fleet, inputsOf } from '../fleet.ts'
import { PLACEMENT_LABEL } from '../labels.ts'
import { getOrAdd, indexBy, pushTo } from '../maps.ts'
import { compileSelector } from '../placement/selector.ts'
import type { Application, ApplicationSet, ConfigMap, DecisionGenerator, PlacementDecision } from '../records.ts'
import { type Params, render } from '../render.ts'
import { argoNamespaces } from './argo-namespaces.ts'
import { clusterSecrets, registrationKey } from './registration.ts'
import { type Decided, placementKey, selection } from './selection.ts'

/** One clusterDecisionResource generator with what it reads, all in the controller's namespace (push-pull.md 1.8). */
interface GeneratorLink {
  readonly generator: DecisionGenerator
  readonly configMap: ConfigMap | undefined
  /** Names of the Placements that the selector asks for, whether they exist or not. */
  readonly placementNames: readonly string[]
  readonly placements: readonly Decided[]
  readonly decisions: readonly PlacementDecision[]
  /** Clusters that these decisions list. */
  readonly clusters: ReadonlySet<string>
}

export interface AppSetLink {
  readonly appSet: ApplicationSet
  /** Namespace of the controller that reconciles it; empty where none is known. */
  readonly argoNamespace: string
  readonly generators: readonly GeneratorLink[]
  readonly owned: readonly Application[]
  /** The owned ones by `namespace/name`. */
  readonly ownedByKey: ReadonlyMap<string, Application>
}

interface AppSets {
  readonly all: readonly AppSetLink[]
  /** By `namespace/name`. */
  readonly byKey: ReadonlyMap<string, AppSetLink>
}

/** `namespace/name`, by which the joins know an ApplicationSet. */
export function appSetKey(of: { readonly meta: { readonly namespace: string; readonly name: string } }): string {
  // Joined it is one flat text; put together with + it would keep its parts beside it, for each of many Applications.
  return [of.meta.namespace, of.meta.name].join('/')
}

/** Namespace and name of a key, as `knows` takes them. */
export function placeOf(key: string): readonly [namespace: string, name: string] {
  const slash = key.indexOf('/')
  return [key.slice(0, slash), key.slice(slash + 1)]
}

/** The ApplicationSet that owns an Application, by its controller reference. */
export function ownerAppSet(app: Application): { readonly name: string; readonly uid: string } | undefined {
  return app.meta.owners.find(o => o.kind === 'ApplicationSet' && o.apiVersion.startsWith('argoproj.io/'))
}

/**
 * Is the owner, of this name, the ApplicationSet that is there now? The uid tells it from an earlier one of its name; objects
 * that were saved without uids are taken by name.
 */
export function owns(appSet: ApplicationSet, owner: { readonly uid: string } | undefined): boolean {
  if (owner === undefined) return false
  return owner.uid === '' || appSet.meta.uid === '' || owner.uid === appSet.meta.uid
}

function placementNames(generator: DecisionGenerator, decisions: readonly PlacementDecision[]): readonly string[] {
  const selector = generator.labelSelector
  const named = selector?.matchLabels[PLACEMENT_LABEL]
  if (named !== undefined) return [named]
  const oneOf = selector?.matchExpressions.find(e => e.key === PLACEMENT_LABEL && e.operator === 'In')
  if (oneOf !== undefined) return oneOf.values
  return [...new Set(decisions.map(d => d.placement))]
}

function linkGenerator(fleet: Fleet, generator: DecisionGenerator, namespace: string): GeneratorLink {
  const matches = compileSelector(generator.labelSelector)
  const decisions = fleet.hub
    .of('PlacementDecision')
    .in(namespace)
    .filter(d => (generator.resourceName !== '' ? d.meta.name === generator.resourceName : matches(d.meta.labels)))
  const names = placementNames(generator, decisions)
  const { byPlacement } = fleet.join(selection)
  return {
    generator,
    configMap: fleet.hub.of('ConfigMap').get(namespace, generator.configMapRef),
    placementNames: names,
    placements: names.flatMap(name => byPlacement.get(placementKey(namespace, name)) ?? []),
    decisions,
    clusters: new Set(decisions.flatMap(d => d.clusterNames)),
  }
}

export const appSets = defineJoin<AppSets>(
  inputsOf({ hub: ['ApplicationSet', 'Application', 'ConfigMap'] }, selection, argoNamespaces, clusterSecrets),
  fleet => {
    const namespaces = fleet.join(argoNamespaces)
    const only = namespaces.size === 1 ? [...namespaces][0] : undefined
    const named = new Map<string, Application[]>()
    for (const app of fleet.hub.of('Application').all) {
      const owner = ownerAppSet(app)
      if (owner !== undefined) pushTo(named, `${app.meta.namespace}/${owner.name}`, app)
    }
    const all = fleet.hub.of('ApplicationSet').all.map((appSet): AppSetLink => {
      const { namespace } = appSet.meta
      const argoNamespace = namespaces.has(namespace) ? namespace : (only ?? '')
      const owned = (named.get(appSetKey(appSet)) ?? []).filter(app => owns(appSet, ownerAppSet(app)))
      return {
        appSet,
        argoNamespace,
        generators: appSet.decisionGenerators.map(g => linkGenerator(fleet, g, argoNamespace)),
        owned,
        ownedByKey: indexBy(owned, appSetKey),
      }
    })
    return { all, byKey: indexBy(all, link => appSetKey(link.appSet)) }
  },
)

/** What the template makes of one cluster. Undefined parts hold template functions that cannot be worked out. */
export interface Rendered {
  readonly cluster: string
  readonly name: string | undefined
  readonly namespace: string
  readonly params: Params
}

/** Parameters for a cluster: `name` and `server` of its secret, the entry's fields and the values (duck_type.go). */
function paramsFor({ appSet }: AppSetLink, base: Params): Params {
  const values = Object.entries(appSet.decisionGenerators[0]?.values ?? {})
  if (values.length === 0) return base
  const params: Record<string, string> = { ...base }
  for (const [key, text] of values) params[`values.${key}`] = render(text, params, appSet.goTemplate) ?? text
  return params
}

/** What every ApplicationSet of an Argo CD knows of a cluster, kept once: by Argo CD namespace and cluster. */
const clusterParams = defineJoin<Map<string, Map<string, Params>>>({}, () => new Map())

function paramsOf(fleet: Fleet, argoNamespace: string, cluster: string): Params {
  const known = getOrAdd(fleet.join(clusterParams), argoNamespace, () => new Map<string, Params>())
  return getOrAdd(known, cluster, () => {
    const secret = fleet.join(clusterSecrets).byName.get(registrationKey(argoNamespace, cluster))?.[0]
    return { name: cluster, server: secret?.cluster.server ?? '', clusterName: cluster }
  })
}

/**
 * The Application that an ApplicationSet makes, or would make, for a cluster. Undefined unless a single, plain
 * clusterDecisionResource generator is all there is: with matrix, merge or others the factors are not known.
 */
export function renderFor(fleet: Fleet, link: AppSetLink, cluster: string): Rendered | undefined {
  const { appSet } = link
  if (!appSet.simple || appSet.hasTemplatePatch) return undefined
  const params = paramsFor(link, paramsOf(fleet, link.argoNamespace, cluster))
  const name = render(appSet.template.name, params, appSet.goTemplate)
  const { template } = appSet
  const namespace =
    (template.namespace === '' ? '' : render(template.namespace, params, appSet.goTemplate)) || appSet.meta.namespace
  return { cluster, name, namespace, params }
}
