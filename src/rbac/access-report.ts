import pLimit from 'p-limit'
import { API_VERSION } from '../checks/report.ts'
import { KINDS, type KindName } from '../fleet/kinds.ts'
import type { Wish } from '../kube/access-review.ts'
import type { Served } from '../kube/discovery.ts'
import { VERSION } from '../version.ts'
import type { ReadingCommand } from './commands.ts'
import { type Places, placesOf } from './places.ts'
import type { Right } from './rights.ts'

/** A right that a run needs and the current user does not have, or of which the API server does not say it. */
export interface LackingRight extends Wish {
  /** `hub`, or the name of the ManagedCluster. */
  readonly cluster: string
  /** Codes of the checks that cannot say all without it. */
  readonly checks: readonly string[]
}

export interface AccessReport {
  readonly apiVersion: typeof API_VERSION
  readonly kind: 'AccessReport'
  readonly version: string
  /** Command that the rights are for. */
  readonly for: ReadingCommand
  readonly clusters: readonly {
    readonly name: string
    readonly role: 'hub' | 'spoke'
    /** Why the cluster could not be asked; empty where it was. */
    readonly reason: string
    readonly allowed: number
  }[]
  readonly missing: readonly LackingRight[]
  /** Rights about which the API server gave no answer. */
  readonly unknown: readonly LackingRight[]
}

export type ClusterAccess = AccessReport['clusters'][number] & Pick<AccessReport, 'missing' | 'unknown'>

/** What an API server says about its user; src/kube/access-review.ts asks a real one. */
interface Asks {
  served(kind: KindName): Served['state']
  allowed(wish: Wish): Promise<boolean | undefined>
}

const QUESTIONS_AT_ONCE = 8

/**
 * Asks for each right whether the user has it. Kinds that the cluster does not serve need none. Whoever may do it in all
 * namespaces is not asked about each of them.
 *
 * @throws KubeError when the cluster cannot be reached any more
 */
export async function reviewAccess(
  cluster: { readonly name: string; readonly role: 'hub' | 'spoke' },
  rights: readonly Right[],
  places: Places,
  reviewer: Asks,
): Promise<ClusterAccess> {
  const limit = pLimit(QUESTIONS_AT_ONCE)
  const missing: LackingRight[] = []
  const unknown: LackingRight[] = []
  let allowed = 0
  const ask = async (right: Right, namespaces: readonly string[], name: string): Promise<void> => {
    const { group, plural: resource } = KINDS[right.kind]
    const wish = { verb: right.verb, group, resource, name }
    const answer = (namespace: string) => limit(() => reviewer.allowed({ ...wish, namespace }))
    const everywhere = await answer('')
    if (everywhere === true) {
      allowed++
      return
    }
    const answers =
      right.where.scope === 'cluster'
        ? [{ namespace: '', may: everywhere }]
        : await Promise.all(namespaces.map(async namespace => ({ namespace, may: await answer(namespace) })))
    for (const { namespace, may } of answers) {
      const row = { cluster: cluster.name, ...wish, namespace, checks: right.checks }
      if (may === true) allowed++
      else if (may === false) missing.push(row)
      else unknown.push(row)
    }
  }
  await Promise.all(
    rights.map(async right => {
      if (reviewer.served(right.kind) === 'not-served') return
      const namespaces = placesOf(right, places)
      if (right.where.scope !== 'cluster' && namespaces.length === 0) return
      const names = right.names.length === 0 ? [''] : right.names
      await Promise.all(names.map(name => ask(right, namespaces, name)))
    }),
  )
  return { ...cluster, reason: '', allowed, missing: missing.sort(byPlace), unknown: unknown.sort(byPlace) }
}

/** By cluster-wide first, then namespace, resource, verb and name. */
function byPlace(a: LackingRight, b: LackingRight): number {
  const key = (r: LackingRight): string => [r.namespace, r.group, r.resource, r.verb, r.name].join('\u0000')
  return key(a) < key(b) ? -1 : 1
}

/** The answers of all clusters as one report. */
export function accessReport(command: AccessReport['for'], clusters: readonly ClusterAccess[]): AccessReport {
  return {
    apiVersion: API_VERSION,
    kind: 'AccessReport',
    version: VERSION,
    for: command,
    clusters: clusters.map(({ name, role, reason, allowed }) => ({ name, role, reason, allowed })),
    missing: clusters.flatMap(c => c.missing),
    unknown: clusters.flatMap(c => c.unknown),
  }
}

/** `plural.group`, as kubectl takes it. */
export function resourceOf({ group, resource }: LackingRight): string {
  return group === '' ? resource : `${resource}.${group}`
}
