import type { Readable } from 'node:stream'
import { textAt, valueAt } from '../raw.ts'
import type { Connection } from './connection.ts'
import { type Asked, KubeError } from './errors.ts'
import { redactSecret } from './redact.ts'
import { type Resource, resourcePath, resourceText } from './resource.ts'
import { errorOf } from './status.ts'
import { parseJson } from './wire-json.ts'

export interface WatchOptions {
  /** Empty or absent: all namespaces. */
  readonly namespace?: string
  readonly labelSelector?: string
  readonly fieldSelector?: string
  /** Where to go on from; empty or absent: from now. */
  readonly resourceVersion?: string
  readonly signal: AbortSignal
  /** Uniform in [0, 1): clients that lost a server together must not come back together. */
  readonly random?: () => number
}

/** What is heard of the objects of one kind on one API server. */
export type WatchNews =
  /** From here on every change is told. */
  | { readonly what: 'standing' }
  /** An object came, changed or went; only its metadata are given. */
  | { readonly what: 'changed'; readonly how: 'ADDED' | 'MODIFIED' | 'DELETED'; readonly object: unknown }
  /** Changes may have been missed: the server's memory did not reach back far enough (410). Read again. */
  | { readonly what: 'gap' }
  /** The connection is lost; it is tried again after a pause. */
  | { readonly what: 'lost'; readonly error: KubeError }

/** A watch asks the server for an end after this time, drawn anew each time between once and twice of it, as kubectl's own do. */
const SERVER_SECONDS = 240
/** The server ends the watch by itself; a silence that is longer than that is a dead connection. */
const SLACK_MS = 15_000
const FIRST_PAUSE_MS = 500
const LONGEST_PAUSE_MS = 15_000

const PARTIAL = 'application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1,application/json'
const PARTIAL_LIST = 'application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1,application/json'

/**
 * Follows a kind until the signal is aborted: a list of one object gives the resourceVersion, the watch goes on from there,
 * and after an end or a broken connection from the newest version that was heard (bookmarks count). When the server does not
 * know that version any more (410), it begins anew and says that changes may have been missed.
 *
 * Never resolves.
 *
 * @throws KubeError `forbidden`, `not-served`, `rejected` and the like where following is not possible; `aborted` at the end.
 */
export async function follow(
  connection: Connection,
  resource: Resource,
  options: WatchOptions,
  hear: (news: WatchNews) => void,
): Promise<never> {
  const { random = Math.random, signal } = options
  let version = options.resourceVersion ?? ''
  let hasStood = version !== ''
  let failures = 0
  for (;;) {
    try {
      if (version === '') {
        version = await versionNow(connection, resource, options)
        if (hasStood) hear({ what: 'gap' })
      }
      const started = connection.clock.now()
      await oneWatch(connection, resource, { ...options, resourceVersion: version }, news => {
        if (news.what === 'standing') hasStood = true
        if (news.what !== 'bookmark') hear(news)
        if ('version' in news && news.version !== '') version = news.version
      })
      // A server, or a proxy before it, that ends every watch at once is not asked again and again without a pause.
      failures = connection.clock.now() - started < FIRST_PAUSE_MS ? failures + 1 : 0
    } catch (error) {
      if (!(error instanceof KubeError) || error.failure === 'aborted') throw error
      // A definition that is replaced is not served for a moment.
      const isReplaced = error.failure === 'not-served' && hasStood
      if (isFinal(error) && !isReplaced) throw error
      failures++
      if (error.failure === 'expired' || isReplaced) {
        version = ''
        connection.onNote(`${resourceText(resource)}: the watch begins anew (${error.failure})`)
      } else {
        hear({ what: 'lost', error })
        connection.onNote(`${error.reason}; it is tried again`)
      }
    }
    if (failures > 0) await pause(connection, failures, random, signal, askedFor(connection, resource, options))
  }
}

/** Asking again would not change it. */
function isFinal({ failure }: KubeError): boolean {
  return failure === 'forbidden' || failure === 'not-served' || failure === 'not-found' || failure === 'rejected'
}

async function pause(
  connection: Connection,
  failures: number,
  random: () => number,
  signal: AbortSignal,
  asked: Asked,
): Promise<void> {
  const longest = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (failures - 1))
  try {
    await connection.clock.sleep(longest / 2 + (random() * longest) / 2, signal)
  } catch (cause) {
    throw new KubeError('aborted', asked, 'stopped', { cause })
  }
}

function askedFor(connection: Connection, resource: Resource, { namespace = '' }: WatchOptions, verb = 'watch'): Asked {
  const { cluster, server } = connection
  return { cluster, server, verb, resource: resourceText(resource), namespace, name: '', path: '' }
}

function queryOf({ labelSelector, fieldSelector }: WatchOptions): URLSearchParams {
  const query = new URLSearchParams()
  if (labelSelector) query.set('labelSelector', labelSelector)
  if (fieldSelector) query.set('fieldSelector', fieldSelector)
  return query
}

/** The version of the collection at this moment, by a list of at most one object. */
async function versionNow(connection: Connection, resource: Resource, options: WatchOptions): Promise<string> {
  const query = queryOf(options)
  query.set('limit', '1')
  const asked = askedFor(connection, resource, options, 'list')
  const list = await connection.json({
    method: 'GET',
    path: `${resourcePath(resource, { namespace: options.namespace ?? '', name: '' })}?${query}`,
    accept: PARTIAL_LIST,
    asked,
    signal: options.signal,
    repeatable: true,
  })
  const version = textAt(list, 'metadata', 'resourceVersion')
  if (version === '') throw new KubeError('bad-answer', asked, 'the list has no resourceVersion')
  return version
}

type Heard = (WatchNews & { readonly version?: string }) | { readonly what: 'bookmark'; readonly version: string }

async function oneWatch(
  connection: Connection,
  resource: Resource,
  options: WatchOptions & { readonly resourceVersion: string },
  hear: (heard: Heard) => void,
): Promise<void> {
  const { namespace = '', random = Math.random, resourceVersion, signal } = options
  const seconds = Math.round(SERVER_SECONDS * (1 + random()))
  const query = queryOf(options)
  query.set('watch', 'true')
  query.set('allowWatchBookmarks', 'true')
  query.set('resourceVersion', resourceVersion)
  query.set('timeoutSeconds', String(seconds))
  const asked = askedFor(connection, resource, options)
  const isSecrets = resource.group === '' && resource.plural === 'secrets'
  await connection.stream(
    {
      method: 'GET',
      path: `${resourcePath(resource, { namespace, name: '' })}?${query}`,
      accept: PARTIAL,
      asked,
      signal,
      repeatable: true,
    },
    seconds * 1000 + SLACK_MS,
    async body => {
      hear({ what: 'standing' })
      for await (const line of lines(body)) {
        const event = eventOf(line, asked)
        if (isSecrets) redactSecret(valueAt(event, 'object'))
        hear(heardIn(event, asked))
      }
    },
  )
}

/** The lines of a stream that are whole; what a cut leaves behind the last of them is dropped. */
async function* lines(stream: Readable): AsyncGenerator<Buffer> {
  let rest: Buffer = Buffer.alloc(0)
  for await (const chunk of stream) {
    if (!Buffer.isBuffer(chunk)) continue
    rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk])
    for (let end = rest.indexOf(10); end >= 0; end = rest.indexOf(10)) {
      if (end > 0) yield rest.subarray(0, end)
      rest = rest.subarray(end + 1)
    }
  }
}

function eventOf(line: Buffer, asked: Asked): unknown {
  const event = parseJson(line, asked)
  if (event instanceof KubeError) throw event
  return event
}

function heardIn(event: unknown, asked: Asked): Heard {
  const object = valueAt(event, 'object')
  const version = textAt(object, 'metadata', 'resourceVersion')
  const type = textAt(event, 'type')
  switch (type) {
    case 'ADDED':
    case 'MODIFIED':
    case 'DELETED':
      return { what: 'changed', how: type, object, version }
    case 'BOOKMARK':
      return { what: 'bookmark', version }
    case 'ERROR': {
      const code = valueAt(object, 'code')
      throw errorOf(typeof code === 'number' ? code : 500, {}, Buffer.from(JSON.stringify(object)), asked)
    }
    default:
      throw new KubeError('bad-answer', asked, `the watch gives events of an unknown type "${type}"`)
  }
}
