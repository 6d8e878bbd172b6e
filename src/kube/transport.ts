import { textAt } from '../raw.ts'
import type { Connection } from './connection.ts'
import type { Asked } from './errors.ts'
import { type ListOptions, listPages, type Page } from './list.ts'
import { redactSecret } from './redact.ts'
import { apiVersionOf, type ObjectName, type Resource, resourcePath, resourceText } from './resource.ts'

interface CallOptions {
  readonly signal?: AbortSignal
}

interface ApplyOptions extends CallOptions {
  readonly fieldManager: string
  /** Take over fields that others own. */
  readonly force?: boolean
  /** The server checks and answers, and keeps nothing. */
  readonly dryRun?: boolean
  /** What the server does with fields that the kind does not have; `Strict` refuses them. */
  readonly fieldValidation?: 'Strict' | 'Warn' | 'Ignore'
}

interface RemoveOptions extends CallOptions {
  /** Deletes only this very object. */
  readonly uid?: string
  /** Deletes only while nobody has changed it. */
  readonly resourceVersion?: string
  readonly propagation?: 'Background' | 'Foreground' | 'Orphan'
  readonly dryRun?: boolean
}

/** All that the rest of fleetctl knows of an API server. */
export interface KubeTransport {
  /** `hub`, or a ManagedCluster's name. */
  readonly cluster: string
  /**
   * Lists a kind and gives each projected object as it comes. After an expired list it begins anew, so an object may come
   * twice; use `pages` where that matters.
   */
  list<T>(resource: Resource, options: ListOptions, project: (raw: unknown) => T): AsyncIterable<T>
  pages<T>(resource: Resource, options: ListOptions, project: (raw: unknown) => T): AsyncIterable<Page<T>>
  /** One object. Secrets come without their values. @throws KubeError `not-found` where it does not exist. */
  get(resource: Resource, name: ObjectName, options?: CallOptions): Promise<unknown>
  /** Server-side apply; gives the object as it is (or would be) on the server. */
  apply(resource: Resource, object: KubeObject, options: ApplyOptions): Promise<unknown>
  /** Merge patch; a uid and a resourceVersion in its metadata are preconditions. */
  patch(resource: Resource, name: ObjectName, patch: KubeObject, options: Omit<ApplyOptions, 'force'>): Promise<unknown>
  /** JSON Patch (RFC 6902), with the object as it is then: all of the operations or none. */
  jsonPatch(
    resource: Resource,
    name: ObjectName,
    operations: readonly KubeObject[],
    options: CallOptions & { readonly fieldManager: string },
  ): Promise<unknown>
  /** POST of a new object. @throws KubeError `conflict` where one of its name is there. */
  create(
    resource: Resource,
    object: KubeObject,
    options: Pick<ApplyOptions, 'fieldManager' | 'signal'>,
  ): Promise<unknown>
  remove(resource: Resource, name: ObjectName, options?: RemoveOptions): Promise<void>
  /** POST to a kind that only answers, such as SelfSubjectAccessReview. */
  review(resource: Resource, object: KubeObject, options?: CallOptions): Promise<unknown>
}

/** An object to send: complete, with apiVersion, kind and metadata.name. */
type KubeObject = Readonly<Record<string, unknown>>

export function createTransport(connection: Connection): KubeTransport {
  const pages = <T>(resource: Resource, options: ListOptions, project: (raw: unknown) => T) =>
    listPages(connection, resource, options, project)
  return {
    cluster: connection.cluster,
    pages,
    async *list(resource, options, project) {
      for await (const page of pages(resource, options, project)) yield* page.items
    },
    async get(resource, name, options = {}) {
      const asked = askedOf(connection, 'get', resource, name)
      const at = resourcePath(resource, name)
      const object = await connection.json({
        method: 'GET',
        path: at,
        asked,
        repeatable: true,
        signal: options.signal,
      })
      if (resource.group === '' && resource.plural === 'secrets') redactSecret(object)
      return object
    },
    async apply(resource, object, options) {
      const name = nameOf(resource, object)
      const asked = askedOf(connection, 'patch', resource, name)
      const query = new URLSearchParams({
        fieldManager: options.fieldManager,
        fieldValidation: options.fieldValidation ?? 'Strict',
        ...(options.force === true ? { force: 'true' } : {}),
        ...(options.dryRun === true ? { dryRun: 'All' } : {}),
      })
      return connection.json({
        method: 'PATCH',
        path: `${resourcePath(resource, name)}?${query}`,
        contentType: 'application/apply-patch+yaml',
        body: JSON.stringify({ apiVersion: apiVersionOf(resource), kind: resource.kind, ...object }),
        asked,
        signal: options.signal,
        // The same manager applying the same fields again changes nothing.
        repeatable: true,
      })
    },
    async jsonPatch(resource, name, operations, { fieldManager, signal }) {
      return connection.json({
        method: 'PATCH',
        path: `${resourcePath(resource, name)}?${new URLSearchParams({ fieldManager, fieldValidation: 'Strict' })}`,
        contentType: 'application/json-patch+json',
        body: JSON.stringify(operations),
        asked: askedOf(connection, 'patch', resource, name),
        signal,
        // A second time what is to be removed is not there any more.
        repeatable: false,
      })
    },
    async patch(resource, name, patch, options) {
      const query = new URLSearchParams({
        fieldManager: options.fieldManager,
        fieldValidation: options.fieldValidation ?? 'Strict',
        ...(options.dryRun === true ? { dryRun: 'All' } : {}),
      })
      return connection.json({
        method: 'PATCH',
        path: `${resourcePath(resource, name)}?${query}`,
        contentType: 'application/merge-patch+json',
        body: JSON.stringify(patch),
        asked: askedOf(connection, 'patch', resource, name),
        signal: options.signal,
        // With its preconditions a second try fails with a conflict where the first one came through.
        repeatable: false,
      })
    },
    async create(resource, object, options) {
      const { namespace, name } = nameOf(resource, object)
      const query = new URLSearchParams({ fieldManager: options.fieldManager, fieldValidation: 'Strict' })
      return connection.json({
        method: 'POST',
        path: `${resourcePath(resource, { namespace, name: '' })}?${query}`,
        contentType: 'application/json',
        body: JSON.stringify({ apiVersion: apiVersionOf(resource), kind: resource.kind, ...object }),
        asked: { ...askedOf(connection, 'create', resource, { namespace, name: '' }), name },
        signal: options.signal,
        // A second try could not tell its own first success from another's.
        repeatable: false,
      })
    },
    async remove(resource, name, options = {}) {
      const preconditions = {
        ...(options.uid === undefined ? {} : { uid: options.uid }),
        ...(options.resourceVersion === undefined ? {} : { resourceVersion: options.resourceVersion }),
      }
      await connection.send({
        method: 'DELETE',
        path: resourcePath(resource, name),
        contentType: 'application/json',
        body: JSON.stringify({
          apiVersion: 'v1',
          kind: 'DeleteOptions',
          preconditions,
          ...(options.propagation === undefined ? {} : { propagationPolicy: options.propagation }),
          ...(options.dryRun === true ? { dryRun: ['All'] } : {}),
        }),
        asked: askedOf(connection, 'delete', resource, name),
        signal: options.signal,
        repeatable: false,
      })
    },
    async review(resource, object, options = {}) {
      const asked = askedOf(connection, 'create', resource, { namespace: '', name: '' })
      return connection.json({
        method: 'POST',
        path: resourcePath(resource, { namespace: '', name: '' }),
        contentType: 'application/json',
        body: JSON.stringify({ apiVersion: apiVersionOf(resource), kind: resource.kind, ...object }),
        asked,
        signal: options.signal,
        repeatable: true,
      })
    },
  }
}

function nameOf(resource: Resource, object: KubeObject): ObjectName {
  return {
    namespace: resource.namespaced ? textAt(object, 'metadata', 'namespace') : '',
    name: textAt(object, 'metadata', 'name'),
  }
}

function askedOf(connection: Connection, verb: string, resource: Resource, name: ObjectName): Asked {
  const { cluster, server } = connection
  return { cluster, server, verb, resource: resourceText(resource), ...name, path: '' }
}
