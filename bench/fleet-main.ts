import { execFile, spawn, spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { listAt, textAt, valueAt } from '../src/raw.ts'
import { ADMIN_TOKEN, type ApiServer, type ApiServers, startApiServers } from '../test/support/apiserver.ts'
import { FLEETS, recordedFleet } from '../test/support/fleets.ts'
import { entriesOf, loadCluster, unload } from '../test/support/load-fleet.ts'
import { pki } from '../test/support/pki.ts'

const CLUSTERS = Number(process.env.BENCH_CLUSTERS ?? 5_000)
const APPLICATIONS = Number(process.env.BENCH_APPLICATIONS ?? 50_000)
/** Workloads that are pulled: each makes a ManifestWork per cluster. */
const PULLED = 2
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 3)
/** Writers to etcd at once. */
const WRITERS = 4
const MOST_RATIO = 1.5
const MOST_MIB = 400

const root = join(dirname(FLEETS), '..')

/** Tells peak memory and CPU time at the end of whatever runs. */
const PROBE = `
  import { writeFileSync } from 'node:fs'
  process.on('exit', () => {
    const { maxRSS, userCPUTime, systemCPUTime } = process.resourceUsage()
    writeFileSync(process.env.BENCH_OUT, JSON.stringify({ mib: maxRSS / 1024, cpu: (userCPUTime + systemCPUTime) / 1e6 }))
  })
`

interface Usage {
  readonly wall: number
  readonly mib: number
  readonly cpu: number
  readonly stdout: string
}

interface Pair {
  readonly floor: Usage
  readonly own: Usage
}

export async function main(child: string, scratch: string): Promise<void> {
  const servers = await startApiServers({ clusters: ['hub'] })
  try {
    const hub = servers.server('hub')
    await seed(hub, scratch)
    const doctor = [join(root, 'bin/fleetctl.js'), 'doctor', '--kubeconfig', hub.kubeconfig, '-o', 'json']
    const run = runner(scratch)
    // The first run fills the caches of the API server; what it asks for is what reading alone has to read.
    let mark = await hub.mark()
    let first = await run(doctor)
    // A server that still takes in what was written below it answers 504; a doctor that sees less would be flattered.
    for (let tries = 0; tries < 5 && unknownIn(first.stdout) > 0; tries++) {
      mark = await hub.mark()
      first = await run(doctor)
    }
    console.log(summary(first.stdout))
    const lists = join(scratch, 'lists.json')
    // Of definitions the doctor reads metadata only, so whole ones would flatter it.
    const isWhole = (resource: string): boolean => resource !== 'customresourcedefinitions'
    const asked = (await hub.audit(mark)).filter(
      e => e.verb === 'list' && !e.uri.includes('continue=') && isWhole(e.resource),
    )
    writeFileSync(lists, JSON.stringify(asked.map(e => e.uri)))
    const floor = [child, hub.url, pki('ca.crt'), ADMIN_TOKEN, lists]
    const pairs: Pair[] = []
    for (let round = 0; round < ROUNDS; round++) pairs.push({ floor: await run(floor), own: await run(doctor) })
    const kept = report(pairs)
    if (process.env.BENCH_KUBECTL !== '0') await besideKubectl(servers)
    process.exitCode = kept ? 0 : 1
  } finally {
    await servers.stop()
  }
}

/** Fills the hub: definitions of a recorded hub, objects of a synthetic one, written below the API server. */
async function seed(hub: ApiServer, scratch: string): Promise<void> {
  const fleet = join(scratch, 'fleet')
  const script = join(root, 'scripts/synthetic-fleet.mjs')
  const args = [script, CLUSTERS, APPLICATIONS, fleet, '--pulled', PULLED, '--compact'].map(String)
  const { status, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' })
  if (status !== 0) throw new Error(`the fleet could not be made: ${stderr}`)
  await loadCluster(hub, join(recordedFleet('mixed-healthy'), 'hub'))
  await unload(hub)
  let count = 0
  const index: unknown = JSON.parse(readFileSync(join(fleet, 'hub/index.json'), 'utf8'))
  const later = shifted(Date.now() - Date.parse(textAt(index, 'recordedAt')))
  for (const resource of listAt(index, 'resources')) {
    const file = textAt(resource, 'file')
    if (file === '') continue
    const entries = entriesOf(hub, resource, () => JSON.parse(later(readFileSync(join(fleet, 'hub', file), 'utf8'))))
    const part = Math.ceil(entries.length / WRITERS)
    // etcd takes 2 MiB in one request, base64 and all.
    const largest = Math.max(...entries.map(([, object]) => JSON.stringify(object).length))
    const batch = Math.max(1, Math.min(100, Math.floor(1_000_000 / largest)))
    await Promise.all(
      Array.from({ length: WRITERS }, (_, i) => hub.etcd.put(entries.slice(i * part, (i + 1) * part), batch)),
    )
    count += entries.length
  }
  console.log(
    `${count} objects on the hub: ${CLUSTERS} clusters, ${APPLICATIONS} Applications, ${CLUSTERS * PULLED} ManifestWorks`,
  )
  for (;;) {
    const page = await hub.request('GET', '/apis/argoproj.io/v1alpha1/applications?limit=1').catch(() => undefined)
    if (Number(valueAt(page, 'metadata', 'remainingItemCount')) >= APPLICATIONS - 1) return
    await new Promise(resolve => setTimeout(resolve, 500))
  }
}

/** Moves all times in a text, so that the fleet is as old as when it was recorded. */
function shifted(ms: number): (json: string) => string {
  const known = new Map<string, string>()
  return json =>
    json.replaceAll(/"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z"/g, quoted => {
      const done = known.get(quoted)
      if (done !== undefined) return done
      const at = new Date(Date.parse(quoted.slice(1, -1)) + ms).toISOString()
      const moved = `"${quoted.includes('.') ? at.replace('Z', '000Z') : at.replace(/\.\d+/, '')}"`
      known.set(quoted, moved)
      return moved
    })
}

/** Runs node on these arguments. Connections of this process go on being looked after meanwhile. */
function runner(scratch: string): (args: readonly string[]) => Promise<Usage> {
  const out = join(scratch, 'usage.json')
  const probe = `data:text/javascript,${encodeURIComponent(PROBE)}`
  return args =>
    new Promise((resolve, reject) => {
      const started = process.hrtime.bigint()
      const env = { ...process.env, BENCH_OUT: out }
      const child = spawn(process.execPath, ['--import', probe, ...args], { env, stdio: ['ignore', 'pipe', 'inherit'] })
      const chunks: Buffer[] = []
      child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk))
      child.on('error', reject)
      child.on('close', status => {
        const wall = Number(process.hrtime.bigint() - started) / 1e9
        if (status !== 0 && status !== 1 && status !== 3) reject(new Error(`${args[0]} ended with ${status}`))
        else resolve({ wall, stdout: Buffer.concat(chunks).toString('utf8'), ...JSON.parse(readFileSync(out, 'utf8')) })
      })
    })
}

const unknownIn = (stdout: string): number => JSON.parse(stdout).summary.unknown

function summary(stdout: string): string {
  const { errors, warnings, unknown, passed } = JSON.parse(stdout).summary
  return `doctor: ${errors} errors, ${warnings} warnings, ${passed} passed, ${unknown} unknown`
}

const median = (numbers: readonly number[]): number => [...numbers].sort((a, b) => a - b)[numbers.length >> 1] ?? 0

function report(pairs: readonly Pair[]): boolean {
  const of = (pick: (pair: Pair) => number): number => median(pairs.map(pick))
  const ratio = of(p => p.own.wall / p.floor.wall)
  const mib = of(p => p.own.mib)
  console.log(
    `reading alone: ${of(p => p.floor.wall).toFixed(2)} s for ${pairs[0]?.floor.stdout} objects, peak ${of(p => p.floor.mib).toFixed(0)} MiB\n` +
      `doctor:        ${of(p => p.own.wall).toFixed(2)} s, ${ratio.toFixed(2)}x (CPU ${of(p => p.own.cpu / p.floor.cpu).toFixed(2)}x), peak ${mib.toFixed(0)} MiB`,
  )
  const kept = ratio <= MOST_RATIO && mib < MOST_MIB
  console.log(`limits ${MOST_RATIO}x and ${MOST_MIB} MiB: ${kept ? 'kept' : 'exceeded'} (medians of ${ROUNDS})`)
  return kept
}

/** The same three kinds as kubectl prints them; its output is dropped. */
async function besideKubectl(servers: ApiServers): Promise<void> {
  for (const kind of ['managedclusters', 'manifestworks', 'applications.argoproj.io']) {
    const started = process.hrtime.bigint()
    const sh = `"${servers.kubectlBinary}" --kubeconfig "${servers.kubeconfig}" --context hub get ${kind} -A -o json > /dev/null`
    await promisify(execFile)('sh', ['-c', sh])
    console.log(`kubectl get ${kind} -A -o json: ${(Number(process.hrtime.bigint() - started) / 1e9).toFixed(2)} s`)
  }
}
