import { createReadStream, createWriteStream, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { pack } from 'tar-stream'

/**
 * Packs a folder of cluster folders as a gzipped tar: in the order of names, all files with the same time and owner, so that
 * the same content is the same archive.
 *
 * @param prefix folder inside the archive
 */
export async function packFolder(folder: string, file: string, prefix: string, time: Date): Promise<void> {
  const tar = pack()
  const done = pipeline(tar, createGzip(), createWriteStream(file, { flags: 'wx', mode: 0o600 }))
  const fixed = { mtime: time, uid: 0, gid: 0 }
  const fill = async (): Promise<void> => {
    for (const cluster of readdirSync(folder).sort()) {
      for (const name of readdirSync(join(folder, cluster)).sort()) {
        const path = join(folder, cluster, name)
        const entry = tar.entry({
          ...fixed,
          name: `${prefix}/${cluster}/${name}`,
          size: statSync(path).size,
          mode: 0o600,
        })
        await pipeline(createReadStream(path), entry)
      }
    }
    tar.finalize()
  }
  const filled = fill().catch(error => {
    tar.destroy(error)
    throw error
  })
  await Promise.all([filled, done])
}
