import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { parse } from 'yaml'
import { readAgentStatus } from '../../src/agent/status/run.ts'
import { text, valueAt } from '../../src/raw.ts'
import { openPath } from '../../src/source/open.ts'
import { type ApiServers, START_TIMEOUT_MS, startApiServers } from '../support/apiserver.ts'
import { describeWithApiServer, hasApiServer } from '../support/describe.ts'
import { recordedFleet } from '../support/fleets.ts'
import { liveSource } from '../support/live.ts'
import { LiveCli } from '../support/live-cli.ts'
import { loadFleet } from '../support/load-fleet.ts'

const SPOKES = ['bm', 'sno']

let servers: ApiServers
let cli: LiveCli
beforeAll(async () => {
  if (!hasApiServer) return
  servers = await startApiServers({ clusters: ['hub', ...SPOKES] })
  cli = new LiveCli(servers.kubeconfig)
}, START_TIMEOUT_MS)
afterAll(async () => {
  cli?.end()
  await servers?.stop()
})

function recordedAt(folder: string, cluster: string): number {
  return Date.parse(text(valueAt(parse(readFileSync(join(folder, cluster, 'index.yaml'), 'utf8')), 'recordedAt')))
}

/** As the principal does it: a patch of the status alone, under the name of its binary. */
async function statusComesBack(agent: string): Promise<void> {
  const at = new Date().toISOString().replace(/\.\d+Z$/, 'Z')
  await servers
    .server('hub')
    .request(
      'PATCH',
      `/apis/argoproj.io/v1alpha1/namespaces/openshift-gitops/applications/branding-bottom-${agent}?fieldManager=argocd-agent`,
      { status: { reconciledAt: at } },
      'application/merge-patch+json',
    )
}

const writes = async (mark: number) =>
  (await servers.server('hub').audit(mark)).filter(e => !['get', 'list', 'watch'].includes(e.verb))

describeWithApiServer('agent mode of a live hub', () => {
  it.each(['agent-healthy', 'agent-client-cert-missing', 'agent-autonomous-healthy'])(
    '%s: status says the same live and recorded',
    async name => {
      const folder = recordedFleet(name)
      await loadFleet(servers.servers, folder)
      const live = await readAgentStatus(
        liveSource(servers, SPOKES, {}, { timeOf: cluster => recordedAt(folder, cluster) }),
      )
      const recorded = await readAgentStatus(await openPath(folder, {}))
      const substance = ({ principals, findings, elsewhere, state, summary, unseen }: typeof live) => ({
        principals,
        findings,
        elsewhere,
        state,
        summary,
        unseen,
      })
      expect(substance(live)).toEqual(substance(recorded))
    },
    120_000,
  )

  it('verify waits for what does not come, names it and exits 5', async () => {
    await loadFleet(servers.servers, recordedFleet('agent-healthy'))
    const mark = await servers.server('hub').mark()
    const { code, stdout } = await cli.run(['agent', 'verify', '--timeout', '5s', '-o', 'json'])
    expect(code).toBe(5)
    const { kind, blockers }: { kind: string; blockers: string[] } = JSON.parse(stdout)
    expect(kind).toBe('AgentVerification')
    expect(blockers.map(b => b.split(':')[0])).toEqual(SPOKES)
    expect(await writes(mark)).toEqual([])
  }, 60_000)

  it('verify ends with 0 as soon as a status has come back from every agent', async () => {
    await loadFleet(servers.servers, recordedFleet('agent-healthy'))
    const waiting = cli.run(['agent', 'verify', '--timeout', '90s'])
    await new Promise(resolve => setTimeout(resolve, 4000))
    for (const agent of SPOKES) await statusComesBack(agent)
    const { code, stdout, stderr } = await waiting
    expect(stderr).toContain('waiting: bm: ')
    expect(stdout).toMatch(/^bm +managed +verified/m)
    expect(stdout).toMatch(/^sno +managed +verified/m)
    expect(code).toBe(0)
  }, 120_000)

  it('verify counts only what is new where that is asked for', async () => {
    await loadFleet(servers.servers, recordedFleet('agent-healthy'))
    for (const agent of SPOKES) await statusComesBack(agent)
    expect((await cli.run(['agent', 'verify', '--no-wait'])).code).toBe(0)
    const old = await cli.run(['agent', 'verify', '--wait-for-new', '--timeout', '3s'])
    expect(old.code).toBe(5)
    expect(old.stdout).toContain('none since the verification')
    const waiting = cli.run(['agent', 'verify', '--wait-for-new', '--timeout', '90s'])
    await new Promise(resolve => setTimeout(resolve, 4000))
    for (const agent of SPOKES) await statusComesBack(agent)
    expect((await waiting).code).toBe(0)
  }, 120_000)
})
