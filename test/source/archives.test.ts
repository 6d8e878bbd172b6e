import { Readable } from 'node:stream'
import { gzipSync } from 'node:zlib'
import { beforeAll, describe, expect, it } from 'vitest'
import {
  app,
  type Files,
  filesOf,
  listOf,
  RECORDED,
  type ReadResult,
  read,
  tar,
  tempFile,
  tempFolder,
  tgz,
  zip,
} from './trees.ts'

const MiB = 1024 * 1024

describe('an archive', () => {
  const files = filesOf(RECORDED)
  let folder: ReadResult

  beforeAll(async () => {
    folder = await read(RECORDED)
  })

  function sameAsFolder(result: ReadResult): void {
    expect(result.source.type).toBe('recording')
    expect(result.sink.objects.map(o => [o.cluster, o.kind, o.namespace, o.name])).toEqual(
      folder.sink.objects.map(o => [o.cluster, o.kind, o.namespace, o.name]),
    )
    expect(result.report.clusters).toEqual(folder.report.clusters)
    expect(result.problems).toEqual([])
  }

  it('gives what the folder gives: tar, gzipped tar, zip; whatever its name', async () => {
    sameAsFolder(await read(tempFile('fleet.tgz', await tgz(files))))
    sameAsFolder(await read(tempFile('fleet.yaml', await tgz(files, './fleet/'))))
    sameAsFolder(await read(tempFile('fleet.tgz', await tar(files))))
    sameAsFolder(await read(tempFile('fleet', zip(files))))
  })

  it('may come through standard input', async () => {
    for (const bytes of [await tgz(files, 'fleet/'), zip(files)])
      sameAsFolder(await read('-', { stdin: Readable.from([bytes.subarray(0, 100), bytes.subarray(100)]) }))
  })

  it('may be one gzipped file', async () => {
    const { sink } = await read(tempFile('apps.yaml.gz', gzipSync(listOf(app('argo', 'one')))))
    expect(sink.objects.map(o => [o.name, o.where])).toEqual([['one', 'apps.yaml']])
  })

  it('is streamed again when it is too large to hold', async () => {
    // More than is held in memory, once unpacked.
    const filler = Buffer.alloc(23 * MiB, 'a line that comes again and again\n').toString()
    const many: Record<string, string> = { 'hub/a.json': listOf(app('x', 'first')) }
    for (let i = 0; i < 3; i++) many[`hub/b${i}.yaml`] = `text: |\n  ${filler.replaceAll('\n', '\n  ')}\n`
    many['hub/c.json'] = listOf(app('x', 'last'))
    const { sink, problems } = await read(tempFile('big.tgz', await tgz(many)))
    expect(sink.names('hub')).toEqual(['Application x/first', 'Application x/last'])
    expect(problems).toEqual([])
  })

  it('counts the last of two entries with the same name', async () => {
    const twice = Buffer.concat([
      (await tar({ 'a.json': listOf(app('x', 'old')) })).subarray(0, 1024),
      await tar({ 'a.json': listOf(app('x', 'new')) }),
    ])
    expect((await read(tempFile('a.tar', twice))).sink.names('hub')).toEqual(['Application x/new'])
  })

  it('refuses names that lead out of it, and reads the rest', async () => {
    const bad: Files = {
      'ok/a.json': listOf(app('x', 'good')),
      '../../evil.json': listOf(app('x', 'evil')),
      '/etc/evil.json': listOf(app('x', 'evil')),
      'ok/../../\u001b[31mevil.json': listOf(app('x', 'evil')),
    }
    for (const bytes of [await tgz(bad), zip(bad)]) {
      const { sink, problems, coverage } = await read(tempFile('bad', bytes))
      expect(sink.names('hub')).toEqual(['Application x/good'])
      expect([...problems].sort()).toEqual([
        '../../evil.json its name leads out of the archive: not read',
        '/etc/evil.json its name leads out of the archive: not read',
        'ok/../../\\x1b[31mevil.json its name leads out of the archive: not read',
      ])
      expect(coverage('hub', 'Application')).toMatchObject({ state: 'read', complete: false })
    }
  })

  it('with links in it says that they are not read', async () => {
    const { pack } = await import('tar-stream')
    const archive = pack()
    archive.entry({ name: 'a.json' }, listOf(app('x', 'a')))
    archive.entry({ name: 'b.json', type: 'symlink', linkname: '/etc/passwd' })
    archive.finalize()
    const parts: Buffer[] = []
    for await (const part of archive) if (Buffer.isBuffer(part)) parts.push(part)
    const { problems, sink } = await read(tempFile('links.tar', Buffer.concat(parts)))
    expect(sink.objects).toHaveLength(1)
    expect(problems).toEqual(['b.json it is a link or a device: only plain files in archives are read'])
  })
})

describe('a broken archive', () => {
  const apps = Object.fromEntries(
    Array.from({ length: 40 }, (_, i) => [
      `dump/hub/${String(i).padStart(2, '0')}.json`,
      listOf(app('x', `app-${i}`, { spec: { seed: `${Math.sin(i)}`.repeat(40) } })),
    ]),
  )

  it('that is cut off gives what comes before, marked as incomplete, the same each time', async () => {
    const whole = await tgz(apps)
    const path = tempFile('cut.tgz', whole.subarray(0, whole.length / 2))
    const first = await read(path)
    expect(first.sink.objects.length).toBeGreaterThan(5)
    expect(first.sink.objects.length).toBeLessThan(40)
    expect(first.coverage('hub', 'Application')).toMatchObject({ state: 'read', complete: false })
    expect(first.coverage('hub', 'Placement').state).toBe('not-recorded')
    expect(first.problems.join('\n')).toMatch(/cut\.tgz it is cut off: what comes after is missing/)
    expect((await read(path)).sink.names('hub')).toEqual(first.sink.names('hub'))
  })

  it('that is cut off between two files is no whole one', async () => {
    const whole = await tar(apps)
    const cut = await read(tempFile('cut.tgz', gzipSync(whole).subarray(0, -4)))
    expect(cut.sink.objects).toHaveLength(40)
    expect(cut.coverage('hub', 'Application')).toMatchObject({ state: 'read', complete: false })
  })

  it('loses of a recorded fleet only the lists behind the cut', async () => {
    const files = filesOf(RECORDED)
    const order = [
      'hub/index.yaml',
      'hub/managedclusters.cluster.open-cluster-management.io.yaml',
      'hub/applications.argoproj.io.yaml',
    ]
    const bytes = await tar(Object.fromEntries(order.map(path => [path, files[path] ?? ''])))
    const { coverage } = await read(tempFile('cut.tar', bytes.subarray(0, bytes.length - 3000)))
    expect(coverage('hub', 'ManagedCluster')).toEqual({ state: 'read', complete: true })
    expect(coverage('hub', 'Application')).toMatchObject({ state: 'refused' })
    expect(coverage('hub', 'Placement')).toMatchObject({ state: 'refused' })
    expect(coverage('hub', 'GitOpsCluster')).toEqual({ state: 'not-served' })
  })

  it('without its hub is not taken for a hub', async () => {
    const files = Object.fromEntries(Object.entries(filesOf(RECORDED)).filter(([path]) => path.startsWith('bm/')))
    const bytes = await tar(files)
    await expect(read(tempFile('cut.tar', bytes.subarray(0, bytes.length - 3000)))).rejects.toThrow(
      /cannot be read to its end \(it is cut off\), and the hub is not in the part before/,
    )
  })

  it('of which nothing is left is an error', async () => {
    const bytes = await tgz(apps)
    await expect(read(tempFile('cut.tgz', bytes.subarray(0, 5)))).rejects.toThrow(
      /cannot unpack .*cut\.tgz: it is cut off/,
    )
    await expect(read(tempFile('cut.zip', zip(apps).subarray(0, 500)))).rejects.toThrow(/is cut off or no zip archive/)
    const damaged = Buffer.from(bytes)
    damaged.fill(0xff, 20, 60)
    await expect(read(tempFile('bad.tgz', damaged))).rejects.toThrow(/bad\.tgz/)
  })

  it('with a wrong checksum in a zip loses that file', async () => {
    const bytes = zip({ 'applications.argoproj.io.json': listOf(app('x', 'a')), 'b.json': listOf(app('x', 'b')) })
    // APPNOTE 4.3.12: the checksum stands 16 bytes behind the signature of the entry in the central directory.
    const crc = bytes.indexOf('PK\x01\x02') + 16
    bytes.writeUInt32LE(bytes.readUInt32LE(crc) ^ 1, crc)
    const { sink, problems, coverage } = await read(tempFile('a.zip', bytes))
    expect(sink.names('hub')).toEqual(['Application x/b'])
    expect(problems).toEqual(['applications.argoproj.io.json it is damaged in the archive'])
    expect(coverage('hub', 'Application')).toMatchObject({ state: 'read', complete: false })
  })

  it('of another format names the format', async () => {
    const xz = Buffer.from('fd377a585a000004e6d6b446', 'hex')
    await expect(read(tempFile('a.tgz', xz))).rejects.toThrow(
      /is packed with xz, which fleetctl cannot unpack: unpack it/,
    )
  })
})

describe('limits', () => {
  it('stop a bomb of gzip by its ratio, without unpacking it all', async () => {
    const bomb = gzipSync(Buffer.alloc(200 * MiB))
    await expect(read(tempFile('bomb.gz', bomb))).rejects.toThrow(
      /unpacks to more than 500 times its size, like a decompression bomb/,
    )
    const tarBomb = gzipSync(await tar({ 'a.json': Buffer.alloc(100 * MiB) }))
    await expect(read(tempFile('bomb.tgz', tarBomb))).rejects.toThrow(/like a decompression bomb/)
  })

  it('stop a bomb of zip, in one file or in many', async () => {
    await expect(read(tempFile('b.zip', zip({ 'a.json': Buffer.alloc(100 * MiB) })))).rejects.toThrow(
      /decompression bomb/,
    )
    const many = Object.fromEntries(Array.from({ length: 5 }, (_, i) => [`${i}.json`, Buffer.alloc(10 * MiB)]))
    await expect(read(tempFile('b.zip', zip(many)))).rejects.toThrow(/decompression bomb/)
  })

  it('stop at too many bytes and too many files', async () => {
    const files = { 'a.json': listOf(app('x', 'a')), 'b.json': listOf(app('x', 'b')), 'c.json': listOf(app('x', 'c')) }
    const paths = [tempFolder(files), tempFile('a.tgz', await tgz(files)), tempFile('a.zip', zip(files))]
    for (const path of paths) {
      await expect(read(path, { limits: { files: 2 } })).rejects.toThrow(
        /holds more than 2 files, the most that fleetctl reads/,
      )
      await expect(read(path, { limits: { totalBytes: 200 } })).rejects.toThrow(/holds more than 200 bytes/)
    }
  })

  it('leave out a single file that is too large, and say so', async () => {
    const files = {
      'applications.argoproj.io.json': listOf(app('x', 'a', { spec: 'y'.repeat(5000) })),
      'b.json': listOf(app('x', 'b')),
    }
    for (const path of [tempFolder(files), tempFile('a.tgz', await tgz(files)), tempFile('a.zip', zip(files))]) {
      const { sink, problems, coverage } = await read(path, { limits: { fileBytes: 4096 } })
      expect(sink.names('hub')).toEqual(['Application x/b'])
      expect(problems.join()).toMatch(
        /^applications\.argoproj\.io\.json it has 5 KiB, more than the 4 KiB that are read of one file$/,
      )
      expect(coverage('hub', 'Application')).toMatchObject({ state: 'read', complete: false })
      expect(coverage('hub', 'Secret').state).toBe('not-recorded')
    }
    await expect(read('-', { stdin: Readable.from(['x'.repeat(5000)]), limits: { fileBytes: 4096 } })).rejects.toThrow(
      /standard input gives more than 4 KiB/,
    )
  })

  it('stop folders that nest too deep', async () => {
    const folder = tempFolder({ [`${'d/'.repeat(9)}a.json`]: '{}' })
    await expect(read(folder, { limits: { depth: 8 } })).rejects.toThrow(/more than 8 folders inside each other/)
  })
})
