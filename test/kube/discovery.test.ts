import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { Connection } from '../../src/kube/connection.ts'
import { discover } from '../../src/kube/discovery.ts'
import { loadKubeconfig } from '../../src/kube/kubeconfig.ts'
import { resolveTarget } from '../../src/kube/target.ts'

let server: Server | undefined
afterEach(() => {
  server?.closeAllConnections()
  server?.close()
})

/** A stand-in that answers paths with a body, or with a status; everything else is 404. */
async function connect(answers: Readonly<Record<string, unknown>>): Promise<Connection> {
  server = createServer((request, response) => {
    const answer = answers[request.url ?? '']
    response.setHeader('Date', 'Thu, 01 Jan 2026 12:00:00 GMT')
    response.statusCode = typeof answer === 'number' ? answer : answer === undefined ? 404 : 200
    response.end(JSON.stringify(answer ?? {}))
  })
  await new Promise<void>(resolve => server?.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const place = { env: {}, home: '/nowhere' }
  const clock = { now: () => 7, sleep: async () => {} }
  const target = resolveTarget(loadKubeconfig(place), { server: `http://127.0.0.1:${port}` }, place)
  return new Connection(target, { env: {}, clock })
}

const VERSION = { gitVersion: 'v1.31.1' }
const resource = (name: string, kind: string) => ({
  resource: name,
  responseKind: { kind },
  scope: 'Namespaced',
  verbs: ['get', 'list'],
})
const aggregated = (groups: readonly object[]) => ({ kind: 'APIGroupDiscoveryList', items: groups })
const CORE = aggregated([
  { metadata: { name: '' }, versions: [{ version: 'v1', resources: [resource('secrets', 'Secret')] }] },
])

describe('discover', () => {
  it('takes our preferred version of those that are served, and any other rather than none', async () => {
    const groups = aggregated([
      {
        metadata: { name: 'apps.open-cluster-management.io' },
        versions: [{ version: 'v1alpha1', resources: [resource('gitopsclusters', 'GitOpsCluster')] }],
      },
      {
        metadata: { name: 'argoproj.io' },
        versions: [
          { version: 'v1alpha1', resources: [resource('argocds', 'ArgoCD'), resource('applications', 'Application')] },
          { version: 'v1beta1', resources: [resource('argocds', 'ArgoCD')] },
          { version: 'v9', resources: [resource('appprojects', 'AppProject')] },
        ],
      },
    ])
    const found = await discover(await connect({ '/version': VERSION, '/api': CORE, '/apis': groups }))
    const version = (kind: 'GitOpsCluster' | 'ArgoCD' | 'Application' | 'AppProject'): unknown => {
      const served = found.served(kind)
      return served.state === 'served' ? served.resource.version : served.state
    }
    expect(version('GitOpsCluster')).toBe('v1alpha1')
    expect(version('ArgoCD')).toBe('v1beta1')
    expect(version('Application')).toBe('v1alpha1')
    expect(version('AppProject')).toBe('v9')
    expect(found.served('ManagedCluster')).toEqual({ state: 'not-served' })
    expect(found.versions('argoproj.io', 'argocds')).toEqual(['v1alpha1', 'v1beta1'])
    expect(found.kindName('argoproj.io', 'argocds')).toBe('ArgoCD')
    expect(found).toMatchObject({ serverVersion: 'v1.31.1', serverTime: Date.parse('2026-01-01T12:00:00Z') })
  })

  it('knows that an API whose server is down is not absent', async () => {
    const groups = aggregated([
      { metadata: { name: 'route.openshift.io' }, versions: [{ version: 'v1', freshness: 'Stale', resources: [] }] },
    ])
    const found = await discover(await connect({ '/version': VERSION, '/api': CORE, '/apis': groups }))
    expect(found.served('Route')).toEqual({
      state: 'unknown',
      reason: 'the API server behind route.openshift.io/v1 does not answer',
    })
  })

  it('asks group by group where the server is older, and only for groups of the chain', async () => {
    const found = await discover(
      await connect({
        '/version': VERSION,
        '/api': { kind: 'APIVersions', versions: ['v1'] },
        '/api/v1': { resources: [{ name: 'secrets', kind: 'Secret', namespaced: true, verbs: ['list'] }] },
        '/apis': {
          kind: 'APIGroupList',
          groups: [
            { name: 'argoproj.io', versions: [{ version: 'v1alpha1' }] },
            { name: 'route.openshift.io', versions: [{ version: 'v1' }] },
            { name: 'somebody.else', versions: [{ version: 'v1' }] },
          ],
        },
        '/apis/argoproj.io/v1alpha1': {
          resources: [
            { name: 'applications', kind: 'Application', namespaced: true, verbs: ['list'] },
            { name: 'applications/status', kind: 'Application', namespaced: true, verbs: ['get'] },
          ],
        },
        '/apis/route.openshift.io/v1': 503,
      }),
    )
    expect(found.served('Application').state).toBe('served')
    expect(found.served('Secret').state).toBe('served')
    expect(found.served('ArgoCD').state).toBe('not-served')
    expect(found.served('Route').state).toBe('unknown')
  })

  it('lets the lists tell where discovery is refused', async () => {
    const found = await discover(await connect({ '/version': 403, '/api': 403, '/apis': 403 }))
    expect(found.served('ManagedCluster')).toMatchObject({
      state: 'served',
      resource: { version: 'v1', plural: 'managedclusters' },
    })
    expect(found).toMatchObject({ serverVersion: '', serverTime: 7 })
  })

  it('fails where the server lets nobody in', async () => {
    await expect(discover(await connect({ '/version': 401, '/api': 401, '/apis': 401 }))).rejects.toMatchObject({
      failure: 'unauthorized',
    })
  })

  it('fails where the answer is no API', async () => {
    await expect(discover(await connect({ '/version': [], '/api': 'x', '/apis': [] }))).rejects.toMatchObject({
      failure: 'bad-answer',
    })
  })

  it('bears nulls and wrong types', async () => {
    const odd = aggregated([
      { metadata: null, versions: null },
      { versions: [null, { version: 7, resources: [null, 3] }] },
    ])
    const found = await discover(await connect({ '/version': { gitVersion: 7 }, '/api': odd, '/apis': odd }))
    expect(found.served('Application')).toEqual({ state: 'not-served' })
    expect(found.serverVersion).toBe('')
  })
})
