import { readFileSync, writeFileSync } from 'node:fs'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { KIND_NAMES, type KindName, resourceName } from '../../src/fleet/kinds.ts'
import type { LiveSourceOptions } from '../../src/kube/live-source.ts'
import type { Coverage, SourceReport } from '../../src/source/source.ts'
import { type ApiServers, START_TIMEOUT_MS, startApiServers } from '../support/apiserver.ts'
import { describeWithApiServer, hasApiServer } from '../support/describe.ts'
import { type FaultProxy, type ProxiedRequest, type Rule, startFaultProxy } from '../support/fault-proxy.ts'
import { recordedFleet } from '../support/fleets.ts'
import { liveSource } from '../support/live.ts'
import { loadFleet } from '../support/load-fleet.ts'
import { freePorts } from '../support/processes.ts'

const ALL: ReadonlySet<KindName> = new Set(KIND_NAMES)

let servers: ApiServers
let proxy: FaultProxy
let healthy: string
beforeAll(async () => {
  if (!hasApiServer) return
  servers = await startApiServers({ clusters: ['hub', 'bm'] })
  await loadFleet(servers.servers, recordedFleet('mixed-healthy'))
  proxy = await startFaultProxy(servers.server('hub'))
  const all = await read([])
  expect([...all.hub.values()].filter(c => c.state === 'refused')).toEqual([])
  healthy = all.text
}, START_TIMEOUT_MS)
afterAll(async () => {
  await proxy?.stop()
  await servers?.stop()
})
beforeEach(() => proxy?.setRules([]))

interface Outcome {
  /** Every object and every coverage, in a fixed order. */
  readonly text: string
  readonly hub: ReadonlyMap<KindName, Coverage>
  readonly report: SourceReport
  readonly ms: number
}

const LIMIT_MS = 4_000
/** What ends by its own limits, ends before this on a busy machine, too. What hangs does not. */
const ENDS_MS = 120_000

/** Waits of retries pass at once; the limits of requests are real, but short. */
const QUICK: Partial<LiveSourceOptions> = {
  connection: {
    random: () => 0,
    // Long enough for a busy machine, so that only what the proxy holds back runs into them.
    timeouts: { connectMs: 20_000, firstByteMs: LIMIT_MS, idleMs: LIMIT_MS },
    retry: { tries: 4, baseMs: 1, capMs: 1, longestRetryAfterMs: 2_000, triesOnTimeout: 2 },
  },
}

async function read(
  rules: readonly Rule[],
  more: Partial<LiveSourceOptions> = {},
  signal?: AbortSignal,
): Promise<Outcome> {
  proxy.setRules(rules)
  const started = Date.now()
  const objects: string[] = []
  const source = liveSource(servers, [], { server: proxy.url }, { ...QUICK, ...more })
  const report = await source.read(
    ALL,
    { object: (cluster, kind, raw) => objects.push(`${cluster} ${kind} ${JSON.stringify(raw)}`) },
    signal,
  )
  const hub = report.clusters[0]?.coverage ?? new Map()
  return { text: [...objects.sort(), JSON.stringify([...hub])].join('\n'), hub, report, ms: Date.now() - started }
}

const isList = (kind: KindName) => {
  const [plural = '', ...group] = resourceName(kind).split('.')
  return ({ path }: ProxiedRequest): boolean => path.includes(`/${group.join('.')}`) && path.includes(`/${plural}?`)
}
/** Every request once, its repetition no more. */
const firstTime = (): ((r: ProxiedRequest) => boolean) => {
  const seen = new Set<string>()
  return ({ path }) => !seen.has(path) && seen.add(path) !== undefined
}
const complete: Coverage = { state: 'read', complete: true }

describeWithApiServer('the same result as without the fault', () => {
  it.each<[string, () => Rule]>([
    ['every request is throttled once', () => ({ fault: { kind: 'status', status: 429 }, when: firstTime() })],
    ['throttled with Retry-After', () => ({ fault: { kind: 'status', status: 429, retryAfter: '1' }, times: 3 })],
    ['a server error now and then', () => ({ fault: { kind: 'status', status: 503 }, when: firstTime() })],
    [
      'a timeout of etcd',
      () => ({ fault: { kind: 'status', status: 500, message: 'etcdserver: request timed out' }, times: 5 }),
    ],
    ['connections cut before the answer', () => ({ fault: { kind: 'reset', afterBytes: 0 }, when: firstTime() })],
    [
      'connections cut in the middle of a body',
      () => ({ fault: { kind: 'reset', afterBytes: 100 }, when: firstTime() }),
    ],
    ['JSON that is cut', () => ({ fault: { kind: 'truncate' }, when: firstTime() })],
    ['a server that hangs once', () => ({ fault: { kind: 'hang' }, times: 2 })],
    [
      'a body that stops coming once',
      () => ({ fault: { kind: 'hang', afterBytes: 50 }, when: isList('Application'), times: 1 }),
    ],
    ['slow bytes', () => ({ fault: { kind: 'slow', bytes: 400, everyMs: 5 }, when: isList('Application') })],
    ['50 ms of latency', () => ({ fault: { kind: 'delay', ms: 50 } })],
    ['no gzip', () => ({ fault: { kind: 'no-gzip' } })],
    [
      'a server without aggregated discovery',
      () => ({ fault: { kind: 'plain-json' }, when: ({ path }) => !path.includes('customresourcedefinitions?') }),
    ],
  ])('%s', async (_, rule) => {
    expect((await read([rule()])).text).toBe(healthy)
  })

  it('in pages of one, with a list that expires in the middle: each object once', async () => {
    const small = { ...QUICK, chunkSize: 1 }
    expect((await read([], small)).text).toBe(healthy)
    const expiring: Rule = {
      fault: { kind: 'status', status: 410, message: 'The provided continue parameter is too old' },
      when: r => isList('Application')(r) && r.path.includes('continue='),
      times: 1,
    }
    const restarted = await read([expiring], small)
    expect(restarted.text).toBe(healthy)
    const firstPages = proxy.requests.filter(r => isList('Application')(r) && !r.path.includes('continue='))
    expect(firstPages).toHaveLength(2)
  })

  it('over a few connections that are kept', async () => {
    const before = proxy.connections
    await read([])
    expect(proxy.requests.length).toBeGreaterThan(40)
    expect(proxy.connections - before).toBeLessThanOrEqual(6)
  })
})

describeWithApiServer('a correct incomplete result', () => {
  it('one kind is refused: it alone is missing, with verb and resource', async () => {
    const rule: Rule = {
      fault: {
        kind: 'status',
        status: 403,
        message:
          'manifestworks.work.open-cluster-management.io is forbidden: User "admin" cannot list resource "manifestworks"',
      },
      when: isList('ManifestWork'),
    }
    const { hub, text } = await read([rule])
    expect(hub.get('ManifestWork')).toEqual({
      state: 'refused',
      reason:
        'cannot list manifestworks.work.open-cluster-management.io on the hub: forbidden for user "admin" (need: list manifestworks.work.open-cluster-management.io)',
    })
    const without = (all: string): string[] =>
      all.split('\n').filter(line => line.startsWith('hub ') && !line.startsWith('hub ManifestWork '))
    expect(without(text)).toEqual(without(healthy))
  })

  it.each<[string, Rule['fault'], RegExp]>([
    ['throttled without end', { kind: 'status', status: 429 }, /throttling/],
    ['always cut in the middle', { kind: 'reset', afterBytes: 80 }, /connection/],
    ['JSON always cut', { kind: 'truncate' }, /not valid JSON/],
    ['hangs', { kind: 'hang' }, /no answer within 4 s/],
    ['stops in the middle', { kind: 'hang', afterBytes: 60 }, /the answer stopped coming within 4 s/],
    ['a login page', { kind: 'page', status: 200, body: '<html>' }, /not valid JSON/],
  ])('one list %s: the others are complete', async (_, fault, reason) => {
    const { hub, ms } = await read([{ fault, when: isList('Placement') }])
    expect(hub.get('Placement')).toEqual({ state: 'refused', reason: expect.stringMatching(reason) })
    expect(hub.get('Application')).toEqual(complete)
    expect(hub.get('ManifestWork')).toEqual(complete)
    expect(ms).toBeLessThan(ENDS_MS)
  })

  it('a list that always expires is never given out as whole', async () => {
    const rule: Rule = {
      fault: { kind: 'status', status: 410 },
      when: r => isList('Application')(r) && r.path.includes('continue='),
    }
    const { hub } = await read([rule], { ...QUICK, chunkSize: 1 })
    expect(hub.get('Application')).toMatchObject({
      state: 'read',
      complete: false,
      reason: expect.stringContaining('the list took longer'),
    })
  })

  it('the token expires in the middle: what was read stays, the rest is marked, and the server is left alone', async () => {
    let count = 0
    const { hub } = await read([{ fault: { kind: 'status', status: 401 }, when: () => ++count > 12 }])
    const states = [...hub.values()].map(c => c.state)
    expect(states).toContain('read')
    expect([...hub.values()].filter(c => c.state === 'refused').map(c => ('reason' in c ? c.reason : ''))[0]).toMatch(
      /does not accept the credentials/,
    )
    expect(proxy.requests.length).toBeLessThan(25)
  })
})

describeWithApiServer('never a hang', () => {
  it('a hub that accepts and says nothing', async () => {
    const started = Date.now()
    await expect(read([{ fault: { kind: 'hang' } }])).rejects.toMatchObject({ failure: 'timeout', exitCode: 4 })
    expect(Date.now() - started).toBeLessThan(ENDS_MS)
  })

  it('a hub that falls silent after the first answers', async () => {
    let count = 0
    const { ms, hub } = await read([{ fault: { kind: 'hang' }, when: () => ++count > 10 }])
    expect(ms).toBeLessThan(ENDS_MS)
    expect([...hub.values()].some(c => c.state === 'refused')).toBe(true)
  })

  it('--request-timeout bounds one call with all its repetitions', async () => {
    const connection = { ...QUICK.connection, timeouts: { totalMs: 300 } }
    const started = Date.now()
    await expect(read([{ fault: { kind: 'slow', bytes: 1, everyMs: 50 } }], { connection })).rejects.toMatchObject({
      message: expect.stringContaining('not finished within 300 ms'),
    })
    expect(Date.now() - started).toBeLessThan(ENDS_MS)
  })

  it('an abort ends everything at once, with its own reason', async () => {
    const controller = new AbortController()
    const started = Date.now()
    setTimeout(() => controller.abort(), 150)
    await expect(read([{ fault: { kind: 'delay', ms: 100 } }], {}, controller.signal)).rejects.toMatchObject({
      failure: 'aborted',
      exitCode: 130,
    })
    expect(Date.now() - started).toBeLessThan(10_000)
  })

  it('one spoke of fifty is dead, one hangs and one crawls: the others are read, within the deadline', async () => {
    const [dead] = await freePorts(1)
    const silent = await startFaultProxy(servers.server('bm'), [{ fault: { kind: 'hang' } }])
    const crawling = await startFaultProxy(servers.server('bm'), [{ fault: { kind: 'delay', ms: 300 } }])
    const config = JSON.parse(readFileSync(servers.kubeconfig, 'utf8'))
    const [{ cluster }] = config.clusters
    const spokes = Array.from({ length: 50 }, (_, i) => `spoke-${i}`)
    const addresses = [`https://127.0.0.1:${dead}`, silent.url, crawling.url]
    const file = `${servers.folder}/fifty`
    writeFileSync(
      file,
      JSON.stringify({
        ...config,
        clusters: [
          ...config.clusters,
          ...spokes.map((name, i) => ({
            name,
            cluster: { ...cluster, server: addresses[i] ?? servers.server('bm').url },
          })),
        ],
        contexts: [...config.contexts, ...spokes.map(name => ({ name, context: { cluster: name, user: 'admin' } }))],
      }),
    )
    const started = Date.now()
    const source = liveSource(
      servers,
      spokes,
      { kubeconfig: file },
      { spokeDeadlineMs: 20_000, connection: { timeouts: { firstByteMs: 200_000 } } },
    )
    const { clusters } = await source.read(new Set<KindName>(['Application', 'AppProject', 'Namespace', 'Secret']), {
      object() {},
    })
    const ms = Date.now() - started
    const byName = new Map(clusters.map(c => [c.name, c]))
    expect(byName.get('spoke-0')?.otherwise).toEqual({
      state: 'refused',
      reason: expect.stringContaining('connection refused'),
    })
    expect(byName.get('spoke-1')?.otherwise).toEqual({
      state: 'refused',
      reason: 'spoke "spoke-1" did not answer within 20 s',
    })
    for (const name of spokes.slice(3)) expect(byName.get(name)?.coverage.get('Application')).toEqual(complete)
    expect(ms).toBeLessThan(ENDS_MS)
    await silent.stop()
    await crawling.stop()
  })
})
