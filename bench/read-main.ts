import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { parse } from 'yaml'
import { isObject, list, valueAt } from '../src/raw.ts'
import { ADMIN_TOKEN, type ApiServer, startApiServers } from '../test/support/apiserver.ts'
import { recordedFleet } from '../test/support/fleets.ts'
import { loadCluster } from '../test/support/load-fleet.ts'
import { pki } from '../test/support/pki.ts'
import { applications } from './fixtures.ts'

const APPLICATIONS = Number(process.env.BENCH_APPLICATIONS ?? 50_000)
const RUNS = Number(process.env.BENCH_RUNS ?? 5)
const BYTES = 4_096
/** What the reading may cost, and the memory of the whole process. */
const MOST_RATIO = 1.15
const MOST_MIB = 256

interface Measurement {
  readonly count: number
  readonly ms: number
  readonly cpuMs: number
  readonly peakMiB: number
}

export async function main(child: string): Promise<void> {
  const servers = await startApiServers({ clusters: ['hub'] })
  try {
    const hub = servers.server('hub')
    await loadCluster(hub, join(recordedFleet('pull-healthy'), 'hub'))
    await seed(hub)
    const modes = ['floor', 'read', 'records']
    const results = new Map<string, Measurement[]>(modes.map(mode => [mode, []]))
    // In turn, so that whatever else the machine does hits all alike. The first round warms the server and is dropped.
    for (let run = 0; run <= RUNS; run++) {
      for (const mode of modes) {
        const args = [child, mode, hub.kubeconfig, pki('ca.crt'), ADMIN_TOKEN]
        const { stdout } = await promisify(execFile)(process.execPath, args)
        if (run > 0) results.get(mode)?.push(JSON.parse(stdout))
      }
    }
    report(results)
  } finally {
    await servers.stop()
  }
}

async function seed(hub: ApiServer): Promise<void> {
  const file = join(recordedFleet('pull-healthy'), 'hub', 'applications.argoproj.io.yaml')
  const [template] = list(valueAt(parse(readFileSync(file, 'utf8')), 'items'))
  if (!isObject(template)) throw new Error('the recording holds no Application')
  const entries = [...applications(template, APPLICATIONS, BYTES)]
  await hub.etcd.put(entries.map(({ key, object }) => [`${hub.prefix}/${key}`, object] as const))
  for (;;) {
    const page = await hub.request('GET', '/apis/argoproj.io/v1alpha1/applications?limit=1')
    if (Number(valueAt(page, 'metadata', 'remainingItemCount')) >= APPLICATIONS) return
    await new Promise(resolve => setTimeout(resolve, 500))
  }
}

const median = (numbers: readonly number[]): number => [...numbers].sort((a, b) => a - b)[numbers.length >> 1] ?? 0

/** Median over the rounds: what else the machine did in a round hit both. */
function ratio(results: ReadonlyMap<string, readonly Measurement[]>, mode: string, key: 'ms' | 'cpuMs'): number {
  const floor = results.get('floor') ?? []
  return median((results.get(mode) ?? []).map((m, i) => m[key] / (floor[i]?.[key] ?? Number.NaN)))
}

function report(results: ReadonlyMap<string, readonly Measurement[]>): void {
  const of = (mode: string, key: keyof Measurement): number => median((results.get(mode) ?? []).map(m => m[key]))
  const row = (...cells: readonly string[]): void =>
    console.log(cells.map((c, i) => (i === 0 ? c.padEnd(44) : c.padStart(12))).join(''))
  console.log(
    `${of('floor', 'count')} Applications of ${BYTES} bytes from kube-apiserver on loopback, ${RUNS} runs, medians`,
  )
  row('', 'seconds', 'to floor', 'CPU s', 'to floor', 'peak MiB')
  const names = {
    floor: 'floor: download + JSON.parse, all dropped',
    read: 'fleetctl: read and project',
    records: 'fleetctl: read into records of the model',
  }
  for (const [mode, name] of Object.entries(names)) {
    row(
      name,
      (of(mode, 'ms') / 1000).toFixed(2),
      ratio(results, mode, 'ms').toFixed(2),
      (of(mode, 'cpuMs') / 1000).toFixed(2),
      ratio(results, mode, 'cpuMs').toFixed(2),
      of(mode, 'peakMiB').toFixed(0),
    )
  }
  const isFast = ratio(results, 'read', 'ms') <= MOST_RATIO
  const isSmall = of('read', 'peakMiB') < MOST_MIB
  const isWhole = of('read', 'count') === of('floor', 'count')
  console.log(
    `at most ${MOST_RATIO}x: ${isFast ? 'yes' : 'NO'}; under ${MOST_MIB} MiB: ${isSmall ? 'yes' : 'NO'}; same objects: ${isWhole ? 'yes' : 'NO'}`,
  )
  if (!isFast || !isSmall || !isWhole) process.exitCode = 1
}
