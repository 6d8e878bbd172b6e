import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { KIND_NAMES } from '../../src/fleet/kinds.ts'
import { filesOf, RECORDED, read, tempFolder } from './trees.ts'

/** What the indexes of the recorded fleet count, by kind. */
const HUB = { ManagedCluster: 3, ManagedClusterSetBinding: 1, Placement: 1, Application: 4, Event: 2 }
const BM = { Application: 2, AppliedManifestWork: 2, ServiceAccount: 11 }

describe('a recorded fleet', () => {
  it('gives every object that the indexes count, hub first', async () => {
    const { source, sink, report, problems } = await read(RECORDED)
    expect(source.type).toBe('recording')
    expect(report.clusters.map(c => [c.name, c.role])).toEqual([
      ['hub', 'hub'],
      ['bm', 'spoke'],
    ])
    for (const [kind, count] of Object.entries(HUB))
      expect([kind, sink.objects.filter(o => o.cluster === 'hub' && o.kind === kind).length]).toEqual([kind, count])
    for (const [kind, count] of Object.entries(BM))
      expect([kind, sink.objects.filter(o => o.cluster === 'bm' && o.kind === kind).length]).toEqual([kind, count])
    expect(sink.objects).toHaveLength(3 + 1 + 1 + 4 + 2 + 2 + 2 + 11)
    expect(sink.names('hub', 'ManagedCluster')).toEqual([
      'ManagedCluster bm',
      'ManagedCluster local-cluster',
      'ManagedCluster sno',
    ])
    // expected.yaml lies beside the clusters and holds no object.
    expect(problems).toEqual([])
    expect(report.notes).toEqual([])
  })

  it('tells when it was recorded, from which server', async () => {
    const { report } = await read(RECORDED)
    expect(report.clusters[0]).toMatchObject({ serverVersion: 'v1.34.2', readAt: Date.parse('2026-11-30T16:19:02Z') })
  })

  it('tells an empty list from a resource that was not served', async () => {
    const { coverage } = await read(RECORDED)
    expect(coverage('hub', 'Application')).toEqual({ state: 'read', complete: true })
    expect(coverage('hub', 'Pod')).toEqual({ state: 'read', complete: true })
    expect(coverage('hub', 'Policy')).toEqual({ state: 'read', complete: true })
    expect(coverage('hub', 'GitOpsCluster')).toEqual({ state: 'not-served' })
    expect(coverage('bm', 'ManagedCluster')).toEqual({ state: 'not-served' })
  })

  it('reads the wanted kinds only', async () => {
    const { sink, report } = await read(RECORDED, {}, ['Placement'])
    expect(sink.objects.map(o => [o.cluster, o.kind])).toEqual([['hub', 'Placement']])
    expect([...(report.clusters[0]?.coverage.keys() ?? [])]).toEqual(['Placement'])
    expect(report.clusters[0]?.otherwise.state).toBe('not-recorded')
  })

  it('can be read twice', async () => {
    const { source, sink } = await read(RECORDED)
    const before = sink.objects.length
    await source.read(new Set(KIND_NAMES), sink)
    expect(sink.objects).toHaveLength(2 * before)
  })

  it('may be a single cluster, which is then the hub', async () => {
    const hub = await read(join(RECORDED, 'hub'))
    expect(hub.report.clusters.map(c => c.name)).toEqual(['hub'])
    expect(hub.report.notes).toEqual([])
    const bm = await read(join(RECORDED, 'bm'))
    expect(bm.report.clusters.map(c => [c.name, c.role])).toEqual([['hub', 'hub']])
    expect(bm.sink.names('hub', 'Application')).toHaveLength(2)
    expect(hub.report.problems).toEqual([])
    // A spoke alone is no hub: most checks have nothing to look at, and that must not pass for health.
    expect(bm.report.problems.map(p => p.message)).toEqual([
      expect.stringMatching(/no hub: it serves no ManagedClusters/),
    ])
  })

  it('may lie in wrapping folders and have JSON lists', async () => {
    const files = filesOf(RECORDED)
    const wrapped = Object.fromEntries(Object.entries(files).map(([path, text]) => [`a/b/${path}`, text]))
    const index = {
      cluster: 'edge',
      recordedAt: '2026-11-30T16:19:40Z',
      resources: [{ resource: 'pods', apiVersion: 'v1', kind: 'Pod', count: 1, file: 'pods.json' }],
    }
    wrapped['a/b/edge/index.json'] = JSON.stringify(index)
    wrapped['a/b/edge/pods.json'] =
      '{"apiVersion":"v1","kind":"PodList","items":[{"metadata":{"namespace":"x","name":"p"}}]}'
    const { sink, report, problems } = await read(tempFolder(wrapped))
    expect(report.clusters.map(c => c.name)).toEqual(['hub', 'bm', 'edge'])
    expect(sink.names('edge')).toEqual(['Pod x/p'])
    expect(problems).toEqual([])
    expect(report.notes).toEqual(['a/b/edge is taken for a spoke, but the hub has no ManagedCluster of that name'])
  })

  it('knows the hub by its ManagedClusters when no folder is called hub', async () => {
    const files = Object.fromEntries(
      Object.entries(filesOf(RECORDED)).map(([path, text]) => [path.replace(/^hub/, 'main'), text]),
    )
    const folder = tempFolder(files)
    for (const hub of [undefined, 'main', './main/']) {
      const { report } = await read(folder, hub === undefined ? {} : { hub })
      expect(report.clusters.map(c => [c.name, c.role])).toEqual([
        ['hub', 'hub'],
        ['bm', 'spoke'],
      ])
    }
    await expect(read(folder, { hub: 'none' })).rejects.toThrow(
      /--hub none is no cluster folder in .*: there is bm, main/,
    )
  })

  it('takes an error in the index for a refused list', async () => {
    const files = filesOf(RECORDED)
    files['hub/index.yaml'] += [
      '  - resource: secrets',
      '    apiVersion: v1',
      '    kind: Secret',
      '    error: secrets is forbidden\n',
    ].join('\n')
    const { coverage, problems } = await read(tempFolder(files))
    expect(coverage('hub', 'Secret')).toEqual({ state: 'refused', reason: 'secrets is forbidden' })
    expect(problems).toEqual([])
  })

  it('misses a file that the index names, and objects that it counts', async () => {
    const files = filesOf(RECORDED)
    delete files['hub/placements.cluster.open-cluster-management.io.yaml']
    files['hub/index.yaml'] = files['hub/index.yaml']?.replace('file: events.yaml', 'file: ../bm/index.yaml') ?? ''
    files['bm/index.yaml'] = files['bm/index.yaml']?.replace('count: 11', 'count: 12') ?? ''
    const { coverage, problems } = await read(tempFolder(files))
    const missing = 'the index names it, but there is no such file'
    expect(coverage('hub', 'Placement')).toEqual({
      state: 'refused',
      reason: `hub/placements.cluster.open-cluster-management.io.yaml: ${missing}`,
    })
    expect(coverage('hub', 'Event')).toEqual({ state: 'refused', reason: `hub/../bm/index.yaml: ${missing}` })
    expect(coverage('bm', 'ServiceAccount')).toEqual({
      state: 'read',
      complete: false,
      reason: 'bm/serviceaccounts.yaml: the index counts 12 objects, the file holds 11',
    })
    expect(problems).toHaveLength(3)
  })

  it('never says "not served" when the index is broken', async () => {
    const files = { ...filesOf(RECORDED), 'hub/index.yaml': 'cluster: hub\nresources: [\n' }
    const { coverage, sink, problems } = await read(tempFolder(files))
    expect(problems[0]).toMatch(/^hub\/index\.yaml:\d+ not valid YAML/)
    expect(coverage('hub', 'Application')).toEqual({ state: 'read', complete: true })
    expect(coverage('hub', 'GitOpsCluster').state).toBe('not-recorded')
    expect(sink.names('hub', 'ManagedCluster')).toHaveLength(3)
  })

  it('refuses a folder of many fleets', async () => {
    const files = filesOf(RECORDED)
    const two = Object.fromEntries(['one', 'two'].flatMap(n => Object.entries(files).map(([p, t]) => [`${n}/${p}`, t])))
    await expect(read(tempFolder(two))).rejects.toThrow(/holds several fleets: one\/hub, two\/hub are all called hub/)
  })

  it('reads a folder beside the recorded clusters as a cluster, whatever is in it', async () => {
    const files = {
      ...filesOf(RECORDED),
      'sno/apps.json':
        '{"apiVersion":"argoproj.io/v1alpha1","kind":"Application","metadata":{"namespace":"a","name":"b"}}',
    }
    const { report, sink, coverage } = await read(tempFolder({ ...files, 'notes/plan.yaml': 'text: no object\n' }))
    expect(report.clusters.map(c => c.name)).toEqual(['hub', 'bm', 'sno'])
    expect(sink.names('sno')).toEqual(['Application a/b'])
    expect(coverage('sno', 'Pod').state).toBe('not-recorded')
  })
})
