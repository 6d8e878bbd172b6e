// `npm run bench:doctor`: what the doctor costs on a fleet of 5,000 clusters and 50,000 Applications, against reading and
// parsing the same files alone, and whether cost grows in proportion to the fleet. Runs of both take turns; medians count.
// BENCH_ROUNDS is the number of pairs; the fleets take 2 GiB in bench-data/ while it runs.
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 5)
const RATIO_LIMIT = 1.5
const MEMORY_LIMIT = 400
/** What one more Application costs above 15,000 against below: more than noise is not linear. */
const GROWTH_LIMIT = 1.3

const FLOOR = `
  const { readdirSync, readFileSync } = require('node:fs')
  const folder = process.argv[1] + '/hub'
  for (const file of readdirSync(folder)) JSON.parse(readFileSync(folder + '/' + file, 'utf8'))
`
/** Tells peak memory and CPU time at the end of whatever runs. */
const PROBE = `
  import { writeFileSync } from 'node:fs'
  process.on('exit', () => {
    const { maxRSS, userCPUTime, systemCPUTime } = process.resourceUsage()
    writeFileSync(process.env.BENCH_OUT, JSON.stringify({ mib: maxRSS / 1024, cpu: (userCPUTime + systemCPUTime) / 1e6 }))
  })
`

const data = join(root, 'bench-data')
mkdirSync(data, { recursive: true })
const scratch = mkdtempSync(join(data, 'doctor-'))

function run(...args) {
  const out = join(scratch, 'usage.json')
  const probe = `data:text/javascript,${encodeURIComponent(PROBE)}`
  const started = process.hrtime.bigint()
  const { status, stderr } = spawnSync(process.execPath, ['--import', probe, ...args], {
    env: { ...process.env, BENCH_OUT: out },
    stdio: ['ignore', 'ignore', 'pipe'],
    encoding: 'utf8',
  })
  const wall = Number(process.hrtime.bigint() - started) / 1e9
  if (status !== 0 && status !== 3) throw new Error(`${args.join(' ').slice(0, 80)} ended with ${status}: ${stderr}`)
  return { wall, ...JSON.parse(readFileSync(out, 'utf8')) }
}

function median(numbers) {
  return [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)]
}

function fleet(clusters, applications, ...layout) {
  const folder = join(scratch, [clusters, ...layout].join(''))
  const script = join(root, 'scripts', 'synthetic-fleet.mjs')
  const { status, stderr } = spawnSync(
    process.execPath,
    [script, clusters, applications, folder, ...layout].map(String),
    {
      encoding: 'utf8',
    },
  )
  if (status !== 0) throw new Error(`the fleet could not be made: ${stderr}`)
  return folder
}

function measure(folder) {
  const samples = []
  for (let round = 0; round < ROUNDS; round++) {
    const floor = run('-e', FLOOR, folder)
    const own = run(join(root, 'bin', 'fleetctl.js'), 'doctor', '--from', folder, '--allow-incomplete', '-o', 'json')
    samples.push({ floor, own })
  }
  const of = pick => median(samples.map(pick))
  return {
    wall: of(s => s.own.wall / s.floor.wall),
    cpu: of(s => s.own.cpu / s.floor.cpu),
    seconds: of(s => s.own.wall),
    floorSeconds: of(s => s.floor.wall),
    cpuSeconds: of(s => s.own.cpu),
    mib: of(s => s.own.mib),
    over: of(s => s.own.mib - s.floor.mib),
  }
}

const micros = seconds => `${Math.round(seconds * 1e6)} µs`
const mib = n => `${Math.round(n)} MiB`

/** Measures a fleet, prints it, and removes it. */
function bench(clusters, applications, ...layout) {
  const folder = fleet(clusters, applications, ...layout)
  const m = measure(folder)
  rmSync(folder, { recursive: true })
  console.log(
    `${clusters} clusters, ${applications} Applications${layout.length > 0 ? ', without white space' : ''}\n` +
      `  ${m.seconds.toFixed(2)} s, reading and parsing ${m.floorSeconds.toFixed(2)} s: ${m.wall.toFixed(2)}x ` +
      `(CPU ${m.cpu.toFixed(2)}x, ${micros(m.cpuSeconds / applications)} for an Application)\n` +
      `  peak ${mib(m.mib)}, ${m.over < 0 ? mib(-m.over) : mib(m.over)} ${m.over < 0 ? 'less' : 'more'} than reading and parsing`,
  )
  return m
}

try {
  const small = bench(500, 5_000)
  const middle = bench(1_500, 15_000)
  const large = bench(5_000, 50_000)
  // As the API sends it, which nothing that is recorded with kubectl has: parsing takes less, and all else the same.
  bench(5_000, 50_000, '--compact')
  const below = (middle.cpuSeconds - small.cpuSeconds) / 10_000
  const above = (large.cpuSeconds - middle.cpuSeconds) / 35_000
  const growth = above / below
  console.log(
    `one more Application costs ${micros(below)} of CPU below 15,000 and ${micros(above)} above: ${growth.toFixed(2)} times`,
  )
  const kept = large.wall <= RATIO_LIMIT && large.over < MEMORY_LIMIT && growth <= GROWTH_LIMIT
  console.log(
    `limits ${RATIO_LIMIT}x, +${MEMORY_LIMIT} MiB and ${GROWTH_LIMIT} times: ${kept ? 'kept' : 'exceeded'} (medians of ${ROUNDS})`,
  )
  process.exitCode = kept ? 0 : 1
} finally {
  rmSync(scratch, { recursive: true, force: true })
}
