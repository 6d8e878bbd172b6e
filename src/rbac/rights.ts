import type { Check } from '../checks/check.ts'
import { ways } from '../fleet/joins/ways.ts'
import { KIND_NAMES, type KindName } from '../fleet/kinds.ts'
import { CLUSTER_PROXY_SERVICE, CONTROLLER_CONFIG_MAP } from '../fleet/well-known.ts'
import { AGENT_SECRETS, isReadOn, type NamespaceRole, planFor } from '../kube/read-plan.ts'
import type { ReadingCommand } from './commands.ts'

export type Side = 'hub' | 'spoke'

/** Where a right is needed. */
export type Where =
  /** In one list over the whole cluster, or for a kind without namespaces. */
  | { readonly scope: 'cluster' }
  /** In the namespaces that matter for one of these reasons; which those are is found out while reading. */
  | {
      readonly scope: 'roles'
      readonly roles: readonly NamespaceRole[]
      /** Not in those that matter for one of these reasons as well. */
      readonly except?: readonly NamespaceRole[]
    }
  /** In the namespaces of Argo CD that hold an argocd-agent principal or agent. */
  | { readonly scope: 'agent-mode' }
  /** In a namespace that may not be there: it is asked for all the same. */
  | { readonly scope: 'namespace'; readonly namespace: string }

/** One thing that a run asks of an API server. */
export interface Right {
  readonly kind: KindName
  readonly verb: 'list' | 'get' | 'create' | 'patch' | 'delete'
  /** Part of the resource that the right is on, e.g. `bind`; absent: the objects themselves. */
  readonly subresource?: string
  /** Only objects of these names; empty means all. */
  readonly names: readonly string[]
  readonly where: Where
  /** Codes of the checks that are unknown without it, sorted. */
  readonly checks: readonly string[]
}

interface RightsOptions {
  /** False under --no-secrets. */
  readonly secrets: boolean
  /** Absent: the doctor. */
  readonly command?: ReadingCommand
}

/**
 * All that a run of these checks needs on a hub or on a spoke, by what the checks declare and how the live reader asks
 * (read-plan.ts). What the reader tries only to find namespaces sooner is left out: being refused it loses nothing. Watching
 * is never needed, and reading single objects only where `get` is said.
 */
export function rightsFor(side: Side, checks: readonly Check[], { secrets, command }: RightsOptions): readonly Right[] {
  const readers = readersOf(side, checks)
  const kinds = command === 'snapshot' ? KIND_NAMES : [...readers.keys()]
  return kinds
    .filter(kind => isReadOn(kind, side) && (secrets || kind !== 'Secret'))
    .flatMap(kind => {
      const codes = [...(readers.get(kind) ?? [])].sort()
      return rightsOn(side, kind).map(right => ({ ...right, kind, checks: codes }))
    })
}

/** What reading these kinds on the hub needs, whatever for. */
export function rightsToRead(kinds: Iterable<KindName>, { secrets }: RightsOptions): readonly Right[] {
  return [...kinds]
    .filter(kind => isReadOn(kind, 'hub') && (secrets || kind !== 'Secret'))
    .flatMap(kind => rightsOn('hub', kind).map(right => ({ ...right, kind, checks: [] })))
}

/** Kinds that matter on this side, with the codes of the checks that read them. */
function readersOf(side: Side, checks: readonly Check[]): ReadonlyMap<KindName, ReadonlySet<string>> {
  const readers = new Map<KindName, Set<string>>()
  const add = (kinds: readonly KindName[] | undefined, code: string): void => {
    for (const kind of kinds ?? []) readers.set(kind, (readers.get(kind) ?? new Set()).add(code))
  }
  for (const { code, needs, uses } of checks) {
    add(needs[side], code)
    add(uses?.[side], code)
  }
  // What tells how many Applications a finding touches is read for every selection of checks (diagnosis.ts).
  for (const kind of ways.inputs[side] ?? []) if (!readers.has(kind)) readers.set(kind, new Set())
  return readers
}

function rightsOn(side: Side, kind: KindName): readonly Omit<Right, 'kind' | 'checks'>[] {
  const plan = planFor(kind, side)
  const rights: Omit<Right, 'kind' | 'checks'>[] = []
  const list = (where: Where, names: readonly string[] = []) => rights.push({ verb: 'list', names, where })
  const get = (where: Where, names: readonly string[]) => rights.push({ verb: 'get', names, where })
  if (plan.wide !== undefined && plan.wideIsHelp !== true) {
    // RBAC takes a list with this selector for one of the named object only.
    const name = /^metadata\.name=(.+)$/.exec(plan.wide.fieldSelector ?? '')?.[1]
    list({ scope: 'cluster' }, name === undefined ? [] : [name])
  }
  if (plan.roles !== undefined) list({ scope: 'roles', roles: [...plan.roles, ...(plan.namesOnly ?? [])] })
  if (kind === 'Secret') get({ scope: 'agent-mode' }, AGENT_SECRETS)
  if (side === 'hub' && kind === 'Service') {
    get({ scope: 'namespace', namespace: CLUSTER_PROXY_SERVICE.namespace }, [CLUSTER_PROXY_SERVICE.name])
  }
  if (side === 'hub' && kind === 'ConfigMap') {
    get({ scope: 'roles', roles: ['controllers'], except: plan.roles ?? [] }, [CONTROLLER_CONFIG_MAP])
  }
  return rights
}
