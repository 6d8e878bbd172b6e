import { describe, expect, it } from 'vitest'
import { app, type Files, listOf, managedCluster, read, tempFolder } from './trees.ts'

const IMAGE = 'quay-io-stolostron-must-gather-sha256-5d2a2a5f1c3b'
const RUN = `must-gather.local.5421342344627712289/${IMAGE}`

/** A tree as `oc adm inspect` lays it out, with one object of each way to store it. */
function gathered(root: string, more: Files = {}): Record<string, string | Buffer> {
  const secret = { apiVersion: 'v1', kind: 'Secret', metadata: { namespace: 'argo', name: 's', resourceVersion: '5' } }
  const namespace = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'argo' } }
  const pod = { apiVersion: 'v1', kind: 'Pod', metadata: { namespace: 'argo', name: 'p', resourceVersion: '7' } }
  const files: Files = {
    'cluster-scoped-resources/core/namespaces/argo.yaml': JSON.stringify(namespace),
    'namespaces/argo/argo.yaml': JSON.stringify(namespace),
    'namespaces/argo/core/secrets.yaml': `apiVersion: v1\nkind: SecretList\nitems:\n- ${JSON.stringify(secret)}\n`,
    'namespaces/argo/core/configmaps.yaml': 'apiVersion: v1\nitems: []\nkind: ConfigMapList\nmetadata: {}\n',
    'namespaces/argo/core/pods.yaml': JSON.stringify({ apiVersion: 'v1', kind: 'PodList', items: [pod] }),
    'namespaces/argo/pods/p/p.yaml': JSON.stringify({ ...pod, metadata: { ...pod.metadata, resourceVersion: '8' } }),
    'namespaces/argo/pods/p/c/c/logs/current.log': 'text: "not: read',
    'namespaces/argo/argoproj.io/applications/a.yaml': JSON.stringify(app('argo', 'a')),
    'namespaces/argo/argoproj.io/rollouts.yaml': 'broken: [',
    version: 'openshift/must-gather\n4.18\n',
    'etcd_info/endpoint.json': '{ broken',
    ...more,
  }
  return Object.fromEntries(Object.entries(files).map(([path, content]) => [`${root}${path}`, content]))
}

describe('a must-gather', () => {
  it('is read in all its shapes, at any depth, and what is no object is passed over', async () => {
    for (const root of ['', `${RUN}/`, `x/y/${RUN}/`]) {
      const { source, sink, report, coverage, problems } = await read(tempFolder(gathered(root)))
      expect(source.type).toBe('must-gather')
      expect(report.clusters.map(c => [c.name, c.role])).toEqual([['hub', 'hub']])
      expect(sink.names('hub')).toEqual(['Application argo/a', 'Namespace argo', 'Pod argo/p', 'Secret argo/s'])
      expect(problems).toEqual([])
      expect(coverage('hub', 'ConfigMap')).toEqual({ state: 'read', complete: true })
      expect(coverage('hub', 'Secret')).toEqual({ state: 'read', complete: true })
      expect(coverage('hub', 'Placement').state).toBe('not-recorded')
    }
  })

  it('uses the newer of two states that were gathered one after the other', async () => {
    const { sink } = await read(tempFolder(gathered('')))
    const pod = sink.objects.find(o => o.kind === 'Pod')
    expect(pod?.raw).toMatchObject({ metadata: { resourceVersion: '8' } })
  })

  it('may hold several clusters side by side, each with several images', async () => {
    const clusters = '/cluster-scoped-resources/cluster.open-cluster-management.io/managedclusters'
    const files = {
      ...gathered(`main/${RUN}/`),
      [`main/must-gather.local.5421342344627712289/other-image-sha256-0123456789${clusters}/bm.yaml`]: JSON.stringify(
        managedCluster('bm'),
      ),
      'main/must-gather.local.5421342344627712289/timestamp':
        '2026-11-30 16:19:02.5 -0430 XYZ m=+0.2\n2026-11-30 21:00:00 +0000 UTC m=+9\n',
      ...gathered(`bm/${RUN}/`),
    }
    const { report, sink } = await read(tempFolder(files))
    expect(report.clusters.map(c => [c.name, c.role])).toEqual([
      ['hub', 'hub'],
      ['bm', 'spoke'],
    ])
    expect(sink.names('hub', 'ManagedCluster')).toEqual(['ManagedCluster bm'])
    expect(sink.names('bm', 'Application')).toEqual(['Application argo/a'])
    expect(report.clusters.map(c => c.readAt)).toEqual([Date.parse('2026-11-30T20:49:02.5Z'), undefined])
    expect(report.notes).toEqual(['main is taken for the hub: it holds the ManagedClusters'])
  })

  it('does not guess the hub', async () => {
    const folder = tempFolder({ ...gathered('one/'), ...gathered('two/') })
    await expect(read(folder)).rejects.toThrow(
      /cannot tell which cluster .* none of one, two .* name it with --hub DIR/,
    )
    const { report } = await read(folder, { hub: 'two' })
    expect(report.clusters.map(c => c.name)).toEqual(['hub', 'one'])
  })

  it('takes two runs side by side for two clusters', async () => {
    const folder = tempFolder({ ...gathered('must-gather.local.1/'), ...gathered('must-gather.local.2/') })
    await expect(read(folder)).rejects.toThrow(/none of must-gather\.local\.1, must-gather\.local\.2/)
  })

  it('loses only the kind that the path of a broken file names', async () => {
    const broken = { 'namespaces/argo/apps/deployments.yaml': 'items:\n- a: [\n' }
    const { coverage, problems } = await read(tempFolder(gathered('', broken)))
    expect(coverage('hub', 'Deployment').state).toBe('refused')
    expect(coverage('hub', 'Secret')).toEqual({ state: 'read', complete: true })
    expect(problems.join()).toMatch(/^namespaces\/argo\/apps\/deployments\.yaml:\d not valid YAML/)
  })

  it('knows that the contents of namespaces are missing which were not gathered', async () => {
    const other = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'shop' } }
    const files = gathered('', { 'cluster-scoped-resources/core/namespaces/shop.yaml': JSON.stringify(other) })
    const { coverage } = await read(tempFolder(files), {}, ['Secret', 'Application'])
    expect(coverage('hub', 'Secret')).toEqual({
      state: 'read',
      complete: false,
      reason: 'only 1 of 2 namespaces were gathered, not shop',
    })
    expect(coverage('hub', 'Application')).toEqual({ state: 'read', complete: true })
  })

  it('does not take manifests in folders named after namespaces for a must-gather', async () => {
    const { source } = await read(tempFolder({ 'namespaces/argo/app.yaml': listOf(app('argo', 'a')) }))
    expect(source.type).toBe('files')
  })
})
