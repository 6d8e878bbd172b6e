import { readFileSync } from 'node:fs'
import https from 'node:https'
import { createGunzip } from 'node:zlib'

/** Reading alone: downloads the lists named by path, page after page, parses them and drops them. */
const [server = '', ca = '', token = '', file = ''] = process.argv.slice(2)
const paths: readonly string[] = JSON.parse(readFileSync(file, 'utf8'))
const agent = new https.Agent({ keepAlive: true, ca: readFileSync(ca) })
let objects = 0
for (const path of paths) {
  for (let next: string | undefined = ''; next !== undefined; ) {
    const page = JSON.parse((await download(path, next)).toString('utf8'))
    objects += page.items?.length ?? 0
    next = page.metadata?.continue || undefined
  }
}
agent.destroy()
process.stdout.write(String(objects))

function download(path: string, next: string): Promise<Buffer> {
  const url = `${server}${path}${next === '' ? '' : `&continue=${encodeURIComponent(next)}`}`
  const headers = { Authorization: `Bearer ${token}`, 'Accept-Encoding': 'gzip', Accept: 'application/json' }
  return new Promise((resolve, reject) => {
    https
      .get(url, { agent, headers }, response => {
        const stream = response.headers['content-encoding'] === 'gzip' ? response.pipe(createGunzip()) : response
        const chunks: Buffer[] = []
        stream.on('data', (chunk: Buffer) => chunks.push(chunk))
        stream.on('error', reject)
        stream.on('end', () => resolve(Buffer.concat(chunks)))
      })
      .on('error', reject)
  })
}
