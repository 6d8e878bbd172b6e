import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { RawObject } from '../../src/raw.ts'
import { type AgentTestHub, CHOICE, LIMIT, startAgentHub } from '../support/agent-hub.ts'
import { type AgentLab, snapshotOf } from '../support/agent-lab.ts'
import { type ApiServers, START_TIMEOUT_MS } from '../support/apiserver.ts'
import type { BootstrapHub } from '../support/bootstrap-hub.ts'
import { describeWithApiServer, hasApiServer } from '../support/describe.ts'
import { type FaultProxy, type ProxiedRequest, proxiedKubeconfig, startFaultProxy } from '../support/fault-proxy.ts'
import { LiveCli } from '../support/live-cli.ts'

const BIN = fileURLToPath(new URL('../../bin/fleetctl.js', import.meta.url))

let started: AgentTestHub
let servers: ApiServers
let hub: BootstrapHub
let proxy: FaultProxy
let cli: LiveCli
let lab: AgentLab
let before: ReadonlyMap<string, RawObject>
beforeAll(async () => {
  if (!hasApiServer) return
  started = await startAgentHub()
  ;({ servers, hub, lab } = started)
  before = await snapshotOf(hub)
  lab.start()
  proxy = await startFaultProxy(servers.server('hub'))
  cli = new LiveCli(proxiedKubeconfig(servers.folder, proxy))
}, START_TIMEOUT_MS)
afterAll(async () => {
  cli?.end()
  await proxy?.stop()
  await started?.stop()
})

const ENABLE = ['agent', 'enable', ...CHOICE, '--setup', 'hybrid', ...LIMIT]
const REVERT = ['agent', 'revert', ...LIMIT]

/** Writes of the switch itself: the Lease by which runs exclude each other is taken and renewed beside it. */
const isWrite = ({ method, path }: ProxiedRequest): boolean =>
  method !== 'GET' &&
  !path.includes('dryRun=All') &&
  !path.includes('selfsubjectaccessreviews') &&
  !path.includes('/leases')

/** Runs the binary and kills it -9 when the n-th write has reached the server, before its answer has come. */
async function killedAtWrite(n: number, argv: readonly string[]): Promise<'killed' | number> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [BIN, ...argv], { env: { ...process.env, ...cli.env() }, stdio: 'ignore' })
    let count = 0
    const when = (request: ProxiedRequest): boolean => {
      if (!isWrite(request) || ++count !== n) return false
      setTimeout(() => child.kill('SIGKILL'), 100)
      return true
    }
    proxy.setRules([{ fault: { kind: 'hang', afterBytes: 0 }, when }])
    child.once('error', reject)
    child.once('exit', code => {
      proxy.setRules([])
      resolve(code ?? 'killed')
    })
  })
}

/** What is there when the controllers have come to rest; the lease of a killed run is left to run out. */
async function settled(): Promise<ReadonlyMap<string, RawObject>> {
  await new Promise(resolve => setTimeout(resolve, 1_500))
  const all = new Map(await snapshotOf(hub))
  for (const key of all.keys()) if (key.includes('/leases ')) all.delete(key)
  return all
}

async function run(argv: readonly string[]): Promise<void> {
  const { code, stderr } = await cli.run(argv)
  expect({ argv, code, stderr: code === 0 ? '' : stderr }).toEqual({ argv, code: 0, stderr: '' })
}

describeWithApiServer('a switch that is killed', () => {
  it('converges after kill -9 at every single write, by resume and by running it again, and goes back exactly', async () => {
    await run(ENABLE)
    const whole = await settled()
    await run(REVERT)
    expect(await settled()).toEqual(before)
    for (let n = 1; ; n++) {
      const ended = await killedAtWrite(n, ENABLE)
      if (ended !== 'killed') {
        expect(ended).toBe(0)
        expect(n).toBeGreaterThan(8)
        await run(REVERT)
        break
      }
      // Every third time it is taken back from where it was killed.
      if (n % 3 !== 0) {
        await run(n % 2 === 0 ? ['agent', 'enable', '--resume', ...LIMIT] : ENABLE)
        expect(await settled()).toEqual(whole)
      }
      await run(REVERT)
      expect(await settled()).toEqual(before)
    }
  }, 900_000)

  it('goes back exactly when the way back is killed at each of its writes', async () => {
    await run(ENABLE)
    let kills = 0
    for (;;) {
      const ended = await killedAtWrite(1, REVERT)
      if (ended !== 'killed') {
        expect(ended).toBe(0)
        break
      }
      kills++
      expect(kills).toBeLessThan(60)
    }
    expect(kills).toBeGreaterThan(15)
    expect(await settled()).toEqual(before)
  }, 900_000)

  it('says how to go on when the hub is gone in the middle, forward and back', async () => {
    let count = 0
    proxy.setRules([{ fault: { kind: 'reset', afterBytes: 0 }, when: request => isWrite(request) && ++count >= 5 }])
    const stopped = await cli.run(ENABLE)
    expect(stopped).toMatchObject({ code: 7, stderr: expect.stringContaining('fleetctl agent enable --resume') })
    proxy.setRules([])
    await run(['agent', 'enable', '--resume', ...LIMIT])
    count = 0
    proxy.setRules([{ fault: { kind: 'reset', afterBytes: 0 }, when: request => isWrite(request) && ++count >= 5 }])
    const back = await cli.run(REVERT)
    expect(back).toMatchObject({ code: 7, stderr: expect.stringContaining('go on: fleetctl agent revert') })
    proxy.setRules([])
    await run(REVERT)
    expect(await settled()).toEqual(before)
  }, 300_000)
})
