import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { InterruptedError } from '../../src/errors.ts'
import { isObject, type RawObject, textAt, valueAt } from '../../src/raw.ts'
import { type ApiServers, START_TIMEOUT_MS, startApiServers } from '../support/apiserver.ts'
import { describeWithApiServer, hasApiServer } from '../support/describe.ts'
import { expectSchema } from '../support/expect-schema.ts'
import { recordedFleet } from '../support/fleets.ts'
import { LiveCli } from '../support/live-cli.ts'
import { loadFleet } from '../support/load-fleet.ts'
import { until } from '../support/until.ts'

const BIN = fileURLToPath(new URL('../../bin/fleetctl.js', import.meta.url))
const APPS = '/apis/argoproj.io/v1alpha1/namespaces/openshift-gitops/applications'
const VERIFY = ['agent', 'verify', '--canary']

let servers: ApiServers
let cli: LiveCli
beforeAll(async () => {
  if (!hasApiServer) return
  servers = await startApiServers({ clusters: ['hub'] })
  cli = new LiveCli(servers.kubeconfig)
}, START_TIMEOUT_MS)
afterAll(async () => {
  cli?.end()
  await servers?.stop()
})
beforeEach(async () => {
  if (hasApiServer) await loadFleet(servers.servers, recordedFleet('agent-healthy'))
}, 60_000)

async function canaries(): Promise<readonly RawObject[]> {
  const list = await servers.server('hub').request('GET', `${APPS}?labelSelector=fleetctl.io/canary`)
  const items = valueAt(list, 'items')
  return Array.isArray(items) ? items.filter(isObject) : []
}

/** The part of principal and agents, played: the status of a comparison comes back, as their binary writes it. */
function answering(agents: readonly string[]): { readonly seen: RawObject[]; stop(): void } {
  const seen: RawObject[] = []
  const timer = setInterval(async () => {
    for (const app of await canaries().catch(() => [])) {
      const agent = textAt(app, 'spec', 'destination', 'name')
      if (!agents.includes(agent) || valueAt(app, 'status') !== undefined) continue
      seen.push(app)
      const reconciledAt = new Date().toISOString().replace(/\.\d+/, '')
      const status = { sync: { status: 'OutOfSync' }, health: { status: 'Missing' }, reconciledAt }
      const at = `${APPS}/${textAt(app, 'metadata', 'name')}?fieldManager=argocd-agent`
      await servers
        .server('hub')
        .request('PATCH', at, { status }, 'application/merge-patch+json')
        .catch(() => {})
    }
  }, 300)
  return { seen, stop: () => clearInterval(timer) }
}

describeWithApiServer('agent verify --canary', () => {
  it('sends one Application to each agent, which deploys nothing, and takes it away when it was answered', async () => {
    const agents = answering(['bm', 'sno'])
    const { code, stdout, stderr } = await cli.run([...VERIFY, '--yes', '--timeout', '60s', '-o', 'json'])
    agents.stop()
    expect({ code, stderr: code === 0 ? '' : stderr }).toEqual({ code: 0, stderr: '' })
    const result = JSON.parse(stdout)
    expectSchema('AgentVerification', result)
    const trips = result.agents.map((a: { name: string; roundTrips: { subject: { name: string } }[] }) => [
      a.name,
      a.roundTrips.map(t => t.subject.name.replace(/[0-9a-f]{6}$/, '')),
    ])
    expect(trips).toEqual([
      ['bm', ['fleetctl-canary-bm-']],
      ['sno', ['fleetctl-canary-sno-']],
    ])
    for (const app of agents.seen) {
      expect(valueAt(app, 'spec', 'syncPolicy')).toBeUndefined()
      expect(valueAt(app, 'metadata', 'finalizers')).toBeUndefined()
    }
    expect(agents.seen).toHaveLength(2)
    expect(await canaries()).toEqual([])
    const { runs } = JSON.parse((await cli.run(['plan', 'list', '-o', 'json'])).stdout)
    expect(runs.at(-1)).toMatchObject({ state: 'reverted' })
  }, 120_000)

  it('names the agent that does not answer in time, exits 5, and leaves nothing behind', async () => {
    const agents = answering(['bm'])
    const { code, stdout } = await cli.run([...VERIFY, '--yes', '--timeout', '25s', '-o', 'json'])
    agents.stop()
    expect(code).toBe(5)
    expect(JSON.parse(stdout).blockers).toEqual([
      expect.stringMatching(/^sno: openshift-gitops\/Application\/fleetctl-canary-sno-/),
    ])
    expect(await canaries()).toEqual([])
  }, 120_000)

  it('leaves nothing behind when it is stopped', async () => {
    const abort = new AbortController()
    const run = cli.start([...VERIFY, '--yes', '--timeout', '90s'], { signal: abort.signal })
    await until(async () => (await canaries()).length === 2, 'a canary for each agent')
    abort.abort(new InterruptedError('SIGINT'))
    expect((await run.done).code).toBe(130)
    expect(await canaries()).toEqual([])
  }, 120_000)

  it('that was killed is cleared by its journal, or by the next one', async () => {
    const kill = async (): Promise<void> => {
      const env = { ...process.env, ...cli.env() }
      const child = spawn(process.execPath, [BIN, ...VERIFY, '--yes'], { env, stdio: 'ignore' })
      const gone = new Promise(resolve => child.once('exit', resolve))
      await until(async () => (await canaries()).length >= 2, 'a canary for each agent')
      child.kill('SIGKILL')
      await gone
    }
    await kill()
    const { runs } = JSON.parse((await cli.run(['plan', 'list', '-o', 'json'])).stdout)
    expect((await cli.run(['plan', 'revert', runs.at(-1).id, '--yes'])).code).toBe(0)
    expect(await canaries()).toEqual([])
    await kill()
    const agents = answering(['bm', 'sno'])
    const next = await cli.run([...VERIFY, '--yes', '--timeout', '60s'])
    agents.stop()
    expect({ code: next.code, stderr: next.stderr }).toMatchObject({ code: 0 })
    expect(next.stdout).toContain('Left over')
    expect(await canaries()).toEqual([])
  }, 180_000)

  it('makes nothing that is not confirmed, and nothing of a recording', async () => {
    const asked = await cli.run([...VERIFY, '--timeout', '30s'])
    expect(asked).toMatchObject({ code: 6, stderr: expect.stringContaining('nothing was written') })
    expect(await canaries()).toEqual([])
    const recording = await cli.run([...VERIFY, '--from', recordedFleet('agent-healthy')])
    expect(recording).toMatchObject({ code: 2, stderr: expect.stringContaining('--canary writes to a live hub') })
    const stray = await cli.run(['agent', 'verify', '--path', 'x'])
    expect(stray).toMatchObject({ code: 2, stderr: expect.stringContaining('go with --canary') })
  }, 60_000)
})
