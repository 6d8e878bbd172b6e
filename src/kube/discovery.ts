import { KIND_NAMES, KINDS, type KindName } from '../fleet/kinds.ts'
import { isObject, listAt, textAt, texts, valueAt } from '../raw.ts'
import type { Call, Connection } from './connection.ts'
import { type Failure, isServerFailure, KubeError } from './errors.ts'
import { preferredResource, type Resource } from './resource.ts'

/** What is known about one kind on one API server. */
export type Served =
  | { readonly state: 'served'; readonly resource: Resource; readonly verbs: readonly string[] }
  | { readonly state: 'not-served' }
  /** The server could not say: an aggregated API is down, or discovery is refused. */
  | { readonly state: 'unknown'; readonly reason: string }

/** What one API server serves. */
export interface Discovery {
  /** E.g. `v1.34.2`; empty where /version was refused. */
  readonly serverVersion: string
  /** Epoch milliseconds by the server's own clock; by ours where it did not say. Ages count from here, whatever our clock says. */
  readonly serverTime: number
  served(kind: KindName): Served
  /** Served versions of a resource (`plural`, group), newest preference of the server first; empty where not served. */
  versions(group: string, plural: string): readonly string[]
  /** Kind name of a served resource; empty where not served. */
  kindName(group: string, plural: string): string
}

const AGGREGATED =
  'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList,' +
  'application/json;g=apidiscovery.k8s.io;v=v2beta1;as=APIGroupDiscoveryList,application/json'

interface ServedResource {
  readonly kind: string
  readonly namespaced: boolean
  readonly verbs: readonly string[]
}

/** Group -> version -> plural -> resource, in the server's order of preference. */
class Catalogue {
  readonly groups = new Map<string, Map<string, Map<string, ServedResource>>>()
  /** `group/version` that is announced but does not answer. */
  readonly stale = new Set<string>()
  unknown: string | undefined

  add(group: string, version: string): Map<string, ServedResource> {
    const versions = this.groups.get(group) ?? new Map<string, Map<string, ServedResource>>()
    this.groups.set(group, versions)
    const resources = versions.get(version) ?? new Map<string, ServedResource>()
    versions.set(version, resources)
    return resources
  }
}

/**
 * Asks once what the API server serves: two requests where it offers aggregated discovery (Kubernetes 1.26 and newer), else
 * one per group version of the chain. So an absent kind, an old version and both flavours of a kind are facts, not guesses.
 *
 * @throws KubeError when the server cannot be reached or does not let the user in at all.
 */
export async function discover(connection: Connection): Promise<Discovery> {
  const catalogue = new Catalogue()
  const [version] = await Promise.all([
    versionAndTime(connection),
    discoverRoot(connection, '/api', catalogue),
    discoverRoot(connection, '/apis', catalogue),
  ])
  return {
    ...version,
    served: kind => servedKind(catalogue, kind),
    versions: (group, plural) =>
      [...(catalogue.groups.get(group) ?? [])].filter(([, found]) => found.has(plural)).map(([name]) => name),
    kindName: (group, plural) => {
      for (const found of catalogue.groups.get(group)?.values() ?? []) {
        const resource = found.get(plural)
        if (resource !== undefined) return resource.kind
      }
      return ''
    },
  }
}

function servedKind(catalogue: Catalogue, kind: KindName): Served {
  const { group, plural, versions } = KINDS[kind]
  const offered = catalogue.groups.get(group)
  // Our order of preference first; a version that we do not know yet is better than none.
  const candidates = [...versions, ...(offered?.keys() ?? [])]
  for (const version of candidates) {
    const found = offered?.get(version)?.get(plural)
    if (found === undefined) continue
    const resource = { group, version, plural, kind, namespaced: found.namespaced }
    return { state: 'served', resource, verbs: found.verbs }
  }
  for (const version of candidates) {
    if (catalogue.stale.has(`${group}/${version}`)) {
      return { state: 'unknown', reason: `the API server behind ${group}/${version} does not answer` }
    }
  }
  if (catalogue.unknown !== undefined && offered === undefined) {
    // Nothing is known of the group: the list itself has to tell.
    return { state: 'served', resource: preferredResource(kind), verbs: ['list', 'get'] }
  }
  return { state: 'not-served' }
}

async function versionAndTime(connection: Connection): Promise<Pick<Discovery, 'serverVersion' | 'serverTime'>> {
  const now = connection.clock.now()
  try {
    const { value, headers } = await connection.sendParsed(callFor(connection, '/version'))
    const date = Date.parse(headers.date ?? '')
    return { serverVersion: textAt(value, 'gitVersion'), serverTime: Number.isNaN(date) ? now : date }
  } catch (error) {
    if (error instanceof KubeError && error.failure === 'forbidden') return { serverVersion: '', serverTime: now }
    throw error
  }
}

/** Discovery may be closed to a user, or out of order, where lists still work: then only they can tell. */
const LEAVES_THE_LISTS: ReadonlySet<Failure> = new Set(['forbidden', 'not-served', 'server-error'])

async function discoverRoot(connection: Connection, root: '/api' | '/apis', into: Catalogue): Promise<void> {
  let answer: unknown
  try {
    answer = await getJson(connection, root, AGGREGATED)
  } catch (error) {
    if (!(error instanceof KubeError) || !LEAVES_THE_LISTS.has(error.failure)) throw error
    into.unknown = error.reason
    return
  }
  if (textAt(answer, 'kind') === 'APIGroupDiscoveryList') addAggregated(answer, into)
  else if (root === '/api')
    await Promise.all(texts(valueAt(answer, 'versions')).map(v => addVersion(connection, '', v, into)))
  else await addGroups(connection, answer, into)
}

function addAggregated(answer: unknown, into: Catalogue): void {
  for (const group of listAt(answer, 'items')) {
    const name = textAt(group, 'metadata', 'name')
    for (const version of listAt(group, 'versions')) {
      const versionName = textAt(version, 'version')
      if (valueAt(version, 'freshness') === 'Stale') into.stale.add(`${name}/${versionName}`)
      const resources = into.add(name, versionName)
      for (const resource of listAt(version, 'resources')) {
        const kind = textAt(resource, 'responseKind', 'kind')
        resources.set(textAt(resource, 'resource'), {
          kind,
          namespaced: valueAt(resource, 'scope') === 'Namespaced',
          verbs: texts(valueAt(resource, 'verbs')),
        })
      }
    }
  }
}

const CHAIN_GROUPS = new Set(KIND_NAMES.map(name => KINDS[name].group as string))

/** The older way: the list of groups, then each group version that the chain has kinds in. */
async function addGroups(connection: Connection, answer: unknown, into: Catalogue): Promise<void> {
  const calls: Promise<void>[] = []
  for (const group of listAt(answer, 'groups')) {
    const name = textAt(group, 'name')
    if (!CHAIN_GROUPS.has(name)) continue
    for (const version of listAt(group, 'versions')) {
      calls.push(addVersion(connection, name, textAt(version, 'version'), into))
    }
  }
  await Promise.all(calls)
}

async function addVersion(connection: Connection, group: string, version: string, into: Catalogue): Promise<void> {
  const resources = into.add(group, version)
  let answer: unknown
  try {
    answer = await getJson(connection, group === '' ? `/api/${version}` : `/apis/${group}/${version}`)
  } catch (error) {
    if (!(error instanceof KubeError) || isServerFailure(error.failure) || error.failure === 'aborted') throw error
    into.stale.add(`${group}/${version}`)
    return
  }
  for (const resource of listAt(answer, 'resources')) {
    const plural = textAt(resource, 'name')
    if (plural.includes('/')) continue
    resources.set(plural, {
      kind: textAt(resource, 'kind'),
      namespaced: valueAt(resource, 'namespaced') === true,
      verbs: texts(valueAt(resource, 'verbs')),
    })
  }
}

async function getJson(connection: Connection, at: string, accept?: string): Promise<unknown> {
  const call = callFor(connection, at)
  const answer = await connection.json(accept === undefined ? call : { ...call, accept })
  if (!isObject(answer)) throw new KubeError('bad-answer', call.asked, 'the answer is no object')
  return answer
}

function callFor({ cluster, server }: Connection, at: string): Call {
  const asked = { cluster, server, verb: 'get', resource: '', namespace: '', name: '', path: at }
  return { method: 'GET', path: at, asked, repeatable: true }
}
