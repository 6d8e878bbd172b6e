import { randomBytes } from 'node:crypto'
import { lstat, realpath, rename, rm, writeFile } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import type { OutputStream } from '../context.ts'
import { UsageError } from '../errors.ts'

/** Writes the result and waits until it is gone; whoever made the stream hears what goes wrong with it. */
export async function writeStream(stream: OutputStream, text: string): Promise<void> {
  if (text !== '') await new Promise<void>(done => stream.write(text, () => done()))
}

/**
 * Writes a file so that a reader sees the old or the new one and never half of it. What is no regular file (a device, a
 * named pipe) is written to as it is; a symbolic link keeps pointing where it did.
 *
 * @throws UsageError when the file cannot be written
 */
export async function writeFileAtomically(path: string, text: string, cwd: string): Promise<void> {
  try {
    const file = await target(resolve(cwd, path))
    if (!file.regular) return await writeFile(file.path, text)
    const temporary = join(dirname(file.path), `.${basename(file.path)}.${randomBytes(6).toString('hex')}.tmp`)
    try {
      await writeFile(temporary, text, { flag: 'wx' })
      await rename(temporary, file.path)
    } catch (error) {
      await rm(temporary, { force: true })
      throw error
    }
  } catch (cause) {
    throw new UsageError(`cannot write "${path}": ${reason(cause)}`, { cause })
  }
}

async function target(path: string): Promise<{ path: string; regular: boolean }> {
  const known = await lstat(path).catch(() => undefined)
  if (known === undefined) return { path, regular: true }
  if (!known.isSymbolicLink()) return { path, regular: known.isFile() }
  const real = await realpath(path)
  return { path: real, regular: (await lstat(real)).isFile() }
}

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'no such folder',
  ENOTDIR: 'a part of the path is no folder',
  EISDIR: 'it is a folder',
  EACCES: 'no right to write there',
  EPERM: 'no right to write there',
  EROFS: 'the file system is read-only',
  ENOSPC: 'no space left on the device',
}

function reason(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const code = 'code' in error && typeof error.code === 'string' ? error.code : ''
  return REASONS[code] ?? error.message
}
