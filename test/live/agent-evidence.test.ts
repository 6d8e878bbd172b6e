import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { InterruptedError } from '../../src/errors.ts'
import { ADMIN_TOKEN, type ApiServers, START_TIMEOUT_MS, startApiServers } from '../support/apiserver.ts'
import { describeWithApiServer, hasApiServer } from '../support/describe.ts'
import { expectSchema } from '../support/expect-schema.ts'
import { type FaultProxy, startFaultProxy } from '../support/fault-proxy.ts'
import { recordedFleet } from '../support/fleets.ts'
import { LiveCli } from '../support/live-cli.ts'
import { loadFleet } from '../support/load-fleet.ts'
import { pki } from '../support/pki.ts'

let servers: ApiServers
let proxy: FaultProxy
let cli: LiveCli
beforeAll(async () => {
  if (!hasApiServer) return
  servers = await startApiServers({ clusters: ['hub'] })
  await loadFleet(servers.servers, recordedFleet('agent-healthy'))
  proxy = await startFaultProxy(servers.server('hub'))
  const kubeconfig = join(servers.folder, 'proxied.kubeconfig')
  writeFileSync(
    kubeconfig,
    JSON.stringify({
      apiVersion: 'v1',
      kind: 'Config',
      'current-context': 'hub',
      clusters: [{ name: 'hub', cluster: { server: proxy.url, 'certificate-authority': pki('ca.crt') } }],
      users: [{ name: 'admin', user: { token: ADMIN_TOKEN } }],
      contexts: [{ name: 'hub', context: { cluster: 'hub', user: 'admin' } }],
    }),
  )
  cli = new LiveCli(kubeconfig)
}, START_TIMEOUT_MS)
afterAll(async () => {
  cli?.end()
  await proxy?.stop()
  await servers?.stop()
})

interface Part {
  readonly part: string
  readonly state: string
  readonly message: string
  readonly ask: string
}

async function parts(...flags: readonly string[]): Promise<{ readonly code: number; readonly parts: readonly Part[] }> {
  const { code, stdout } = await cli.run(['agent', 'status', '-o', 'json', ...flags])
  const status = JSON.parse(stdout)
  expectSchema('AgentStatus', status)
  return { code, parts: status.principals[0].parts }
}

// No kubelet runs and no pod: the proxy stands for them, with lines as the code of argocd-agent writes them.
const page = (body: string, path: RegExp) => ({
  fault: { kind: 'page', status: 200, body } as const,
  when: (request: { readonly path: string }) => path.test(request.path),
})
const LOG = `level=info msg="An agent connected to the subscription stream" client=bm
level=info msg="An agent connected to the subscription stream" client=sno
`
const METRICS = 'argocd_principal_connected_agents 2\n'

describeWithApiServer('agent status of a live hub', () => {
  it('reads log and metrics of the principal through the API server where that is asked for', async () => {
    proxy.setRules([page(LOG, /\/pods\/[^/]+\/log\?/), page(METRICS, /\/proxy\/metrics$/)])
    const { parts: plain } = await parts()
    expect(plain.map(p => p.part)).not.toContain('log')
    expect(proxy.requests.filter(r => /\/log\?|\/proxy\//.test(r.path))).toEqual([])
    const { parts: deep } = await parts('--principal-logs', '--metrics')
    expect(deep.find(p => p.part === 'log')).toMatchObject({
      state: 'ok',
      message: 'in the last 2 lines: bm, sno came',
    })
    expect(deep.find(p => p.part === 'metrics')).toMatchObject({ state: 'ok', message: '2 of 2 agents connected' })
    const asked = proxy.requests.filter(r => /\/log\?|\/proxy\//.test(r.path)).map(r => r.path)
    expect(asked).toEqual([
      expect.stringMatching(
        /^\/api\/v1\/namespaces\/openshift-gitops\/pods\/openshift-gitops-agent-principal-[^/]+\/log\?tailLines=1000/,
      ),
      '/api/v1/namespaces/openshift-gitops/services/http:openshift-gitops-agent-principal-metrics:8000/proxy/metrics',
    ])
  }, 60_000)

  it('says what it may not read, with the command that would tell, and counts it as not seen', async () => {
    const refused = { kind: 'status', status: 403, message: 'pods/log is forbidden' } as const
    proxy.setRules([{ fault: refused, when: r => /\/log\?|\/proxy\//.test(r.path) }])
    const { code, parts: deep } = await parts('--principal-logs', '--metrics')
    expect(deep.find(p => p.part === 'log')).toMatchObject({
      state: 'unknown',
      ask: 'oc -n openshift-gitops logs deployment/openshift-gitops-agent-principal --tail=1000',
    })
    expect(deep.find(p => p.part === 'metrics')?.ask).toContain('oc get --raw /api/v1/namespaces/openshift-gitops/')
    expect(code).not.toBe(0)
  }, 60_000)

  it('goes on with -w, and shows it again when something has changed', async () => {
    proxy.setRules([])
    const abort = new AbortController()
    const run = cli.start(['agent', 'status', '-w', '--interval', '1s', '-o', 'jsonl'], { signal: abort.signal })
    const lines = (): string[] =>
      run
        .now()
        .stdout.split('\n')
        .filter(line => line !== '')
    const until = async (n: number): Promise<void> => {
      for (let i = 0; i < 300 && lines().length < n; i++) await new Promise(resolve => setTimeout(resolve, 100))
      expect(lines().length).toBeGreaterThanOrEqual(n)
    }
    await until(1)
    const first = lines().length
    const at = '/apis/addon.open-cluster-management.io/v1alpha1/namespaces/bm/managedclusteraddons/gitops-addon'
    await servers.server('hub').request('DELETE', at)
    await until(first + 1)
    abort.abort(new InterruptedError('SIGINT'))
    expect((await run.done).code).toBe(130)
    const documents = lines().map(line => JSON.parse(line))
    for (const document of documents) expectSchema('AgentStatus', document)
    const addon = (d: { principals: { agents: { name: string; parts: Part[] }[] }[] }) =>
      d.principals[0]?.agents.find(a => a.name === 'bm')?.parts.find(p => p.part === 'add-on')?.state
    expect(addon(documents.at(0))).toBe('ok')
    expect(addon(documents.at(-1))).toBe('waiting')
  }, 90_000)
})
