import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { InterruptedError } from '../../src/errors.ts'
import { type ApiServers, START_TIMEOUT_MS, startApiServers } from '../support/apiserver.ts'
import { describeWithApiServer, hasApiServer } from '../support/describe.ts'
import { expectSchema } from '../support/expect-schema.ts'
import { type FaultProxy, startFaultProxy } from '../support/fault-proxy.ts'
import { recordedFleet } from '../support/fleets.ts'
import { grant } from '../support/grant.ts'
import { LiveCli, type LiveRun } from '../support/live-cli.ts'
import { loadFleet } from '../support/load-fleet.ts'

let servers: ApiServers
let proxy: FaultProxy
let cli: LiveCli
beforeAll(async () => {
  if (!hasApiServer) return
  servers = await startApiServers({ clusters: ['hub', 'bm', 'sno'], users: [{ name: 'lister' }, { name: 'watcher' }] })
  proxy = await startFaultProxy(servers.server('hub'))
  cli = new LiveCli(servers.kubeconfig)
  const hub = servers.server('hub')
  // As "rbac --for doctor" asks: everything may be read, nothing watched.
  await hub.request('POST', '/apis/rbac.authorization.k8s.io/v1/clusterroles', {
    metadata: { name: 'lister' },
    rules: [{ apiGroups: ['*'], resources: ['*'], verbs: ['list', 'get'] }],
  })
  await hub.request('POST', '/apis/rbac.authorization.k8s.io/v1/clusterrolebindings', {
    metadata: { name: 'lister' },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'lister' },
    subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: 'lister' }],
  })
  // The first load takes long, since all kinds are new.
  await load('pull-healthy')
}, START_TIMEOUT_MS)
afterAll(async () => {
  cli?.end()
  await proxy?.stop()
  await servers?.stop()
})

const load = (name: string): Promise<void> => loadFleet(servers.servers, recordedFleet(name), { asOfNow: true })

/** Waits until the command has said something on stderr or stdout. */
async function until(run: LiveRun, said: RegExp, ms = 120_000): Promise<void> {
  const end = Date.now() + ms
  for (;;) {
    const { stdout, stderr } = run.now()
    if (said.test(stdout + stderr)) return
    if (Date.now() > end) throw new Error(`not said: ${said}\n${stdout}${stderr}`)
    await sleep(50)
  }
}

const lines = (text: string): string[] => text.split('\n').filter(line => line !== '')

/** Waits for a goal over a fleet that does not have it, and then has. */
async function becomes(broken: string, healthy: string, argv: readonly string[]): Promise<void> {
  await load(broken)
  const marks = await Promise.all([...servers.servers.values()].map(s => s.mark()))
  const run = cli.start(['wait', ...argv, '--timeout', '300s', '-o', 'json'])
  await until(run, /^waiting: \d of \d healthy/m)
  expect(run.now().stdout).toBe('')
  const first = lines(run.now().stderr).length
  const events = await Promise.all([...servers.servers.values()].map((s, i) => s.audit(marks[i])))
  await load(healthy)
  const { code, stdout, stderr } = await run.done
  const result = JSON.parse(stdout)
  expectSchema('WaitResult', result)
  expect({ code, outcome: result.outcome, how: result.how, blockers: result.blockers }).toEqual({
    code: 0,
    outcome: 'met',
    how: 'watch',
    blockers: [],
  })
  expect(result.reads).toBeGreaterThan(1)
  // A line for each change, none twice in a row.
  const said = lines(stderr)
  expect(said.length).toBeGreaterThanOrEqual(first)
  expect(said.filter((line, i) => line === said[i - 1])).toEqual([])
  const verbs = new Set(events.flat().map(e => e.verb))
  expect([...verbs].filter(verb => !['get', 'list', 'watch'].includes(verb))).toEqual([])
}

describeWithApiServer('wait on real API servers', () => {
  describe('a fleet that becomes healthy', () => {
    it.each([
      // The feedback of the ManifestWork tells.
      ['pull', 'pull-rbac-forbidden-retrying', 'pull-healthy', ['app', 'branding-bm']],
      // The spoke itself tells.
      ['pull', 'pull-rbac-forbidden-retrying', 'pull-healthy', ['appset/branding-pull', '--spoke', 'bm,sno']],
      ['push', 'push-binding-deleted', 'pull-rbac-forbidden-retrying', ['appset', 'compliance-operator']],
    ])('%s: %s -> %s, wait %j', (_, broken, healthy, argv) => becomes(broken, healthy, argv))

    it('reads again after an interval where watching is refused', async () => {
      await load('pull-rbac-forbidden-retrying')
      const argv = ['--context', 'lister@hub', '--interval', '1s', '--timeout', '200s', '-o', 'json']
      const run = cli.start(['wait', 'appset', 'branding-pull', ...argv])
      await until(run, /^waiting: /m)
      expect(run.now().stderr).toMatch(/need: watch \S+\) \(and \d+ more kinds\); reading again every 1s/)
      await load('pull-healthy')
      const { code, stdout } = await run.done
      expect({ code, how: JSON.parse(stdout).how }).toEqual({ code: 0, how: 'poll' })
    })
  })

  it('watches with the rights that rbac --watch prints', async () => {
    await load('pull-healthy')
    const flags = ['--watch', '-n', 'openshift-gitops', '--to', 'user:watcher', '-o', 'json']
    await grant(servers, 'hub', (await cli.run(['rbac', ...flags])).stdout)
    const run = await cli.run(['wait', 'appset', 'branding-pull', '--context', 'watcher@hub', '-o', 'json'])
    expect({ code: run.code, stderr: run.stderr, how: JSON.parse(run.stdout).how }).toEqual({
      code: 0,
      stderr: '',
      how: 'watch',
    })
  })

  describe('a fleet that stays broken', () => {
    beforeAll(async () => {
      if (hasApiServer) await load('pull-rbac-forbidden-gave-up')
    })

    it('ends with 5 in time and lists the blockers', async () => {
      const from = Date.now()
      const { code, stdout } = await cli.run([
        ...['wait', 'app', 'branding-bm', 'branding-sno', '--spoke', 'bm', '--timeout', '10s', '-o', 'json'],
      ])
      expect(Date.now() - from).toBeLessThan(60_000)
      const result = JSON.parse(stdout)
      expectSchema('WaitResult', result)
      expect(code).toBe(5)
      expect(result).toMatchObject({ outcome: 'timeout', met: 1, total: 2, required: 2 })
      expect(result.blockers).toMatchObject([
        { subject: { name: 'branding-bm' }, state: 'failed', cause: { code: 'FLT0507' }, source: 'cluster bm' },
      ])
      const text = await cli.run(['wait', 'app', 'branding-bm', '--spoke', 'bm', '--timeout', '10s'])
      expect(text.code).toBe(5)
      expect(text.stdout).toMatch(/^app branding-bm not healthy: 0 of 1; timed out after \d+s\n/)
      expect(text.stdout).toContain('failed  openshift-gitops/Application/branding-bm  (cluster bm, ')
      expect(text.stdout).toContain('fleetctl explain FLT0507')
    })

    it('ends with 1 at once under --fail-fast, and later with a grace', async () => {
      const at = ['wait', 'app', 'branding-bm', '--spoke', 'bm', '--fail-fast', '--timeout', '200s', '-o', 'json']
      const quick = await cli.run(at)
      expect({ code: quick.code, ...JSON.parse(quick.stdout) }).toMatchObject({ code: 1, outcome: 'failed', reads: 1 })
      const from = Date.now()
      const late = await cli.run([...at, '--grace', '3s'])
      expect(Date.now() - from).toBeGreaterThanOrEqual(3_000)
      expect({ code: late.code, ...JSON.parse(late.stdout) }).toMatchObject({ code: 1, outcome: 'failed' })
    })

    it('is content with a part', async () => {
      const half = await cli.run(['wait', 'appset', 'branding-pull', '--quorum', '50%', '-o', 'json'])
      expect({ code: half.code, ...JSON.parse(half.stdout) }).toMatchObject({ code: 0, met: 1, total: 2, required: 1 })
      const one = await cli.run(['wait', 'appset/branding-pull', '--for', 'delivered=1', '-o', 'json'])
      expect({ code: one.code, ...JSON.parse(one.stdout) }).toMatchObject({ code: 0, met: 1, for: 'delivered=1' })
      const most = ['wait', 'appset', 'branding-pull', '--quorum', '60%', '--fail-fast', '-o', 'json']
      expect((await cli.run(most)).code).toBe(1)
    })

    it.each([
      ['SIGINT' as const, 130],
      ['SIGTERM' as const, 143],
    ])('ends at %s with %d', async (name, code) => {
      const abort = new AbortController()
      const run = cli.start(['wait', 'app', 'branding-bm', '--spoke', 'bm'], { signal: abort.signal })
      await until(run, /^waiting: /m)
      const from = Date.now()
      abort.abort(new InterruptedError(name))
      expect((await run.done).code).toBe(code)
      expect(Date.now() - from).toBeLessThan(10_000)
    })

    it('does not outlive its time when the hub is gone in the middle, and says so', async () => {
      proxy.setRules([])
      const at = join(cli.state, 'through-proxy')
      const config = readFileSync(servers.kubeconfig, 'utf8')
      writeFileSync(at, config.replaceAll(servers.server('hub').url, proxy.url))
      const kube = ['--kubeconfig', at, '--interval', '1s', '--timeout', '20s', '-o', 'json']
      const from = Date.now()
      const run = cli.start(['wait', 'app', 'branding-bm', ...kube])
      await until(run, /^waiting: /m)
      proxy.setRules([{ fault: { kind: 'hang' } }])
      proxy.cut()
      const { code, stdout } = await run.done
      expect(Date.now() - from).toBeLessThan(60_000)
      expect([4, 5]).toContain(code)
      expect(JSON.parse(stdout).blockers).toMatchObject([{ subject: { name: 'branding-bm' } }])
      proxy.setRules([{ fault: { kind: 'reset', afterBytes: 0 } }])
      expect((await cli.run(['wait', 'app', 'branding-bm', ...kube])).code).toBe(4)
      proxy.setRules([])
      const again = cli.start(['wait', 'app', 'branding-bm', ...kube.slice(0, 4), '--timeout', '60s', '-o', 'json'])
      await until(again, /^waiting: /m)
      proxy.setRules([{ fault: { kind: 'reset', afterBytes: 0 } }])
      proxy.cut()
      await until(again, /the hub cannot be read: /)
      const gone = await again.done
      expect({ code: gone.code, ...JSON.parse(gone.stdout) }).toMatchObject({ code: 4, outcome: 'unreachable' })
      proxy.setRules([])
    })

    it('waits for what nothing knows yet, and says what may be meant', async () => {
      const { code, stdout } = await cli.run(['wait', 'app', 'branding-bn', '--timeout', '8s', '-o', 'json'])
      expect(code).toBe(5)
      expect(JSON.parse(stdout).blockers).toMatchObject([
        { state: 'waiting', reason: 'does not exist; did you mean openshift-gitops/branding-bm?' },
      ])
    })
  })

  describe('-w', () => {
    it('doctor gives one document for each change and none without', async () => {
      await load('pull-rbac-forbidden-retrying')
      const abort = new AbortController()
      const run = cli.start(['doctor', '-w', '--interval', '1s', '--spoke', 'bm,sno', '-o', 'jsonl'], {
        signal: abort.signal,
      })
      await until(run, /FLT0507/)
      await sleep(5_000)
      expect(lines(run.now().stdout)).toHaveLength(1)
      await load('pull-healthy')
      await until(run, /"errors":0/)
      abort.abort(new InterruptedError('SIGINT'))
      const { code, stdout, stderr } = await run.done
      expect({ code, stderr }).toEqual({ code: 130, stderr: '' })
      const documents = lines(stdout).map(line => JSON.parse(line))
      for (const document of documents) expectSchema('DoctorReport', document)
      const errors = documents.map(d => d.findings.filter((f: { severity: string }) => f.severity === 'error'))
      expect(errors.at(0)).toMatchObject([{ code: 'FLT0507' }])
      expect(errors.at(-1)).toEqual([])
    })

    it('trace redraws on a terminal, and only on a change', async () => {
      await load('pull-rbac-forbidden-retrying')
      const abort = new AbortController()
      const argv = ['trace', 'app', 'branding-bm', '-w', '--interval', '1s', '--spoke', 'bm']
      const run = cli.start(argv, { signal: abort.signal, columns: 120 })
      await until(run, /First broken hop: ServiceAccount on bm/)
      await sleep(4_000)
      const clear = '\x1b[H\x1b[2J'
      expect(run.now().stdout.split(clear)).toHaveLength(2)
      await load('pull-healthy')
      await until(run, /(?:All hops|Every hop|ok).*(?!.*First broken)/)
      for (let i = 0; i < 1_200 && run.now().stdout.split(clear).at(-1)?.includes('First broken hop'); i++)
        await sleep(100)
      expect(run.now().stdout.split(clear).at(-1)).not.toContain('First broken hop')
      abort.abort(new InterruptedError('SIGTERM'))
      expect((await run.done).code).toBe(143)
    })

    it('ends with 5 at its --timeout', async () => {
      const { code, stderr } = await cli.run(['trace', 'app', 'branding-bm', '-w', '--timeout', '3s'])
      expect({ code, stderr }).toEqual({ code: 5, stderr: 'stopped after --timeout 3s\n' })
    })
  })

  // Last, since its hub serves other kinds.
  it('agent: agent-disconnected -> agent-healthy', async () => {
    await becomes('agent-disconnected', 'agent-healthy', ['app', 'branding-bottom-bm', '--spoke', 'bm,sno'])
  }, 600_000)
})
