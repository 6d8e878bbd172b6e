import { createServer, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { Connection, type ConnectionOptions } from '../../src/kube/connection.ts'
import { KubeError } from '../../src/kube/errors.ts'
import { watchFleet } from '../../src/kube/fleet-watch.ts'
import { loadKubeconfig } from '../../src/kube/kubeconfig.ts'
import type { Resource } from '../../src/kube/resource.ts'
import { resolveTarget } from '../../src/kube/target.ts'
import { follow, type WatchNews, type WatchOptions } from '../../src/kube/watch.ts'
import { valueAt } from '../../src/raw.ts'
import { type ApiServer, type ApiServers, START_TIMEOUT_MS, startApiServers } from '../support/apiserver.ts'
import { describeWithApiServer } from '../support/describe.ts'
import { type FaultProxy, startFaultProxy } from '../support/fault-proxy.ts'

const CONFIG_MAPS: Resource = { group: '', version: 'v1', plural: 'configmaps', kind: 'ConfigMap', namespaced: true }

/** Everything that was heard, and how following ended. */
class Ear {
  readonly heard: string[] = []
  readonly #abort = new AbortController()
  #ended: unknown
  #done: Promise<void> = Promise.resolve()

  constructor(connection: Connection, options: Partial<WatchOptions> = {}, resource = CONFIG_MAPS) {
    this.#done = follow(
      connection,
      resource,
      { signal: this.#abort.signal, random: () => 0, ...options },
      news => void this.heard.push(textOf(news)),
    ).catch(error => {
      this.#ended = error
    })
  }

  async until(text: string, times = 1, ms = 60_000): Promise<void> {
    const end = Date.now() + ms
    while (this.heard.filter(h => h === text).length < times) {
      if (Date.now() > end) throw new Error(`"${text}" was not heard: ${this.heard.join(', ')} ${this.#ended ?? ''}`)
      await sleep(10)
    }
  }

  /** How it ended; undefined where it goes on after so long. */
  async end(ms = 30_000): Promise<unknown> {
    await Promise.race([this.#done, sleep(ms)])
    return this.#ended
  }

  async stop(): Promise<void> {
    this.#abort.abort()
    expect(await this.end()).toMatchObject({ failure: 'aborted' })
  }
}

function textOf(news: WatchNews): string {
  if (news.what === 'changed') return `${news.how} ${valueAt(news.object, 'metadata', 'name')}`
  return news.what === 'lost' ? `lost ${news.error.failure}` : news.what
}

describe('a scripted server', () => {
  let server: Server | undefined
  afterEach(() => {
    server?.closeAllConnections()
    server?.close()
  })

  /** Gives the answers to the watches one after another; the last one again and again. */
  async function scripted(
    watches: readonly ((response: ServerResponse) => void)[],
    options: ConnectionOptions = {},
  ): Promise<{ connection: Connection; queries: URLSearchParams[] }> {
    const queries: URLSearchParams[] = []
    let lists = 0
    server = createServer((request, response) => {
      const query = new URL(request.url ?? '', 'http://x').searchParams
      if (query.get('watch') === null) {
        response.end(JSON.stringify({ kind: 'List', metadata: { resourceVersion: String(100 + lists++) }, items: [] }))
        return
      }
      queries.push(query)
      response.writeHead(200, { 'Content-Type': 'application/json' })
      ;(watches[queries.length - 1] ?? watches.at(-1))?.(response)
    })
    await new Promise<void>(resolve => server?.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo
    const place = { env: {}, home: '/nowhere' }
    const target = resolveTarget(loadKubeconfig(place), { server: `http://127.0.0.1:${port}` }, place)
    return { connection: new Connection(target, { env: {}, ...options }), queries }
  }

  const event = (type: string, object: object): string => `${JSON.stringify({ type, object })}\n`
  const named = (name: string, resourceVersion: string): object => ({ metadata: { name, resourceVersion } })
  const open = (response: ServerResponse): void => void response.flushHeaders()

  it('goes on from the newest version, which bookmarks move on', async () => {
    const { connection, queries } = await scripted([
      r => void r.end(event('ADDED', named('a', '101')) + event('BOOKMARK', { metadata: { resourceVersion: '150' } })),
      open,
    ])
    const ear = new Ear(connection)
    await ear.until('standing', 2)
    expect(ear.heard).toEqual(['standing', 'ADDED a', 'standing'])
    expect(queries.map(q => q.get('resourceVersion'))).toEqual(['100', '150'])
    expect(queries.every(q => q.get('allowWatchBookmarks') === 'true')).toBe(true)
    await ear.stop()
  })

  it('begins anew after 410 in the middle of a watch, and says that something may be missing', async () => {
    const gone = { kind: 'Status', code: 410, reason: 'Expired', message: 'too old resource version: 100 (200)' }
    const { connection, queries } = await scripted([r => void r.end(event('ERROR', gone)), open])
    const ear = new Ear(connection)
    await ear.until('standing', 2)
    expect(ear.heard).toEqual(['standing', 'gap', 'standing'])
    expect(queries.map(q => q.get('resourceVersion'))).toEqual(['100', '101'])
    await ear.stop()
  })

  it('takes an event in pieces, and drops one that is cut', async () => {
    const whole = event('ADDED', named('a', '101'))
    const { connection, queries } = await scripted([
      async r => {
        r.write(whole.slice(0, 9))
        await sleep(20)
        r.write(whole.slice(9) + whole.slice(0, 12))
        await sleep(20)
        r.destroy()
      },
      open,
    ])
    const ear = new Ear(connection)
    await ear.until('standing', 2)
    expect(ear.heard).toEqual(['standing', 'ADDED a', 'lost broken', 'standing'])
    expect(queries[1]?.get('resourceVersion')).toBe('101')
    await ear.stop()
  })

  it('pauses longer and longer where every watch ends at once', async () => {
    const pauses: number[] = []
    const clock = {
      now: () => 0,
      sleep: async (ms: number, signal?: AbortSignal) => {
        pauses.push(ms)
        if (pauses.length > 7) await new Promise((_, reject) => signal?.addEventListener('abort', reject))
      },
    }
    const { connection } = await scripted([r => void r.end()], { clock })
    const ear = new Ear(connection)
    await ear.until('standing', 8)
    await sleep(20)
    expect(pauses).toEqual([250, 500, 1000, 2000, 4000, 7500, 7500, 7500])
    await ear.stop()
  })
})

describeWithApiServer('a real API server', () => {
  let servers: ApiServers
  let hub: ApiServer
  let proxy: FaultProxy
  beforeAll(async () => {
    servers = await startApiServers({ clusters: ['hub'], users: [{ name: 'lister' }] })
    hub = servers.server('hub')
    proxy = await startFaultProxy(hub)
    await hub.request('POST', '/apis/rbac.authorization.k8s.io/v1/clusterroles', {
      metadata: { name: 'lister' },
      rules: [{ apiGroups: [''], resources: ['configmaps'], verbs: ['list', 'get'] }],
    })
    await hub.request('POST', '/apis/rbac.authorization.k8s.io/v1/clusterrolebindings', {
      metadata: { name: 'lister' },
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'lister' },
      subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: 'lister' }],
    })
  }, START_TIMEOUT_MS)
  afterAll(async () => {
    await proxy?.stop()
    await servers?.stop()
  })
  afterEach(() => proxy?.setRules([]))

  const MAPS = '/api/v1/namespaces/default/configmaps'
  const make = (name: string) => hub.request('POST', MAPS, { metadata: { name }, data: { password: 'hunter2' } })

  function connect(user = 'admin', through = hub.url): Connection {
    const place = { env: {}, home: servers.folder }
    const context = user === 'admin' ? 'hub' : `${user}@hub`
    const config = loadKubeconfig(place, servers.kubeconfig)
    return new Connection(resolveTarget(config, { context, server: through }, place), { env: {} })
  }

  it('tells what comes, changes and goes, by metadata only', async () => {
    const objects: unknown[] = []
    const abort = new AbortController()
    const heard: string[] = []
    const following = follow(connect(), CONFIG_MAPS, { signal: abort.signal, namespace: 'default' }, news => {
      heard.push(textOf(news))
      if (news.what === 'changed') objects.push(news.object)
    })
    following.catch(() => {})
    while (!heard.includes('standing')) await sleep(10)
    await make('comes')
    await hub.request('PATCH', `${MAPS}/comes`, { data: { a: 'b' } }, 'application/merge-patch+json')
    await hub.request('DELETE', `${MAPS}/comes`)
    while (!heard.includes('DELETED comes')) await sleep(10)
    abort.abort()
    await expect(following).rejects.toMatchObject({ failure: 'aborted' })
    expect(heard).toEqual(['standing', 'ADDED comes', 'MODIFIED comes', 'DELETED comes'])
    expect(JSON.stringify(objects)).not.toContain('hunter2')
  })

  it('is told of a version that is too old (410), begins anew and hears on', async () => {
    // What was before a kind was served is older than all that the server remembers of it.
    const kind: Resource = { group: 'test.example', version: 'v1', plural: 'things', kind: 'Thing', namespaced: true }
    const schema = { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } }
    await hub.request('POST', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', {
      metadata: { name: 'things.test.example' },
      spec: {
        group: kind.group,
        scope: 'Namespaced',
        names: { plural: kind.plural, singular: 'thing', kind: kind.kind, listKind: 'ThingList' },
        versions: [{ name: 'v1', served: true, storage: true, schema }],
      },
    })
    const things = '/apis/test.example/v1/namespaces/default/things'
    const thing = (name: string) =>
      hub.request('POST', things, { apiVersion: 'test.example/v1', kind: 'Thing', metadata: { name } })
    for (let made = false; !made; ) {
      made = await thing('before').then(
        () => true,
        () => sleep(100, false),
      )
    }
    const ear = new Ear(connect(), { namespace: 'default', resourceVersion: '1' }, kind)
    await ear.until('gap')
    await ear.until('standing')
    await thing('after')
    await ear.until('ADDED after')
    expect(ear.heard.filter(h => h.startsWith('ADDED'))).toEqual(['ADDED after'])
    await ear.stop()
  })

  it('misses nothing that happens while the connection is cut', async () => {
    const ear = new Ear(connect('admin', proxy.url), { namespace: 'default' })
    await ear.until('standing')
    proxy.setRules([{ fault: { kind: 'reset', afterBytes: 0 }, when: r => r.path.includes('watch='), times: 1 }])
    proxy.cut()
    await make('while-cut')
    await ear.until('ADDED while-cut')
    expect(ear.heard.filter(h => h.startsWith('lost')).length).toBeGreaterThan(0)
    expect(ear.heard).not.toContain('gap')
    expect(proxy.requests.filter(r => !r.path.includes('watch='))).toEqual([])
    await ear.stop()
  })

  it('ends where watching is refused, and names the right', async () => {
    const ear = new Ear(connect('lister'))
    const error = await ear.end()
    expect(error).toBeInstanceOf(KubeError)
    expect(error).toMatchObject({ failure: 'forbidden', status: 403 })
    expect(String(error)).toContain('need: watch configmaps')
    expect(ear.heard).toEqual([])
  })

  it('ends where the kind is not served', async () => {
    const abort = new AbortController()
    const nothing = { ...CONFIG_MAPS, group: 'nothing.example.test' }
    await expect(follow(connect(), nothing, { signal: abort.signal }, () => {})).rejects.toMatchObject({
      failure: 'not-served',
    })
  })

  it('writes nothing', async () => {
    const mark = await hub.mark()
    const ear = new Ear(connect(), { namespace: 'default' })
    await ear.until('standing')
    await ear.stop()
    const verbs = new Set((await hub.audit(mark)).map(e => e.verb))
    expect([...verbs].sort()).toEqual(['list', 'watch'])
  })

  describe('a fleet watch', () => {
    const plan = { hub: ['ConfigMap' as const], spoke: [] }
    const options = (user: string, server = hub.url) => ({
      place: { env: {}, home: servers.folder },
      kube: { kubeconfig: servers.kubeconfig, context: user === 'admin' ? 'hub' : `${user}@hub`, server },
    })

    it('wakes at a change that matters, and only then', async () => {
      const watch = watchFleet(options('admin'), plan, new AbortController().signal)
      await watch.ready(60_000)
      watch.only(change => change.name === 'matters')
      await make('other')
      expect(await watch.changed(300)).toBe(false)
      await make('matters')
      expect(await watch.changed(60_000)).toBe(true)
      expect(await watch.changed(50)).toBe(false)
      expect(watch.unwatched).toEqual([])
      watch.close()
    })

    it('lists what may not be watched', async () => {
      const watch = watchFleet(options('lister'), plan, new AbortController().signal)
      await watch.ready(60_000)
      expect(watch.unwatched).toMatchObject([{ cluster: 'hub', kind: 'ConfigMap' }])
      watch.close()
    })

    it('tells that the hub is lost, and that it is back', async () => {
      const watch = watchFleet(options('admin', proxy.url), plan, new AbortController().signal)
      await watch.ready(60_000)
      proxy.setRules([{ fault: { kind: 'reset', afterBytes: 0 } }])
      proxy.cut()
      expect(await watch.changed(60_000)).toBe(true)
      expect(watch.lost?.failure).toBe('broken')
      proxy.setRules([])
      for (let i = 0; watch.lost !== undefined && i < 1_200; i++) await sleep(50)
      expect(watch.lost).toBeUndefined()
      watch.close()
    })
  })
})
