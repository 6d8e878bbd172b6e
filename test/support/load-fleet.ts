import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parse } from 'yaml'
import { isObject, listAt, type RawObject, textAt, valueAt } from '../../src/raw.ts'
import type { ApiServer } from './apiserver.ts'
import { until } from './until.ts'

const CRDS = join(dirname(fileURLToPath(import.meta.url)), '..', 'crds')

/** Resources of the API server itself, by the folder that they have in etcd. */
const BUILT_IN: Readonly<Record<string, string>> = {
  configmaps: 'configmaps',
  events: 'events',
  namespaces: 'namespaces',
  pods: 'pods',
  secrets: 'secrets',
  serviceaccounts: 'serviceaccounts',
  services: 'services/specs',
  'deployments.apps': 'deployments',
  'statefulsets.apps': 'statefulsets',
  'daemonsets.apps': 'daemonsets',
  'certificatesigningrequests.certificates.k8s.io': 'certificatesigningrequests',
  'clusterrolebindings.rbac.authorization.k8s.io': 'clusterrolebindings',
  'clusterroles.rbac.authorization.k8s.io': 'clusterroles',
  'rolebindings.rbac.authorization.k8s.io': 'rolebindings',
  'roles.rbac.authorization.k8s.io': 'roles',
  'leases.coordination.k8s.io': 'leases',
}

/** The API server makes these itself and misses them when they go. */
const KEPT = /\/(namespaces\/(default|kube-[a-z-]+)|clusterroles\/(cluster-admin|admin|edit|view))$/

const loaded = new WeakMap<ApiServer, string[]>()

interface LoadOptions {
  /**
   * As if it had been recorded just now: every time in it is moved by the age of the recording. For commands that count ages
   * from the server's clock.
   */
  readonly asOfNow?: boolean
}

/**
 * Makes an API server hold what was recorded of one cluster (a folder with index.yaml), instead of what was loaded before.
 * The custom resource definitions come first, through the API; the objects are written below it, straight into etcd, since
 * the API server would give them new uids and creation times, and what the doctor says rests on both.
 */
export async function loadCluster(server: ApiServer, folder: string, options: LoadOptions = {}): Promise<void> {
  await unload(server)
  await syncDefinitions(server, definitionsOf(folder))
  const index = readYaml(join(folder, 'index.yaml'))
  const move = options.asOfNow === true ? moved(Date.now() - Date.parse(textAt(index, 'recordedAt'))) : same
  const entries: (readonly [string, unknown])[] = []
  for (const resource of listAt(index, 'resources')) {
    const file = textAt(resource, 'file')
    if (file === '') continue
    for (const [key, object] of entriesOf(server, resource, () => readYaml(join(folder, file))))
      entries.push([key, move(object)])
  }
  await server.etcd.put(entries)
  loaded.set(
    server,
    entries.map(([key]) => key).filter(key => !KEPT.test(key)),
  )
}

const same = (object: RawObject): unknown => object

/** Moves every RFC 3339 time in an object by so many milliseconds, rounded to seconds: fractions stay as they are. */
function moved(ms: number): (object: RawObject) => unknown {
  const seconds = Math.round(ms / 1000)
  return object =>
    JSON.parse(
      JSON.stringify(object).replaceAll(
        /"(\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2})(\.\d+)?Z"/g,
        (_, time: string, fraction = '') =>
          `"${new Date(Date.parse(`${time}Z`) + seconds * 1000).toISOString().slice(0, 19)}${fraction}Z"`,
      ),
    )
}

/**
 * The objects of one recorded list as they lie in etcd; none for definitions, which go through the API, and for kinds of the
 * API server's own that no test needs.
 *
 * @param resource its entry in the index
 */
export function entriesOf(
  server: ApiServer,
  resource: unknown,
  read: () => unknown,
): readonly (readonly [key: string, object: RawObject])[] {
  const apiVersion = textAt(resource, 'apiVersion')
  const plural = textAt(resource, 'resource')
  const group = apiVersion.includes('/') ? apiVersion.slice(0, apiVersion.indexOf('/')) : ''
  const name = group === '' ? plural : `${plural}.${group}`
  if (name === 'customresourcedefinitions.apiextensions.k8s.io') return []
  const inEtcd = BUILT_IN[name] ?? (group.includes('.') && !group.endsWith('k8s.io') ? `${group}/${plural}` : undefined)
  if (inEtcd === undefined) return []
  return listAt(read(), 'items')
    .filter(isObject)
    .map(item => [keyOf(server, inEtcd, item), stored(item, apiVersion, textAt(resource, 'kind'))] as const)
}

/** Loads a recorded fleet into servers of the same names as its folders; other servers are left alone. */
export async function loadFleet(
  servers: ReadonlyMap<string, ApiServer>,
  folder: string,
  options: LoadOptions = {},
): Promise<void> {
  await Promise.all(
    [...servers].map(async ([name, server]) => {
      if (existsSync(join(folder, name, 'index.yaml'))) await loadCluster(server, join(folder, name), options)
    }),
  )
}

export async function unload(server: ApiServer): Promise<void> {
  for (const key of loaded.get(server) ?? []) await server.etcd.remove(key)
  // The server writes events about what it finds, too.
  await server.etcd.remove(`${server.prefix}/events/`, true)
  loaded.delete(server)
}

function keyOf(server: ApiServer, folder: string, item: RawObject): string {
  const namespace = textAt(item, 'metadata', 'namespace')
  const name = textAt(item, 'metadata', 'name')
  return `${server.prefix}/${folder}/${namespace === '' ? '' : `${namespace}/`}${name}`
}

function stored(item: RawObject, apiVersion: string, kind: string): RawObject {
  const { resourceVersion: _, ...metadata } = isObject(item.metadata) ? item.metadata : {}
  return { ...item, apiVersion, kind, metadata }
}

function readYaml(file: string): unknown {
  return parse(readFileSync(file, 'utf8'))
}

interface Definition {
  readonly name: string
  /** Tells flavours of one name apart. */
  readonly id: string
  readonly body: string
  readonly contentType: string
}

function definitionsOf(folder: string): readonly Definition[] {
  const file = join(folder, 'customresourcedefinitions.apiextensions.k8s.io.yaml')
  if (!existsSync(file)) return []
  return listAt(readYaml(file), 'items').map(recorded => {
    const name = textAt(recorded, 'metadata', 'name')
    const versions = listAt(recorded, 'spec', 'versions').map(v => textAt(v, 'name'))
    for (const copy of [`${name}.yaml`, `${name}.${versions[0]}.yaml`]) {
      const body = COPIES.get(copy)
      if (body === undefined) continue
      const served = new Set(
        [...body.matchAll(/^ {2}- (?:.*\n {4})*?name: (\S+)|^ {4}name: (v\d\S*)/gm)].map(m => m[1] ?? m[2]),
      )
      if (versions.every(v => served.has(v))) return { name, id: copy, body, contentType: 'application/yaml' }
    }
    return {
      name,
      id: `open:${versions}`,
      body: JSON.stringify(openDefinition(name, recorded)),
      contentType: 'application/json',
    }
  })
}

const COPIES: ReadonlyMap<string, string> = new Map(
  readdirSync(CRDS)
    .filter(f => f.endsWith('.yaml'))
    .map(f => [f, readFileSync(join(CRDS, f), 'utf8')]),
)

/** A definition that takes any content, for kinds of which only names and versions were recorded. */
function openDefinition(name: string, recorded: unknown): unknown {
  const spec = valueAt(recorded, 'spec')
  const schema = { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } }
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name },
    spec: {
      group: valueAt(spec, 'group'),
      names: valueAt(spec, 'names'),
      scope: valueAt(spec, 'scope'),
      versions: listAt(spec, 'versions').map(v => ({ ...(isObject(v) ? v : {}), schema })),
    },
  }
}

const DEFINITIONS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions'

/** A definition that a server has. */
interface Present {
  readonly id: string
  /** `group/version` of each that is served. */
  readonly served: readonly string[]
}

const present = new WeakMap<ApiServer, Map<string, Present>>()

/** Makes the server serve exactly these definitions, and waits until it does. */
async function syncDefinitions(server: ApiServer, wanted: readonly Definition[]): Promise<void> {
  const there = present.get(server) ?? new Map<string, Present>()
  present.set(server, there)
  const byName = new Map(wanted.map(d => [d.name, d]))
  const old = [...there].filter(([name, { id }]) => byName.get(name)?.id !== id).map(([name]) => name)
  await Promise.all(
    old.map(async name => {
      // A definition goes only when its last object has gone.
      const dot = name.indexOf('.')
      await server.etcd.remove(`${server.prefix}/${name.slice(dot + 1)}/${name.slice(0, dot)}/`, true)
      await server.request('DELETE', `${DEFINITIONS}/${name}`)
    }),
  )
  for (const name of old) there.delete(name)
  await until(async () => {
    const names = await definitionNames(server)
    const left = old.filter(name => names.has(name))
    if (left.length > 0) throw new Error(left.join(', '))
    return true
  }, 'definitions to go')
  const made: string[] = []
  for (const d of wanted) {
    if (there.has(d.name)) continue
    const definition = await server.request('POST', DEFINITIONS, d.body, d.contentType)
    there.set(d.name, { id: d.id, served: servedBy(definition) })
    made.push(d.name)
  }
  await until(async () => {
    // The two come from different places in the server, and are brought up to date one after the other.
    for (const ask of [servedAtOnce, servedInGroups]) {
      const served = await ask(server)
      const off = [...new Set([...there.keys(), ...old])].filter(
        name => sorted(served.get(name) ?? []) !== sorted(there.get(name)?.served ?? []),
      )
      if (off.length > 0) throw new Error(off.join(', '))
    }
    return true
  }, 'definitions to be served as they are now')
  // A new kind's list answers 429 until its cache is filled.
  await until(async () => {
    for (const name of made) {
      const plural = name.slice(0, name.indexOf('.'))
      for (const at of there.get(name)?.served ?? []) await server.request('GET', `/apis/${at}/${plural}?limit=1`)
    }
    return true
  }, 'new kinds to be listed')
}

const sorted = (texts: Iterable<string>): string => [...texts].sort().join(' ')

function servedBy(definition: unknown): readonly string[] {
  const group = textAt(definition, 'spec', 'group')
  const versions = listAt(definition, 'spec', 'versions').filter(v => valueAt(v, 'served') === true)
  return versions.map(v => `${group}/${textAt(v, 'name')}`)
}

async function definitionNames(server: ApiServer): Promise<ReadonlySet<string>> {
  const answer = await server.request('GET', DEFINITIONS)
  return new Set(listAt(answer, 'items').map(d => textAt(d, 'metadata', 'name')))
}

/** Which `group/version`s serve a `plural.group`. */
type Served = ReadonlyMap<string, ReadonlySet<string>>

/** Discovery as older clients ask for it: group for group. */
async function servedInGroups(server: ApiServer): Promise<Served> {
  const groups = await server.request('GET', '/apis')
  const versions = listAt(groups, 'groups').flatMap(group => listAt(group, 'versions'))
  const answers = await Promise.all(
    versions.map(async version => {
      const at = textAt(version, 'groupVersion')
      return { at, resources: listAt(await server.request('GET', `/apis/${at}`), 'resources') }
    }),
  )
  return byKind(answers.flatMap(({ at, resources }) => resources.map(r => [at, textAt(r, 'name')] as const)))
}

/** Aggregated discovery: all in one answer. */
async function servedAtOnce(server: ApiServer): Promise<Served> {
  const answer = await server.request('GET', '/apis', undefined, undefined, AGGREGATED)
  return byKind(
    listAt(answer, 'items').flatMap(group =>
      listAt(group, 'versions').flatMap(version => {
        const at = `${textAt(group, 'metadata', 'name')}/${textAt(version, 'version')}`
        return listAt(version, 'resources').map(r => [at, textAt(r, 'resource')] as const)
      }),
    ),
  )
}

const AGGREGATED = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList'

function byKind(pairs: readonly (readonly [at: string, plural: string])[]): Served {
  const served = new Map<string, Set<string>>()
  for (const [at, plural] of pairs) {
    const name = `${plural}.${at.slice(0, at.indexOf('/'))}`
    served.set(name, (served.get(name) ?? new Set<string>()).add(at))
  }
  return served
}
