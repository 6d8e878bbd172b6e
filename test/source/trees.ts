import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { crc32, deflateRawSync, gzipSync } from 'node:zlib'
import { pack } from 'tar-stream'
import { afterAll } from 'vitest'
import { KIND_NAMES, type KindName } from '../../src/fleet/kinds.ts'
import { type OpenPathOptions, openPath } from '../../src/source/open.ts'
import type { Coverage, FleetSource, SourceReport } from '../../src/source/source.ts'
import { CollectingSink } from '../support/sink.ts'

/** Files by path, as text or bytes. */
export type Files = Readonly<Record<string, string | Buffer>>

export const RECORDED = fileURLToPath(new URL('fixtures/recorded', import.meta.url))

const temporary: string[] = []

afterAll(() => {
  for (const folder of temporary) rmSync(folder, { recursive: true, force: true })
})

export function tempFolder(files: Files = {}): string {
  const folder = mkdtempSync(join(tmpdir(), 'fleetctl-source-'))
  temporary.push(folder)
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), content)
  }
  return folder
}

/** A single file in a folder of its own. */
export function tempFile(name: string, content: string | Buffer): string {
  return join(tempFolder({ [name]: content }), name)
}

/** All files of a folder, by path. */
export function filesOf(folder: string): Record<string, string> {
  const names = readdirSync(folder, { recursive: true, withFileTypes: true })
  const files = names.filter(entry => entry.isFile()).map(entry => join(entry.parentPath, entry.name))
  return Object.fromEntries(files.map(file => [file.slice(folder.length + 1), readFileSync(file, 'utf8')]))
}

export async function tar(files: Files, prefix = ''): Promise<Buffer> {
  const archive = pack()
  for (const [path, content] of Object.entries(files)) archive.entry({ name: prefix + path }, content)
  archive.finalize()
  const parts: Buffer[] = []
  for await (const part of archive) if (Buffer.isBuffer(part)) parts.push(part)
  return Buffer.concat(parts)
}

export async function tgz(files: Files, prefix = ''): Promise<Buffer> {
  return gzipSync(await tar(files, prefix))
}

/** A zip archive: local headers and data, central directory, end record (APPNOTE 4.3). */
export function zip(files: Files): Buffer {
  const locals: Buffer[] = []
  const central: Buffer[] = []
  let offset = 0
  for (const [path, content] of Object.entries(files)) {
    const name = Buffer.from(path)
    const bytes = Buffer.from(content)
    const packed = deflateRawSync(bytes)
    // From "version needed" up to the length of the extra field, the same in both headers.
    const common = Buffer.alloc(26)
    common.writeUInt16LE(20, 0)
    common.writeUInt16LE(0x0800, 2)
    common.writeUInt16LE(8, 4)
    common.writeUInt32LE(crc32(bytes), 10)
    common.writeUInt32LE(packed.length, 14)
    common.writeUInt32LE(bytes.length, 18)
    common.writeUInt16LE(name.length, 22)
    const local = Buffer.concat([Buffer.from('PK\x03\x04'), common, name, packed])
    const rest = Buffer.alloc(14)
    rest.writeUInt32LE(offset, 10)
    central.push(Buffer.concat([Buffer.from('PK\x01\x02\x14\x00', 'latin1'), common, rest, name]))
    locals.push(local)
    offset += local.length
  }
  const directory = Buffer.concat(central)
  const end = Buffer.alloc(22)
  end.write('PK\x05\x06', 'latin1')
  end.writeUInt16LE(central.length, 8)
  end.writeUInt16LE(central.length, 10)
  end.writeUInt32LE(directory.length, 12)
  end.writeUInt32LE(offset, 16)
  return Buffer.concat([...locals, directory, end])
}

export interface ReadResult {
  readonly source: FleetSource
  readonly sink: CollectingSink
  readonly report: SourceReport
  coverage(cluster: string, kind: KindName): Coverage
  /** `where[:line] message` of each problem. */
  readonly problems: readonly string[]
}

/** Opens and reads everything at a path. */
export async function read(
  path: string,
  options: OpenPathOptions = {},
  wanted: readonly KindName[] = KIND_NAMES,
): Promise<ReadResult> {
  const source = await openPath(path, options)
  const sink = new CollectingSink()
  const report = await source.read(new Set(wanted), sink)
  return {
    source,
    sink,
    report,
    coverage(cluster, kind) {
      const found = report.clusters.find(c => c.name === cluster)
      if (found === undefined) throw new Error(`no cluster ${cluster}`)
      return found.coverage.get(kind) ?? found.otherwise
    },
    problems: report.problems.map(p => `${p.where}${p.line === undefined ? '' : `:${p.line}`} ${p.message}`),
  }
}

export function app(namespace: string, name: string, more: object = {}): object {
  return { apiVersion: 'argoproj.io/v1alpha1', kind: 'Application', metadata: { namespace, name }, ...more }
}

export function managedCluster(name: string): object {
  return { apiVersion: 'cluster.open-cluster-management.io/v1', kind: 'ManagedCluster', metadata: { name } }
}

export function listOf(...items: unknown[]): string {
  return JSON.stringify({ apiVersion: 'v1', kind: 'List', items })
}
