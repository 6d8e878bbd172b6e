import type { Fleet } from '../fleet/fleet.ts'
import { argoNamespaces } from '../fleet/joins/argo-namespaces.ts'
import { type Flavour, flavour } from '../fleet/joins/flavour.ts'
import { KINDS, type KindName, resourceName } from '../fleet/kinds.ts'
import type { Subscription } from '../fleet/records.ts'
import { GITOPS_OPERATOR } from '../fleet/well-known.ts'
import type { ApiVersionOf } from '../plan/manifests/served.ts'
import { apiVersion } from '../plan/object.ts'

/** What the hub is, as far as a bootstrap depends on it. */
export interface HubFacts {
  readonly flavour: Flavour
  /** Version of a kind that the hub serves. */
  readonly version: ApiVersionOf
  /** Is the kind served, as far as is known? */
  serves(kind: KindName): boolean
  /** Namespaces with an Argo CD, sorted. */
  readonly argoNamespaces: readonly string[]
  /** False where what shows an Argo CD could not be read: then there may be one that was not found. */
  readonly argoKnown: boolean
  /** Operator of OpenShift GitOps; empty texts where its Subscription or version was not read. */
  readonly operator: { readonly channel: string; readonly version: string }
}

function servedVersions(fleet: Fleet, kind: KindName): readonly string[] {
  return fleet.hub.of('CustomResourceDefinition').get('', resourceName(kind))?.versions ?? []
}

function versionOf(fleet: Fleet): ApiVersionOf {
  return kind => {
    const served = servedVersions(fleet, kind)
    const preferred: readonly string[] = KINDS[kind].versions
    const version = preferred.find(v => served.includes(v)) ?? served[0] ?? preferred[0] ?? 'v1'
    return apiVersion(kind, version)
  }
}

/** The Subscription of the operator, by its package: its own name is free (agent-mode.md 1.1). */
export function operatorSubscription(fleet: Fleet): Subscription | undefined {
  return fleet.hub.of('Subscription').all.find(s => s.packageName === GITOPS_OPERATOR)
}

/** Channel and version of an operator that OLM installed; empty texts where they were not read. */
export function installedOperator(fleet: Fleet, packageName: string): HubFacts['operator'] {
  const subscription = fleet.hub.of('Subscription').all.find(s => s.packageName === packageName)
  const csv = fleet.hub
    .of('ClusterServiceVersion')
    .all.find(c => c.meta.name === subscription?.installedCSV || c.meta.name.startsWith(`${packageName}.`))
  const name = subscription?.installedCSV || csv?.meta.name || ''
  return {
    channel: subscription?.channel ?? '',
    version: csv?.version || /\.v(\d[\w.-]*)$/.exec(name)?.[1] || '',
  }
}

/** Reads these facts off a fleet; what was not read counts as absent where the field does not say otherwise. */
export function hubFacts(fleet: Fleet): HubFacts {
  return {
    flavour: fleet.join(flavour),
    version: versionOf(fleet),
    serves: kind => fleet.hub.serves(kind),
    argoNamespaces: [...fleet.join(argoNamespaces)].sort(),
    argoKnown: fleet.hub.knows('Service') || fleet.hub.knows('ArgoCD'),
    operator: installedOperator(fleet, GITOPS_OPERATOR),
  }
}

/** Is a version, such as `1.21.3`, at least `major.minor`? Undefined where it is not known. */
export function atLeast(version: string, major: number, minor: number): boolean | undefined {
  const match = /^v?(\d+)\.(\d+)/.exec(version)
  if (match === null) return undefined
  const [have, than] = [Number(match[1]) - major, Number(match[2]) - minor]
  return have > 0 || (have === 0 && than >= 0)
}
