import { readFileSync } from 'node:fs'
import https from 'node:https'
import { createGunzip } from 'node:zlib'
import { projectObject } from '../src/fleet/project/index.ts'
import { Connection } from '../src/kube/connection.ts'
import { loadKubeconfig } from '../src/kube/kubeconfig.ts'
import { listPages } from '../src/kube/list.ts'
import type { Resource } from '../src/kube/resource.ts'
import { resolveTarget } from '../src/kube/target.ts'
import { textAt } from '../src/raw.ts'

/**
 * One measurement in a process of its own: `floor` downloads the pages one after the other and parses them, no more;
 * `read` is what fleetctl does, with a small projection; `records` keeps the records that doctor works on.
 */
const [mode = '', kubeconfig = '', ca = '', token = ''] = process.argv.slice(2)
const APPLICATIONS: Resource = {
  group: 'argoproj.io',
  version: 'v1alpha1',
  plural: 'applications',
  kind: 'Application',
  namespaced: true,
}

const place = { env: { KUBECONFIG: kubeconfig }, home: '/' }
const target = resolveTarget(loadKubeconfig(place), {}, place)
const started = process.hrtime.bigint()
const count = mode === 'floor' ? await floor() : await read()
const ms = Number(process.hrtime.bigint() - started) / 1e6
const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage()
process.stdout.write(JSON.stringify({ count, ms, cpuMs: (userCPUTime + systemCPUTime) / 1000, peakMiB: maxRSS / 1024 }))

async function read(): Promise<number> {
  const connection = new Connection(target)
  const project =
    mode === 'records'
      ? (raw: unknown): unknown => projectObject('Application', 'hub', raw, [])
      : (raw: unknown): unknown => ({
          name: textAt(raw, 'metadata', 'name'),
          namespace: textAt(raw, 'metadata', 'namespace'),
          sync: textAt(raw, 'status', 'sync', 'status'),
          health: textAt(raw, 'status', 'health', 'status'),
          server: textAt(raw, 'spec', 'destination', 'server'),
        })
  const kept: unknown[] = []
  for await (const page of listPages(connection, APPLICATIONS, {}, project)) kept.push(...page.items)
  connection.close()
  return kept.length
}

async function floor(): Promise<number> {
  const agent = new https.Agent({ keepAlive: true, ca: readFileSync(ca) })
  let count = 0
  for (let next: string | undefined = ''; next !== undefined; ) {
    const body = await download(agent, next)
    const page = JSON.parse(body.toString('utf8'))
    count += page.items.length
    next = page.metadata.continue || undefined
  }
  agent.destroy()
  return count
}

function download(agent: https.Agent, token_: string): Promise<Buffer> {
  const query = `?limit=500${token_ === '' ? '' : `&continue=${encodeURIComponent(token_)}`}`
  const url = `${target.cluster.server}/apis/argoproj.io/v1alpha1/applications${query}`
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
