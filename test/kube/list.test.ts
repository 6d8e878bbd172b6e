import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'
import { afterEach, describe, expect, it } from 'vitest'
import { Connection, type ConnectionOptions } from '../../src/kube/connection.ts'
import { loadKubeconfig } from '../../src/kube/kubeconfig.ts'
import { continueHint, type ListOptions, listPages } from '../../src/kube/list.ts'
import { redactSecret } from '../../src/kube/redact.ts'
import type { Resource } from '../../src/kube/resource.ts'
import { resolveTarget } from '../../src/kube/target.ts'
import { valueAt } from '../../src/raw.ts'

const APPLICATIONS: Resource = {
  group: 'argoproj.io',
  version: 'v1alpha1',
  plural: 'applications',
  kind: 'Application',
  namespaced: true,
}
const SECRETS: Resource = { group: '', version: 'v1', plural: 'secrets', kind: 'Secret', namespaced: true }

type Handler = (url: URL, response: ServerResponse, request: IncomingMessage) => void

let server: Server | undefined
afterEach(() => {
  server?.closeAllConnections()
  server?.close()
})

/** A scripted stand-in for an API server: for what a real one cannot be made to do on request. */
async function connect(handler: Handler, options: ConnectionOptions = {}): Promise<Connection> {
  server = createServer((request, response) => handler(new URL(request.url ?? '', 'http://x'), response, request))
  await new Promise<void>(resolve => server?.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const place = { env: {}, home: '/nowhere' }
  const flags = { server: `http://127.0.0.1:${port}` }
  const clock = { now: () => 0, sleep: async () => {} }
  return new Connection(resolveTarget(loadKubeconfig(place), flags, place), { env: {}, clock, ...options })
}

/** A page as kube-apiserver writes it: custom kinds have the metadata behind the items, built-in kinds before them. */
function pageOf(names: readonly string[], token: string, metadataFirst = false): string {
  const metadata = `"metadata":{"continue":"${token}","remainingItemCount":3,"resourceVersion":"7"}`
  const items = `"items":[${names.map(name => JSON.stringify({ metadata: { name, namespace: 'ns' } })).join(',')}]`
  return metadataFirst
    ? `{"kind":"List","apiVersion":"v1",${metadata},${items}}`
    : `{"apiVersion":"v1",${items},"kind":"List",${metadata}}`
}

const nameOf = (raw: unknown): unknown => valueAt(raw, 'metadata', 'name')

async function names(connection: Connection, options: ListOptions = {}, resource = APPLICATIONS): Promise<unknown[]> {
  const all: unknown[] = []
  for await (const page of listPages(connection, resource, options, nameOf)) {
    if (page.isRestart) all.push('restart')
    all.push(...page.items)
    if (page.isCut) all.push('cut')
  }
  return all
}

const THREE: Readonly<Record<string, string>> = {
  '': pageOf(['a', 'b'], 'two'),
  two: pageOf(['c'], 'three', true),
  three: pageOf(['d'], ''),
}

const tokenOf = (url: URL): string => url.searchParams.get('continue') ?? ''

function fail(response: ServerResponse, status: number, message = ''): void {
  response.writeHead(status, { 'Content-Type': 'application/json' })
  response.end(JSON.stringify({ kind: 'Status', status: 'Failure', code: status, message }))
}

describe('listPages', () => {
  it('follows continue to the end, whatever end of the page it stands at', async () => {
    const asked: string[] = []
    const connection = await connect((url, response) => {
      asked.push(url.pathname + url.search)
      response.end(THREE[tokenOf(url)])
    })
    expect(await names(connection, { namespace: 'a b', labelSelector: 'x=y', limit: 2 })).toEqual(['a', 'b', 'c', 'd'])
    expect(asked[0]).toBe('/apis/argoproj.io/v1alpha1/namespaces/a%20b/applications?limit=2&labelSelector=x%3Dy')
    expect(asked).toHaveLength(3)
  })

  it('asks for the next page before the last one is used', async () => {
    const asked: string[] = []
    const connection = await connect((url, response) => {
      asked.push(tokenOf(url))
      response.end(THREE[tokenOf(url)])
    })
    for await (const page of listPages(connection, APPLICATIONS, {}, nameOf)) {
      await new Promise(resolve => setTimeout(resolve, 50))
      if (page.items.includes('a')) expect(asked).toEqual(['', 'two'])
      if (page.items.includes('c')) expect(asked).toEqual(['', 'two', 'three'])
    }
  })

  it('believes the parsed page and not the hint', async () => {
    // An annotation that looks like the metadata of a list, behind the real one.
    const trap = '{"items":[],"metadata":{"continue":"real"},"x":{"metadata":{"continue":"trap"}}}'
    const connection = await connect((url, response) => {
      response.end({ '': trap, real: pageOf(['r'], ''), trap: pageOf(['wrong'], '') }[tokenOf(url)])
    })
    expect(await names(connection)).toEqual(['r'])
  })

  it('stops asking when nobody wants more', async () => {
    const asked: string[] = []
    const connection = await connect((url, response) => {
      asked.push(tokenOf(url))
      if (tokenOf(url) === '') response.end(THREE[''])
    })
    for await (const _ of listPages(connection, APPLICATIONS, {}, nameOf)) break
    await new Promise(resolve => setTimeout(resolve, 50))
    expect(asked.length).toBeLessThanOrEqual(2)
  })

  it('begins anew once after 410, and says so', async () => {
    let expired = 1
    const notes: string[] = []
    const connection = await connect(
      (url, response) => {
        if (tokenOf(url) === 'three' && expired-- > 0) fail(response, 410, 'too old')
        else response.end(THREE[tokenOf(url)])
      },
      { onNote: text => notes.push(text) },
    )
    expect(await names(connection)).toEqual(['a', 'b', 'c', 'restart', 'a', 'b', 'c', 'd'])
    expect(notes).toEqual([expect.stringContaining('read again from the start')])
  })

  it('gives up at the second 410, and never gives out a part as the whole', async () => {
    const connection = await connect((url, response) => {
      if (tokenOf(url) === 'two') fail(response, 410)
      else response.end(THREE[tokenOf(url)])
    })
    await expect(names(connection)).rejects.toMatchObject({ failure: 'expired' })
  })

  it('reads a page whose JSON is cut again, from the same token', async () => {
    let cut = 2
    const connection = await connect((url, response) => {
      const page = THREE[tokenOf(url)] ?? ''
      response.end(tokenOf(url) === 'two' && cut-- > 0 ? page.slice(0, page.length / 2) : page)
    })
    expect(await names(connection)).toEqual(['a', 'b', 'c', 'd'])
  })

  it('gives up on JSON that is always cut', async () => {
    const connection = await connect((_, response) => response.end('{"items":[{"a'))
    await expect(names(connection)).rejects.toMatchObject({ failure: 'bad-answer' })
  })

  it('reads a page whose gzip stream is cut again', async () => {
    let cut = 1
    const connection = await connect((url, response) => {
      const zipped = gzipSync(THREE[tokenOf(url)] ?? '')
      response.setHeader('Content-Encoding', 'gzip')
      response.end(cut-- > 0 ? zipped.subarray(0, zipped.length - 12) : zipped)
    })
    expect(await names(connection)).toEqual(['a', 'b', 'c', 'd'])
  })

  it('takes null for an empty list', async () => {
    const connection = await connect((_, response) => response.end('{"items":null,"metadata":{}}'))
    expect(await names(connection)).toEqual([])
  })

  it.each([
    ['a page of HTML', (r: ServerResponse) => r.end('<html>log in</html>'), 'bad-answer'],
    ['something that is no list', (r: ServerResponse) => r.end('{"items":{"a":1}}'), 'bad-answer'],
    ['a redirect', (r: ServerResponse) => r.writeHead(302, { Location: 'https://login' }).end(), 'bad-answer'],
    [
      '403',
      (r: ServerResponse) => fail(r, 403, 'applications.argoproj.io is forbidden: User "bob" cannot list'),
      'forbidden',
    ],
    ['404 for the kind', (r: ServerResponse) => r.writeHead(404).end('404 page not found'), 'not-served'],
    ['401', (r: ServerResponse) => fail(r, 401), 'unauthorized'],
    ['429 for ever', (r: ServerResponse) => fail(r, 429), 'throttled'],
    ['503 for ever', (r: ServerResponse) => fail(r, 503), 'server-error'],
  ])('says what is wrong for %s', async (_, answer, failure) => {
    const connection = await connect((_url, response) => void answer(response))
    await expect(names(connection)).rejects.toMatchObject({ failure })
  })

  it('stops after the wanted number of pages and says that there is more', async () => {
    const connection = await connect((url, response) => response.end(THREE[tokenOf(url)]))
    expect(await names(connection, { mostPages: 2 })).toEqual(['a', 'b', 'c', 'cut'])
    expect(await names(connection, { mostPages: 3 })).toEqual(['a', 'b', 'c', 'd'])
  })

  it('asks for metadata only where that is enough', async () => {
    let accept = ''
    const connection = await connect((_, response, request) => {
      accept = request.headers.accept ?? ''
      response.end(pageOf([], ''))
    })
    await names(connection, { metadataOnly: true })
    expect(accept).toMatch(/^application\/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1/)
  })

  it('names user, verb and resource when it is refused', async () => {
    const connection = await connect((_, response) =>
      fail(response, 403, 'secrets is forbidden: User "ci-bot" cannot list resource "secrets"'),
    )
    await expect(names(connection, { namespace: 'argocd' }, SECRETS)).rejects.toMatchObject({
      reason: 'cannot list secrets in namespace "argocd" on the hub: forbidden for user "ci-bot" (need: list secrets)',
      exitCode: 3,
    })
  })

  it('takes control characters out of what a server says', async () => {
    const connection = await connect((_, response) => fail(response, 422, 'no\u001b[31m way\r\nat all'))
    await expect(names(connection)).rejects.toMatchObject({ reason: expect.stringContaining('no [31m way at all') })
  })
})

describe('continueHint', () => {
  it.each([
    ['behind the items', pageOf(['a'], 'tok-1_A=='), 'tok-1_A=='],
    ['before the items', pageOf(['a'], 'tok', true), 'tok'],
    ['the last page', pageOf(['a'], ''), ''],
    ['no metadata', '{"items":[]}', ''],
    ['no list', 'x', ''],
    [
      'a head without token, although an item has one',
      '{"kind":"L","metadata":{"resourceVersion":"1"},"items":[{"metadata":{"continue":"x"}}]}',
      '',
    ],
  ])('%s', (_, page, expected) => {
    expect(continueHint(Buffer.from(page))).toBe(expected)
  })
})

describe('redactSecret', () => {
  const secret = (labels: object) => ({
    metadata: {
      name: 's',
      labels,
      annotations: { 'kubectl.kubernetes.io/last-applied-configuration': '{"data":{"config":"c2VjcmV0"}}', keep: 'me' },
      managedFields: [{}],
    },
    data: { name: 'Ym0=', server: 'aHR0cHM6Ly9ibQ==', config: 'c2VjcmV0' },
    stringData: { token: 'plain' },
  })

  it('leaves name and server of a cluster secret, and key names of everything', () => {
    const raw = secret({ 'argocd.argoproj.io/secret-type': 'cluster' })
    redactSecret(raw)
    expect(raw.data).toEqual({ name: 'Ym0=', server: 'aHR0cHM6Ly9ibQ==', config: '' })
    expect(raw.stringData).toEqual({ token: '' })
    expect(JSON.stringify(raw)).not.toContain('c2VjcmV0')
    expect(raw.metadata.annotations).toEqual({ keep: 'me' })
  })

  it('leaves of a config only that TLS is switched off, and of a certificate only the certificate', () => {
    const base64 = (text: string): string => Buffer.from(text).toString('base64')
    const config = '{"bearerToken":"secret","tlsClientConfig":{"insecure": true,"keyData":"a2V5"}}'
    const open = {
      metadata: { labels: { 'argocd.argoproj.io/secret-type': 'cluster' } },
      data: { config: base64(config) },
    }
    redactSecret(open)
    expect(open.data.config).toBe(base64('{"tlsClientConfig":{"insecure":true}}'))
    const pem = '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----'
    const key = '-----BEGIN PRIVATE KEY-----\nBBBB\n-----END PRIVATE KEY-----'
    const tls = {
      metadata: { name: 'argocd-agent-ca' },
      data: { 'tls.crt': base64(`${key}\n${pem}\n`), 'tls.key': base64(key) },
    }
    redactSecret(tls)
    expect(tls.data).toEqual({ 'tls.crt': base64(pem), 'tls.key': '' })
  })

  it('leaves no value of any other secret', () => {
    const raw = secret({})
    redactSecret(raw)
    expect(raw.data).toEqual({ name: '', server: '', config: '' })
  })

  it.each([null, 7, {}, { data: null, metadata: null }, { data: ['x'] }])('bears %j', raw => {
    expect(() => redactSecret(raw)).not.toThrow()
  })

  it('happens in the page, before anybody sees it', async () => {
    const page = { items: [secret({ 'argocd.argoproj.io/secret-type': 'cluster' })], metadata: {} }
    const connection = await connect((_, response) => response.end(JSON.stringify(page)))
    for await (const { items } of listPages(connection, SECRETS, {}, raw => JSON.stringify(raw))) {
      expect(items[0]).toContain('"config":""')
      expect(items[0]).not.toContain('c2VjcmV0')
    }
  })
})
