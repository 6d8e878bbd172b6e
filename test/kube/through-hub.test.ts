import { readFileSync } from 'node:fs'
import https from 'node:https'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { KIND_NAMES, type KindName } from '../../src/fleet/kinds.ts'
import { openLive } from '../../src/kube/live-source.ts'
import type { HubWays } from '../../src/kube/spoke-ways.ts'
import type { KubeOverrides } from '../../src/kube/target.ts'
import { listAt, textAt } from '../../src/raw.ts'
import type { ClusterReport } from '../../src/source/source.ts'
import { ADMIN_TOKEN, type ApiServers, START_TIMEOUT_MS, startApiServers } from '../support/apiserver.ts'
import { describeWithApiServer, hasApiServer } from '../support/describe.ts'
import { recordedFleet } from '../support/fleets.ts'
import { loadFleet } from '../support/load-fleet.ts'
import { pki } from '../support/pki.ts'

const ALL: ReadonlySet<KindName> = new Set(KIND_NAMES)
const ARGO = 'openshift-gitops'

let servers: ApiServers
let proxy: https.Server
/** What came to the proxy: path and Authorization. */
const came: { readonly path: string; readonly authorization: string }[] = []

/** Stands for cluster-proxy's user server: `/CLUSTER/…` goes to that cluster's API server with the caller's token. */
function startProxy(): https.Server {
  const agent = new https.Agent({ ca: readFileSync(pki('ca.crt')), keepAlive: true })
  return https.createServer(
    { cert: readFileSync(pki('server.crt')), key: readFileSync(pki('server.key')) },
    (req, res) => {
      const [, cluster = '', rest = '/'] = /^\/([^/]+)(\/.*)$/.exec(req.url ?? '') ?? []
      const { authorization = '', accept = '*/*' } = req.headers
      came.push({ path: req.url ?? '', authorization })
      const target = servers.servers.get(cluster)
      if (target === undefined) return void res.writeHead(404).end()
      const call = https.request(target.url + rest, { agent, headers: { authorization, accept } }, answer => {
        res.writeHead(answer.statusCode ?? 502, answer.headers)
        answer.pipe(res)
      })
      call.on('error', () => res.destroy())
      call.end()
    },
  )
}

function proxyUrl(): string {
  return `https://127.0.0.1:${(proxy.address() as AddressInfo).port}`
}

beforeAll(async () => {
  if (!hasApiServer) return
  servers = await startApiServers({ clusters: ['hub', 'bm'], users: [{ name: 'argo' }] })
  await loadFleet(servers.servers, recordedFleet('pull-healthy'))
  proxy = startProxy()
  await new Promise<void>(resolve => proxy.listen(0, '127.0.0.1', resolve))
}, START_TIMEOUT_MS)
afterAll(async () => {
  proxy?.closeAllConnections()
  proxy?.close()
  await servers?.stop()
})

/** Reads hub and bm with a kubeconfig that knows the hub only. */
async function readSpoke(
  hubWays: HubWays,
  kube: KubeOverrides = {},
): Promise<{ report: ClusterReport; objects: number }> {
  let objects = 0
  const source = openLive({
    place: { env: {}, home: servers.folder },
    kube: { kubeconfig: servers.server('hub').kubeconfig, ...kube },
    spokes: [{ name: 'bm', context: 'bm', kubeconfig: '' }],
    hubWays,
  })
  const { clusters } = await source.read(ALL, { object: cluster => void (cluster === 'bm' && objects++) })
  const report = clusters.find(c => c.name === 'bm')
  if (report === undefined) throw new Error('no report')
  return { report, objects }
}

describeWithApiServer('a spoke without a context of its own', () => {
  it("is read through the hub's cluster proxy with the user's own token", async () => {
    const { report, objects } = await readSpoke({ proxyServer: proxyUrl(), proxyCa: pki('ca.crt') })
    expect(report.coverage.get('Application')).toEqual({ state: 'read', complete: true })
    expect(objects).toBeGreaterThan(10)
    expect(came.every(r => r.path.startsWith('/bm/') && r.authorization === `Bearer ${ADMIN_TOKEN}`)).toBe(true)
  })

  it('is a result, not a failure, where the hub has no cluster proxy', async () => {
    // The Service is there, but its address is known inside the hub only.
    const inside = (await readSpoke({ proxy: true })).report.otherwise
    expect(JSON.stringify(inside)).toContain('cluster-proxy-addon-user.multicluster-engine.svc.cluster.local:9092')
    const service = '/api/v1/namespaces/multicluster-engine/services/cluster-proxy-addon-user'
    await servers.server('hub').request('DELETE', service)
    const { report } = await readSpoke({ proxy: true })
    expect(report.otherwise).toEqual({
      state: 'refused',
      reason: 'the hub has no cluster proxy (Service multicluster-engine/cluster-proxy-addon-user does not exist)',
    })
  })

  it('is not read at all where the proxy cannot carry who the user is', async () => {
    await expect(readSpoke({ proxy: true }, { as: 'somebody' })).rejects.toThrow(/impersonation .* cluster proxy/)
    await expect(readSpoke({})).rejects.toThrow(/context "bm" does not exist .*--via-cluster-proxy/)
  })

  it("is read with Argo CD's credentials only when that is asked for, and says so", async () => {
    const hub = servers.server('hub')
    const secrets = listAt(await hub.request('GET', `/api/v1/namespaces/${ARGO}/secrets`), 'items')
    const base64 = (value: string): string => Buffer.from(value).toString('base64')
    const secret = secrets.find(s => textAt(s, 'data', 'name') === base64('bm'))
    const name = textAt(secret, 'metadata', 'name')
    const config = {
      bearerToken: servers.token('argo'),
      tlsClientConfig: { caData: readFileSync(pki('ca.crt')).toString('base64') },
    }
    const data = { server: base64(servers.server('bm').url), config: base64(JSON.stringify(config)) }
    await hub.request('PATCH', `/api/v1/namespaces/${ARGO}/secrets/${name}`, { data }, 'application/merge-patch+json')
    const mark = await servers.server('bm').mark()
    const warnings: string[] = []
    const { report } = await readSpoke({ clusterSecrets: true, onWarning: line => warnings.push(line) })
    const users = new Set((await servers.server('bm').audit(mark)).map(e => e.user))
    expect([...users]).toEqual(['argo'])
    expect(warnings).toEqual([
      `warning: spoke "bm" is read with the credentials of Secret ${ARGO}/${name}, which are those of Argo CD`,
    ])
    // That user has no rights there, which is a result.
    expect(JSON.stringify([...report.coverage.values()])).toContain('forbidden')
    expect(warnings.join()).not.toContain(servers.token('argo'))
  })
})
