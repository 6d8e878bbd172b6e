import { statSync } from 'node:fs'
import { SourceError } from '../errors.ts'
import { type ByteSource, drain, fileBytes, memoryBytes } from './byte-source.ts'
import { openFolder, readFile } from './folder-tree.ts'
import { gunzip } from './gunzip.ts'
import { type Limits, Meter, sizeText } from './limits.ts'
import { printable } from './printable.ts'
import { singleFile } from './single-tree.ts'
import { SNIFF_BYTES, sniff } from './sniff.ts'
import { reasonOf } from './system-error.ts'
import { damage } from './tar-reader.ts'
import { baseOf, type FileTree } from './tree.ts'

/**
 * The files behind a path: a folder, an archive, one file, a pipe, or standard input (`-`). What a file is, its first
 * bytes tell, not its name.
 *
 * @throws SourceError when there is nothing to read.
 */
export async function openTree(
  path: string,
  input: NodeJS.ReadableStream | undefined,
  limits: Limits,
): Promise<FileTree> {
  if (path === '-') {
    // Not a default value: the mere mention of the process's input opens it.
    const stdin = input ?? process.stdin
    if ('isTTY' in stdin && stdin.isTTY === true)
      throw new SourceError('nothing is piped into standard input: use `kubectl get … -o yaml | fleetctl … --from -`')
    return openBytes(memoryBytes(await drain(stdin, 'standard input', limits), 'standard input'), 'stdin', limits)
  }
  const name = printable(path)
  if (path === '') throw new SourceError('the path to read from is empty')
  try {
    const stat = statSync(path)
    if (stat.isDirectory()) return await openFolder(path, limits)
    if (stat.isFile()) return await openBytes(fileBytes(path, name), baseOf(path.replaceAll('\\', '/')), limits)
  } catch (error) {
    if (error instanceof SourceError) throw error
    throw new SourceError(`cannot read ${name}: ${reasonOf(error)}`)
  }
  // A pipe, as `<(kubectl get …)` makes one: it can be read only once.
  const { createReadStream } = await import('node:fs')
  return openBytes(memoryBytes(await drain(createReadStream(path), name, limits), name), baseOf(path), limits)
}

async function openBytes(source: ByteSource, file: string, limits: Limits): Promise<FileTree> {
  const format = sniff(await source.head(SNIFF_BYTES))
  if (typeof format === 'object')
    throw new SourceError(
      `${source.name} is packed with ${format.unsupported}, which fleetctl cannot unpack: unpack it first`,
    )
  if (format === 'zip') return (await import('./zip-tree.ts')).openZip(source, limits)
  if (format === 'tar') return (await import('./tar-tree.ts')).openTar(source, false, limits)
  if (format === 'gzip') return openGzip(source, file, limits)
  const { path, bytes } = source
  if (path === undefined) return singleFile(file, () => ({ bytes }))
  return singleFile(file, () => readFile(path, limits, new Meter(source.name, limits)))
}

/** Thrown to stop unpacking once the first bytes are known. */
const ENOUGH = Symbol('enough')

/**
 * Unpacks from the beginning, as far as `take` wants.
 *
 * @param take gets the size so far; what it throws ends the unpacking
 */
async function unpack(
  source: ByteSource,
  take: (size: number, piece: number) => void,
  packed: (bytes: number) => void = () => undefined,
): Promise<{ readonly bytes: Buffer; readonly error?: unknown }> {
  const parts: Buffer[] = []
  let size = 0
  try {
    await gunzip(
      source.chunks(),
      piece => {
        parts.push(piece)
        size += piece.length
        take(size, piece.length)
      },
      bytes => {
        packed(bytes)
        return undefined
      },
    )
  } catch (error) {
    return { bytes: Buffer.concat(parts), error }
  }
  return { bytes: Buffer.concat(parts) }
}

async function openGzip(source: ByteSource, file: string, limits: Limits): Promise<FileTree> {
  const { bytes, error } = await unpack(source, size => {
    if (size >= SNIFF_BYTES) throw ENOUGH
  })
  if (error !== undefined && error !== ENOUGH && bytes.length === 0)
    throw new SourceError(`cannot unpack ${source.name}: ${damage(error) ?? reasonOf(error)}`)
  const format = sniff(bytes)
  if (format === 'tar') return (await import('./tar-tree.ts')).openTar(source, true, limits)
  if (format !== 'text') throw new SourceError(`${source.name} is an archive inside gzip: unpack it first`)
  return openGzippedFile(source, file.replace(/\.gz$/i, ''), limits)
}

async function openGzippedFile(source: ByteSource, file: string, limits: Limits): Promise<FileTree> {
  const meter = new Meter(source.name, limits)
  const { bytes, error } = await unpack(
    source,
    (size, piece) => {
      meter.unpacked(piece)
      if (size > limits.fileBytes)
        throw new SourceError(
          `${source.name} unpacks to more than ${sizeText(limits.fileBytes)}, the most that fleetctl reads of one file`,
        )
    },
    packed => meter.packed(packed),
  )
  const cutOff = error === undefined ? undefined : damage(error)
  if (error !== undefined && cutOff === undefined) throw error
  return singleFile(file, () => ({ bytes }), cutOff)
}
