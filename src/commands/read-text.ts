import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { UsageError } from '../errors.ts'
import type { Call } from './call.ts'

/** No file of settings is near this. */
const MOST_BYTES = 16 * 1024 * 1024

/**
 * Content of a file that a flag names; `-` is stdin.
 *
 * @throws UsageError where it cannot be read
 */
export async function readText({ context }: Call, path: string, flag: string): Promise<string> {
  if (path === '') throw new UsageError(`${flag} needs a value`)
  if (path !== '-') {
    try {
      return await readFile(resolve(context.cwd, path), 'utf8')
    } catch (cause) {
      throw new UsageError(`cannot read "${path}" of ${flag}: no such file, or no right to read it`, { cause })
    }
  }
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of context.stdin) {
    const bytes = Buffer.from(chunk)
    size += bytes.length
    if (size > MOST_BYTES) throw new UsageError(`what ${flag} reads from stdin is larger than 16 MiB`)
    chunks.push(bytes)
  }
  return Buffer.concat(chunks).toString('utf8')
}
