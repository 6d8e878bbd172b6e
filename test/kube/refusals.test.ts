import { afterAll, beforeAll, expect, it } from 'vitest'
import { KIND_NAMES, type KindName, resourceName } from '../../src/fleet/kinds.ts'
import type { LiveSourceOptions } from '../../src/kube/live-source.ts'
import type { KubeOverrides } from '../../src/kube/target.ts'
import type { ClusterReport, Coverage } from '../../src/source/source.ts'
import { type ApiServers, START_TIMEOUT_MS, startApiServers } from '../support/apiserver.ts'
import { describeWithApiServer, hasApiServer } from '../support/describe.ts'
import { recordedFleet } from '../support/fleets.ts'
import { liveSource } from '../support/live.ts'
import { loadCluster, loadFleet } from '../support/load-fleet.ts'
import { pki } from '../support/pki.ts'
import { freePorts } from '../support/processes.ts'

const ALL: ReadonlySet<KindName> = new Set(KIND_NAMES)
const RBAC = '/apis/rbac.authorization.k8s.io/v1'

let servers: ApiServers
beforeAll(async () => {
  if (!hasApiServer) return
  const users = ['nobody', 'all-but-secrets', 'beside-argo', 'impersonator'].map(name => ({ name }))
  servers = await startApiServers({ clusters: ['hub', 'bm'], users })
  await loadFleet(servers.servers, recordedFleet('pull-healthy'))
  const hub = servers.server('hub')
  const grant = async (name: string, rules: readonly object[], namespace = ''): Promise<void> => {
    const [kind, at] = namespace === '' ? ['ClusterRole', RBAC] : ['Role', `${RBAC}/namespaces/${namespace}`]
    const plural = `${kind.toLowerCase()}s`
    await hub.request('POST', `${at}/${plural}`, { metadata: { name }, rules })
    await hub.request('POST', `${at}/${plural.replace('roles', 'rolebindings')}`, {
      metadata: { name },
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind, name },
      subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name }],
    })
  }
  const groups = [...new Set(KIND_NAMES.map(kind => resourceName(kind)))].filter(r => r !== 'secrets')
  const rules = groups.map(resource => {
    const dot = resource.indexOf('.')
    const [plural, group] = dot < 0 ? [resource, ''] : [resource.slice(0, dot), resource.slice(dot + 1)]
    return { apiGroups: [group], resources: [plural], verbs: ['get', 'list'] }
  })
  await grant('all-but-secrets', rules)
  await grant('beside-argo', [{ apiGroups: ['*'], resources: ['*'], verbs: ['get', 'list'] }], 'openshift-gitops')
  await grant('impersonator', [
    { apiGroups: [''], resources: ['users'], resourceNames: ['all-but-secrets'], verbs: ['impersonate'] },
  ])
}, START_TIMEOUT_MS)
afterAll(() => servers?.stop())

interface Read {
  readonly reports: readonly ClusterReport[]
  readonly objects: ReadonlyMap<string, number>
}

async function read(
  spokes: readonly string[],
  kube: KubeOverrides,
  more: Partial<LiveSourceOptions> = {},
): Promise<Read> {
  const objects = new Map<string, number>()
  const sink = {
    object(cluster: string, kind: KindName) {
      objects.set(`${cluster} ${kind}`, (objects.get(`${cluster} ${kind}`) ?? 0) + 1)
    },
  }
  return { reports: (await liveSource(servers, spokes, kube, more).read(ALL, sink)).clusters, objects }
}

function hub({ reports }: Read): ReadonlyMap<KindName, Coverage> {
  return reports[0]?.coverage ?? new Map()
}

describeWithApiServer('a user with too few rights', () => {
  it('without any: every kind is refused, and each reason names verb and resource', async () => {
    const coverage = hub(await read([], { context: 'nobody@hub' }))
    for (const kind of ['ManagedCluster', 'Application', 'ManifestWork'] as const) {
      const resource = resourceName(kind)
      expect(coverage.get(kind)).toEqual({
        state: 'refused',
        reason: `cannot list ${resource} on the hub: forbidden for user "nobody" (need: list ${resource})`,
      })
    }
    const complete = [...coverage].filter(([, c]) => c.state === 'read').map(([kind]) => kind)
    expect(complete).not.toContain('Application')
    expect([...coverage.values()].map(c => c.state)).toContain('refused')
    // Nothing told where Argo CD lives, so nothing was looked for beside it.
    expect(coverage.get('Secret')).toEqual({ state: 'read', complete: true, within: new Set() })
  })

  it('without Secrets: the rest is complete', async () => {
    const result = await read([], { context: 'all-but-secrets@hub' })
    const coverage = hub(result)
    expect(coverage.get('Secret')).toEqual({
      state: 'refused',
      reason:
        'cannot list secrets in namespace "openshift-gitops" on the hub: forbidden for user "all-but-secrets" (need: list secrets)',
    })
    const others = [...coverage].filter(([kind, c]) => kind !== 'Secret' && c.state !== 'not-recorded')
    expect(others.filter(([, c]) => c.state === 'refused' || (c.state === 'read' && !c.complete))).toEqual([])
    expect(result.objects.get('hub Application')).toBe(4)
  })

  it('with --no-secrets none is asked for', async () => {
    const mark = await servers.server('hub').mark()
    const coverage = hub(await read([], {}, { secrets: false }))
    expect(coverage.get('Secret')).toMatchObject({
      state: 'not-recorded',
      reason: expect.stringContaining('--no-secrets'),
    })
    const asked = await servers.server('hub').audit(mark)
    expect(asked.filter(e => e.resource === 'secrets')).toEqual([])
  })

  it('with rights beside Argo CD only: that is read and marked as a part', async () => {
    const result = await read([], { context: 'beside-argo@hub', namespace: 'openshift-gitops' })
    const coverage = hub(result)
    expect(coverage.get('Application')).toEqual({
      state: 'read',
      complete: false,
      reason:
        'cannot list applications.argoproj.io on the hub: forbidden for user "beside-argo" (need: list applications.argoproj.io)',
    })
    expect(result.objects.get('hub Application')).toBe(4)
    const within = new Set(['openshift-gitops'])
    expect(coverage.get('Secret')).toEqual({ state: 'read', complete: true, within })
    expect(result.objects.get('hub Secret')).toBe(2)
    expect(coverage.get('ManagedCluster')?.state).toBe('refused')
  })

  it('with that namespace as the chosen scope, the part is the whole', async () => {
    const result = await read([], { context: 'beside-argo@hub' }, { namespaces: ['openshift-gitops'] })
    const within = new Set(['openshift-gitops'])
    expect(hub(result).get('Application')).toEqual({ state: 'read', complete: true, within })
    expect(result.objects.get('hub Application')).toBe(4)
  })

  it('may act as another one where that is allowed', async () => {
    const coverage = hub(await read([], { context: 'impersonator@hub', as: 'all-but-secrets' }))
    expect(coverage.get('ManagedCluster')).toEqual({ state: 'read', complete: true })
    const refused = hub(
      await read([], { context: 'impersonator@hub', as: 'admin' }).catch(() => ({ reports: [], objects: new Map() })),
    )
    expect(refused.get('ManagedCluster')?.state).not.toBe('read')
  })
})

describeWithApiServer('a cluster that cannot be read', () => {
  it('a hub that does not know the token: exit 4, and how to log in', async () => {
    await expect(read([], { token: 'expired' })).rejects.toMatchObject({
      failure: 'unauthorized',
      exitCode: 4,
      message: expect.stringContaining('log in again'),
    })
  })

  it('a hub that is not there: exit 4, at once', async () => {
    const [port] = await freePorts(1)
    const started = Date.now()
    await expect(read([], { server: `https://127.0.0.1:${port}` })).rejects.toMatchObject({
      failure: 'unreachable',
      exitCode: 4,
      message: expect.stringContaining(`connection refused (https://127.0.0.1:${port})`),
    })
    expect(Date.now() - started).toBeLessThan(10_000)
  })

  it('a hub that is not trusted: exit 4, and what to pass', async () => {
    await expect(read([], { certificateAuthority: pki('stranger-ca.crt') })).rejects.toMatchObject({
      failure: 'untrusted',
      exitCode: 4,
      message: expect.stringContaining('--certificate-authority'),
    })
  })

  it('a spoke that refuses the user is a result', async () => {
    const { reports } = await read(['nobody@bm', 'bm'], {})
    const [, refused, fine] = reports
    expect(refused?.coverage.get('Application')).toMatchObject({
      state: 'refused',
      reason: expect.stringContaining('spoke "nobody@bm"'),
    })
    expect(fine?.coverage.get('Application')).toEqual({ state: 'read', complete: true })
  })

  it('a spoke without context is a usage error before anything is asked', async () => {
    const mark = await servers.server('hub').mark()
    await expect(read(['nowhere'], {})).rejects.toMatchObject({
      exitCode: 2,
      message: expect.stringContaining('--spoke-context nowhere=CONTEXT'),
    })
    expect(await servers.server('hub').audit(mark)).toEqual([])
  })

  it('a hub without ACM and Argo CD: facts, and no storm of errors', async () => {
    await loadCluster(servers.server('bm'), `${recordedFleet('pull-healthy')}/bm`)
    const mark = await servers.server('bm').mark()
    const coverage = hub(await read([], { context: 'bm' }))
    for (const kind of ['ManagedCluster', 'GitOpsCluster', 'ManifestWork', 'Policy'] as const) {
      expect(coverage.get(kind)).toEqual({ state: 'not-served' })
    }
    expect(coverage.get('Application')).toEqual({ state: 'read', complete: true })
    const asked = await servers.server('bm').audit(mark)
    expect(asked.filter(e => e.status >= 400 && e.status !== 404)).toEqual([])
    expect(asked.length).toBeLessThan(60)
  })
})
