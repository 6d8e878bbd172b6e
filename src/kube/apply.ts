import { type KindName, kindCalled } from '../fleet/kinds.ts'
import type { Subject } from '../fleet/subject.ts'
import type { Access, ClusterClient } from '../plan/cluster-client.ts'
import { FIELD_MANAGER } from '../plan/diff.ts'
import type { Manifest } from '../plan/object.ts'
import type { Seen } from '../plan/object-reader.ts'
import { isObject, type RawObject, valueAt } from '../raw.ts'
import { Connection, type ConnectionOptions } from './connection.ts'
import { type Discovery, discover } from './discovery.ts'
import { KubeError } from './errors.ts'
import type { ObjectName, Resource } from './resource.ts'
import type { KubeTarget } from './target.ts'
import { createTransport, type KubeTransport } from './transport.ts'

const REVIEWS: Resource = {
  group: 'authorization.k8s.io',
  version: 'v1',
  plural: 'selfsubjectaccessreviews',
  kind: 'SelfSubjectAccessReview',
  namespaced: false,
}

/**
 * Opens one cluster for writing: what it serves is asked once.
 *
 * @throws KubeError when the cluster cannot be reached or does not let the user in
 */
export async function openCluster(target: KubeTarget, options: ConnectionOptions): Promise<ClusterClient> {
  const connection = new Connection(target, options)
  try {
    const discovery = await discover(connection)
    return new KubeClusterClient(connection, discovery)
  } catch (error) {
    connection.close()
    throw error
  }
}

class KubeClusterClient implements ClusterClient {
  readonly cluster: string
  readonly name: string
  readonly #connection: Connection
  readonly #discovery: Discovery
  readonly #transport: KubeTransport

  constructor(connection: Connection, discovery: Discovery) {
    this.cluster = connection.cluster
    this.name = connection.target.context || connection.server
    this.#connection = connection
    this.#discovery = discovery
    this.#transport = createTransport(connection)
  }

  async look(subject: Subject): Promise<Seen> {
    const served = this.#discovery.served(kindName(subject.kind))
    if (served.state === 'not-served') return { state: 'not-served' }
    if (served.state === 'unknown') return { state: 'unknown', reason: served.reason }
    try {
      return { state: 'present', object: raw(await this.#transport.get(served.resource, nameOf(subject))) }
    } catch (error) {
      if (!(error instanceof KubeError)) throw error
      if (error.failure === 'not-found') return { state: 'absent' }
      if (error.failure === 'not-served') return { state: 'not-served' }
      if (error.failure === 'forbidden') return { state: 'unknown', reason: error.reason }
      throw error
    }
  }

  async apply(
    subject: Subject,
    manifest: Manifest,
    options: Parameters<ClusterClient['apply']>[2] = {},
  ): Promise<RawObject> {
    const { force = false, dryRun = false, expect } = options
    const metadata = expect === undefined ? manifest.metadata : { ...manifest.metadata, ...expect }
    const resource = this.#resource(subject)
    // The version of the manifest is the one that its fields were written for.
    const version = manifest.apiVersion.split('/').at(-1) ?? resource.version
    return raw(
      await this.#transport.apply(
        { ...resource, version },
        { ...manifest, metadata },
        { fieldManager: FIELD_MANAGER, force, dryRun, fieldValidation: 'Strict' },
      ),
    )
  }

  async patch(
    subject: Subject,
    patch: RawObject,
    { dryRun = false, expect }: Parameters<ClusterClient['patch']>[2] = {},
  ): Promise<RawObject> {
    const metadata = { ...(isObject(patch.metadata) ? patch.metadata : {}), ...expect }
    return raw(
      await this.#transport.patch(
        this.#resource(subject),
        nameOf(subject),
        { ...patch, metadata },
        { fieldManager: FIELD_MANAGER, dryRun, fieldValidation: 'Strict' },
      ),
    )
  }

  async create(subject: Subject, manifest: Manifest): Promise<RawObject> {
    return raw(await this.#transport.create(this.#resource(subject), manifest, { fieldManager: FIELD_MANAGER }))
  }

  async takeOut(
    subject: Subject,
    fields: readonly (readonly string[])[],
    expect: { readonly uid: string; readonly resourceVersion: string },
  ): Promise<void> {
    const pointer = (keys: readonly string[]): string =>
      keys.map(key => `/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('')
    const operations = [
      ...Object.entries(expect).map(([key, value]) => ({ op: 'test', path: pointer(['metadata', key]), value })),
      ...fields.map(keys => ({ op: 'remove', path: pointer(keys) })),
    ]
    await this.#transport.jsonPatch(this.#resource(subject), nameOf(subject), operations, {
      fieldManager: FIELD_MANAGER,
    })
  }

  async remove(subject: Subject, expect: { readonly uid: string; readonly resourceVersion?: string }): Promise<void> {
    await this.#transport.remove(this.#resource(subject), nameOf(subject), { ...expect, propagation: 'Background' })
  }

  async list(
    kind: KindName,
    options: { readonly namespace: string; readonly labelSelector?: string },
  ): Promise<readonly RawObject[]> {
    const served = this.#discovery.served(kind)
    if (served.state !== 'served') return []
    const objects: RawObject[] = []
    for await (const object of this.#transport.list(served.resource, options, raw)) objects.push(object)
    return objects
  }

  async allowed({ verb, group, resource, subresource, namespace, name }: Access): Promise<boolean | undefined> {
    const resourceAttributes = {
      verb,
      group,
      resource,
      ...(subresource === '' ? {} : { subresource }),
      ...(namespace === '' ? {} : { namespace }),
      ...(name === '' ? {} : { name }),
    }
    try {
      const answer = await this.#transport.review(REVIEWS, { spec: { resourceAttributes } })
      const isAllowed = valueAt(answer, 'status', 'allowed')
      return typeof isAllowed === 'boolean' ? isAllowed : undefined
    } catch (error) {
      // Whoever may not ask is told by the writes themselves.
      if (error instanceof KubeError && (error.failure === 'forbidden' || error.failure === 'not-served'))
        return undefined
      throw error
    }
  }

  close(): void {
    this.#connection.close()
  }

  #resource(subject: Subject): Resource {
    const served = this.#discovery.served(kindName(subject.kind))
    if (served.state === 'served') return served.resource
    const { cluster, server } = this.#connection
    const asked = { cluster, server, verb: 'patch', resource: subject.kind, ...nameOf(subject), path: '' }
    throw new KubeError('not-served', asked, 'the API server does not serve it')
  }
}

function kindName(kind: string): KindName {
  const found = kindCalled(kind)
  if (found === undefined) throw new Error(`no kind of the chain: ${kind}`)
  return found
}

function nameOf({ namespace, name }: Subject): ObjectName {
  return { namespace, name }
}

function raw(value: unknown): RawObject {
  return isObject(value) ? value : {}
}
