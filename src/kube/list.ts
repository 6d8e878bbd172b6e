import { setImmediate as turn } from 'node:timers/promises'
import { isObject, textAt, valueAt } from '../raw.ts'
import type { Connection } from './connection.ts'
import { type Asked, KubeError } from './errors.ts'
import { redactSecret } from './redact.ts'
import type { RawAnswer } from './request.ts'
import { type Resource, resourcePath, resourceText } from './resource.ts'
import { parseJson } from './wire-json.ts'

export interface ListOptions {
  /** Empty or absent: all namespaces. */
  readonly namespace?: string
  readonly labelSelector?: string
  readonly fieldSelector?: string
  /** Objects per page. */
  readonly limit?: number
  /** Only metadata: about a third of the bytes. */
  readonly metadataOnly?: boolean
  /** Stop after so many pages; the last page then says that there is more. */
  readonly mostPages?: number
  readonly signal?: AbortSignal
}

export interface Page<T> {
  readonly items: readonly T[]
  /** Objects that come after this page, where the server says so. */
  readonly remaining: number | undefined
  /** True on the last page where `mostPages` ended the list before its end. */
  readonly isCut: boolean
  /** True on the first page of a list that had to begin anew: what came before is to be dropped or skipped. */
  readonly isRestart: boolean
}

export const DEFAULT_LIMIT = 500

const PARTIAL = 'application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1,application/json'

/**
 * Reads a list page by page and projects each object at once, so that no page is kept. While a page is parsed the server
 * already works on the next one. Secrets lose their values here (see redactSecret).
 *
 * A list whose continue token has expired (410) begins anew once, and its next page says so. A partial list is never given
 * out as whole: whatever ends it early is thrown.
 *
 * @throws KubeError
 */
export async function* listPages<T>(
  connection: Connection,
  resource: Resource,
  options: ListOptions,
  project: (raw: unknown) => T,
): AsyncGenerator<Page<T>, void> {
  const asked = askedFor(connection, resource, options)
  let hasRestarted = false
  let isRestart = false
  for (;;) {
    try {
      for await (const page of onePass(connection, resource, options, asked, project)) {
        yield isRestart ? { ...page, isRestart } : page
        isRestart = false
      }
      return
    } catch (error) {
      if (!(error instanceof KubeError) || error.failure !== 'expired' || hasRestarted) throw error
      hasRestarted = true
      isRestart = true
      connection.onNote(
        `${resourceText(resource)}: the list expired while it was read; it is read again from the start`,
      )
    }
  }
}

async function* onePass<T>(
  connection: Connection,
  resource: Resource,
  options: ListOptions,
  asked: Asked,
  project: (raw: unknown) => T,
): AsyncGenerator<Page<T>, void> {
  const stopper = new AbortController()
  const { signal = stopper.signal, mostPages = Number.POSITIVE_INFINITY } = options
  const fetch = (token: string): Promise<RawAnswer> => {
    const answer = connection.send({
      method: 'GET',
      path: listPath(resource, options, token),
      accept: options.metadataOnly === true ? PARTIAL : 'application/json',
      asked,
      signal: signal === stopper.signal ? signal : AbortSignal.any([signal, stopper.signal]),
      repeatable: true,
    })
    // A page that was asked for ahead may fail before anybody waits for it.
    answer.catch(() => {})
    return answer
  }
  const isSecrets = resource.group === '' && resource.plural === 'secrets'
  let token = ''
  let coming: Promise<RawAnswer> | undefined = fetch(token)
  let broken = 0
  try {
    for (let number = 1; coming !== undefined; ) {
      // What waits here for the next answer must hold nothing of the last one: several lists wait at once.
      let body: Buffer | undefined = (await coming).body
      const hint: string = number < mostPages ? continueHint(body) : ''
      coming = hint === '' ? undefined : fetch(hint)
      // The request leaves in a later turn of the event loop, and parsing would block that turn.
      if (coming !== undefined) await turn()
      const page: ProjectedPage<T> | KubeError = projectPage(body, asked, isSecrets, project)
      connection.release(body)
      body = undefined
      if (page instanceof KubeError) {
        if (++broken >= MOST_BROKEN) throw page
        connection.onNote(`${page.reason}; the page is read again`)
        coming = fetch(token)
        continue
      }
      const isCut = page.token !== '' && number >= mostPages
      // The hint was no more than that: what the parsed page says counts.
      if (page.token !== hint && !isCut) coming = page.token === '' ? undefined : fetch(page.token)
      token = page.token
      number++
      yield { items: page.items, remaining: page.remaining, isCut, isRestart: false }
    }
  } finally {
    stopper.abort()
  }
}

/** A page whose JSON is cut is read so often in all before the list fails. */
const MOST_BROKEN = 3

/** What was asked, for messages. */
function askedFor(connection: Connection, resource: Resource, options: ListOptions): Asked {
  return {
    cluster: connection.cluster,
    server: connection.server,
    verb: 'list',
    resource: resourceText(resource),
    namespace: options.namespace ?? '',
    name: '',
    path: '',
  }
}

function listPath(resource: Resource, options: ListOptions, token: string): string {
  const query = new URLSearchParams({ limit: String(options.limit ?? DEFAULT_LIMIT) })
  if (options.labelSelector) query.set('labelSelector', options.labelSelector)
  if (options.fieldSelector) query.set('fieldSelector', options.fieldSelector)
  if (token !== '') query.set('continue', token)
  return `${resourcePath(resource, { namespace: options.namespace ?? '', name: '' })}?${query}`
}

/** Custom resources have the list's metadata after the items, built-in kinds before them. */
const HEAD = 2_048
const TAIL = 4_096
const TOKEN = /"continue":"([A-Za-z0-9_\-+/=.]*)"/g

/**
 * The continue token of a page, looked for where API servers write it, without parsing the page. A hint only: an object's
 * own text may look like it.
 */
export function continueHint(body: Buffer): string {
  const head = body.toString('latin1', 0, HEAD)
  const items = head.indexOf('"items":')
  const before = items < 0 ? '' : head.slice(0, items)
  if (before.includes('"metadata":')) return [...before.matchAll(TOKEN)].at(-1)?.[1] ?? ''
  const tail = body.toString('latin1', Math.max(0, body.length - TAIL))
  return [...tail.slice(tail.lastIndexOf('"metadata":')).matchAll(TOKEN)].at(-1)?.[1] ?? ''
}

interface ProjectedPage<T> {
  readonly items: readonly T[]
  readonly token: string
  readonly remaining: number | undefined
}

/** Parses a page and projects it; the parsed objects are garbage when it returns. */
function projectPage<T>(
  body: Buffer,
  asked: Asked,
  isSecrets: boolean,
  project: (raw: unknown) => T,
): ProjectedPage<T> | KubeError {
  const page = parsePage(body, asked)
  if (page instanceof KubeError) return page
  if (isSecrets) for (const raw of page.items) redactSecret(raw)
  return { ...page, items: page.items.map(project) }
}

interface ParsedPage {
  readonly items: readonly unknown[]
  readonly token: string
  readonly remaining: number | undefined
}

function parsePage(body: Buffer, asked: Asked): ParsedPage | KubeError {
  const page = parseJson(body, asked)
  if (page instanceof KubeError) return page
  if (!isObject(page) || (page.items !== null && page.items !== undefined && !Array.isArray(page.items))) {
    throw new KubeError('bad-answer', asked, 'the answer is no list')
  }
  const remaining = valueAt(page, 'metadata', 'remainingItemCount')
  return {
    items: Array.isArray(page.items) ? page.items : [],
    token: textAt(page, 'metadata', 'continue'),
    remaining: typeof remaining === 'number' ? remaining : undefined,
  }
}
