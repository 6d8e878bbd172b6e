import { Readable } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { app, listOf, managedCluster, read, tempFile, tempFolder } from './trees.ts'

describe('loose files', () => {
  it('may be one file of YAML documents, as `kubectl get -o yaml` prints them', async () => {
    const text = [
      'apiVersion: v1',
      'items:',
      '- apiVersion: argoproj.io/v1alpha1',
      '  kind: Application',
      '  metadata: {namespace: argo, name: one}',
      '- apiVersion: argoproj.io/v1alpha1',
      '  kind: Application',
      '  metadata: {namespace: argo, name: two}',
      'kind: List',
      '---',
      'apiVersion: v1',
      'kind: Secret',
      'metadata: {namespace: argo, name: s}',
      '---',
      'apiVersion: example.test/v1',
      'kind: Widget',
      'metadata: {name: unknown}',
      '---',
      '',
    ].join('\n')
    const { source, sink, coverage, problems } = await read(tempFile('dump.yaml', text))
    expect(source.type).toBe('files')
    expect(sink.names('hub')).toEqual(['Application argo/one', 'Application argo/two', 'Secret argo/s'])
    expect(coverage('hub', 'Application')).toEqual({ state: 'read', complete: true })
    expect(coverage('hub', 'Placement').state).toBe('not-recorded')
    expect(problems).toEqual([])
  })

  it('may be read from standard input, packed or not, and says what it took for granted', async () => {
    const text = listOf(app('argo', 'one'))
    const { sink, report, source } = await read('-', { stdin: Readable.from([text.slice(0, 9), text.slice(9)]) })
    expect(sink.names('hub')).toEqual(['Application argo/one'])
    expect(sink.objects[0]?.where).toBe('stdin')
    expect(source.name).toBe('standard input')
    expect(report.notes).toEqual(['standard input is taken for the hub, though it holds no ManagedClusters'])
  })

  it('may be JSON lines, JSON values in a row, and arrays', async () => {
    const objects = ['one', 'two', 'three'].map(name =>
      JSON.stringify(app('a}"{', name, { spec: { text: '\\"}\n{' } })),
    )
    for (const text of [objects.join('\n'), objects.join(''), `[${objects.join()}]`, `${objects.join('\n\n')}\n`]) {
      const { sink, problems } = await read(tempFile('apps.json', text))
      expect(sink.names('hub')).toEqual(['Application a}"{/one', 'Application a}"{/three', 'Application a}"{/two'])
      expect(problems).toEqual([])
    }
  })

  it('may lie in folders, which are clusters when one is called hub', async () => {
    const files = {
      'dump/hub/a/apps.json': listOf(app('argo', 'one')),
      'dump/bm/apps.json': listOf(app('argo', 'one')),
      'dump/README.yaml': 'just: text\n',
    }
    const { sink, report, problems } = await read(tempFolder(files))
    expect(report.clusters.map(c => [c.name, c.role])).toEqual([
      ['hub', 'hub'],
      ['bm', 'spoke'],
    ])
    expect(sink.names('bm')).toEqual(['Application argo/one'])
    expect(problems).toEqual([])
  })

  it('are clusters when one is called hub and holds ManagedClusters with the names of the others', async () => {
    const files = {
      'hub.json': listOf(managedCluster('bm'), app('argo', 'one')),
      'bm.json': listOf(app('argo', 'one')),
      'secrets.json': listOf({ apiVersion: 'v1', kind: 'Secret', metadata: { namespace: 'argo', name: 's' } }),
    }
    const { sink, report, problems } = await read(tempFolder(files))
    expect(report.clusters.map(c => [c.name, c.role])).toEqual([
      ['hub', 'hub'],
      ['bm', 'spoke'],
    ])
    expect(sink.names('hub').sort()).toEqual(['Application argo/one', 'ManagedCluster bm', 'Secret argo/s'])
    expect(sink.names('bm')).toEqual(['Application argo/one'])
    expect(problems).toEqual([])
    // A name alone makes no cluster.
    const other = await read(tempFolder({ ...files, 'hub.json': listOf(managedCluster('sno')) }))
    expect(other.report.clusters.map(c => c.name)).toEqual(['hub'])
  })

  it('are a spoke where a folder has the name of a ManagedCluster', async () => {
    const files = { 'x/clusters.json': listOf(managedCluster('bm')), 'bm/apps.json': listOf(app('argo', 'one')) }
    const { sink, report } = await read(tempFolder(files))
    expect(sink.names('hub')).toEqual(['ManagedCluster bm'])
    expect(sink.names('bm')).toEqual(['Application argo/one'])
    expect(report.notes).toEqual(['x is taken for the hub: it holds the ManagedClusters'])
    const beside = { 'clusters.json': listOf(managedCluster('bm')), 'bm/a.json': listOf(app('argo', 'one')) }
    const second = await read(tempFolder({ ...beside, 'apps/b.json': listOf(app('argo', 'two')) }))
    expect(second.sink.names('hub')).toEqual(['Application argo/two', 'ManagedCluster bm'])
    expect(second.sink.names('bm')).toEqual(['Application argo/one'])
  })

  it('are one cluster when the folders only sort them', async () => {
    const files = { 'clusters/c.json': listOf(managedCluster('bm')), 'apps/a.json': listOf(app('argo', 'one')) }
    const { report, sink } = await read(tempFolder(files))
    expect(report.clusters.map(c => c.name)).toEqual(['hub'])
    expect(sink.names('hub')).toHaveLength(2)
  })

  it('need --hub when nothing tells what the folders are', async () => {
    const folder = tempFolder({ 'one/a.json': listOf(app('x', 'a')), 'two/a.json': listOf(app('x', 'a')) })
    await expect(read(folder)).rejects.toThrow(/cannot tell which of the folders .* \(one, two\).* --hub DIR/)
    expect((await read(folder, { hub: 'one' })).report.clusters.map(c => c.name)).toEqual(['hub', 'two'])
    expect((await read(folder, { hub: '.' })).report.clusters.map(c => c.name)).toEqual(['hub'])
    await expect(read(folder, { hub: 'three' })).rejects.toThrow(/--hub three is no folder with files/)
    const both = tempFolder({ 'one/a.json': listOf(managedCluster('a')), 'two/a.json': listOf(managedCluster('b')) })
    await expect(read(both)).rejects.toThrow(/several of them hold ManagedClusters; name it with --hub/)
    const taken = tempFolder({ 'hub/a.json': listOf(app('x', 'a')), 'two/a.json': listOf(app('x', 'a')) })
    await expect(read(taken, { hub: 'two' })).rejects.toThrow(/hub is called hub: no spoke can have that name/)
  })

  it('beside the cluster folders belong to nobody, and say so', async () => {
    const files = {
      'hub/a.json': listOf(app('x', 'a')),
      'bm/a.json': listOf(app('x', 'a')),
      'z.json': listOf(app('x', 'b')),
    }
    const { coverage, problems, sink } = await read(tempFolder(files))
    expect(problems).toEqual(["z.json it holds objects but lies in no cluster's folder: not read"])
    expect(coverage('bm', 'Application')).toMatchObject({ state: 'read', complete: false })
    expect(sink.objects).toHaveLength(2)
  })

  it('come in the same order on every run: hub first, then by path', async () => {
    const files = Object.fromEntries(
      ['hub/z', 'hub/b/1', 'hub/a', 'alpha/2', 'alpha/1'].map(p => [`${p}.json`, listOf(app('x', p))]),
    )
    const { sink } = await read(tempFolder(files))
    expect(sink.objects.map(o => o.where)).toEqual([
      'hub/a.json',
      'hub/b/1.json',
      'hub/z.json',
      'alpha/1.json',
      'alpha/2.json',
    ])
  })

  it('hand on raw values as they are', async () => {
    const name = 'evil\u001b[31m\u202ename'
    const odd = app('x', name, { status: ['not', 'an', 'object'], metadata: { namespace: 'x', name, labels: 7 } })
    const { sink, problems } = await read(tempFile('a.json', listOf(odd)))
    expect(sink.objects[0]?.raw).toEqual(odd)
    expect(problems).toEqual([])
  })
})
