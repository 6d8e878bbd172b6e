import { afterAll, beforeAll, expect, it } from 'vitest'
import type { RawObject } from '../../src/plan/object.ts'
import { AgentLab, baseObjects, GOC, PLACEMENT, snapshotOf } from '../support/agent-lab.ts'
import { type ApiServers, START_TIMEOUT_MS, startApiServers } from '../support/apiserver.ts'
import { BootstrapHub } from '../support/bootstrap-hub.ts'
import { describeWithApiServer, hasApiServer } from '../support/describe.ts'
import { LiveCli } from '../support/live-cli.ts'

let servers: ApiServers
let hub: BootstrapHub
let cli: LiveCli
let before: ReadonlyMap<string, RawObject>
beforeAll(async () => {
  if (!hasApiServer) return
  servers = await startApiServers({ clusters: ['hub'] })
  hub = new BootstrapHub(servers.server('hub'))
  await hub.installDefinitions()
  await snapshotOf(hub)
  for (const object of baseObjects()) await hub.create(object)
  await new AgentLab(hub).once()
  cli = new LiveCli(servers.server('hub').kubeconfig)
  before = await snapshotOf(hub)
}, START_TIMEOUT_MS)
afterAll(async () => {
  cli?.end()
  await servers?.stop()
})

const CHOICE = ['--set', 'edge', '--clusters', 'bm,sno', '--placement', PLACEMENT, '--gitopscluster', GOC]
const GIT = ['--repo-url', 'https://git.example.test/fleet.git', '--path', 'apps/{{name}}', '--appset', 'edge-agent']

describeWithApiServer('agent enable', () => {
  it('switches', async () => {
    const lab = new AgentLab(hub)
    lab.start()
    const done = await cli.run([
      'agent',
      'enable',
      ...CHOICE,
      ...GIT,
      '--accept-frozen',
      'hub-branding',
      '--yes',
      '--timeout',
      '120s',
    ])
    console.log(done.stdout, done.stderr)
    expect(done.code).toBe(0)
    const again = await cli.run(['agent', 'enable', '--yes', '-o', 'json'])
    console.log(again.stdout, again.stderr)
    await lab.stop()
    expect([...(await snapshotOf(hub)).keys()].filter(k => !before.has(k))).toEqual([])
  }, 200_000)
})
