// `npm run bench:start`: what `fleetctl --version` and `--help` cost against an empty Node program, in CPU time (user and
// system). Every run of one is paired with a run of the other; the median of the ratios counts.
import { spawnSync } from 'node:child_process'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const program = join(root, 'bin', 'fleetctl.js')
const PAIRS = 21
/** Starts a sample: the clock of a single one is too coarse. */
const STARTS = 4
const LIMIT = 1.3

/** CPU seconds of one start; bash's `time` counts what its children used. */
function cpu(...args) {
  const script = `TIMEFORMAT='%3U %3S'; time for i in $(seq ${STARTS}); do "$@" >/dev/null; done`
  const { status, stderr } = spawnSync('bash', ['-c', script, 'bash', process.execPath, ...args], { encoding: 'utf8' })
  if (status !== 0) throw new Error(`${args.join(' ')} failed: ${stderr}`)
  const [user = 0, system = 0] = (stderr.trim().split('\n').at(-1) ?? '').split(' ').map(Number)
  return (user + system) / STARTS
}

function median(numbers) {
  const sorted = [...numbers].sort((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)]
}

let worst = 0
for (const flag of ['--version', '--help']) {
  const ratios = []
  const seconds = []
  for (let pair = 0; pair < PAIRS; pair++) {
    const base = cpu('-e', '0')
    const own = cpu(program, flag)
    ratios.push(own / base)
    seconds.push(own)
  }
  const ratio = median(ratios)
  worst = Math.max(worst, ratio)
  const ms = Math.round(median(seconds) * 1000)
  console.log(
    `fleetctl ${flag.padEnd(9)}  ${ratio.toFixed(2)}x the CPU of node -e 0  (${ms} ms, median of ${PAIRS} pairs)`,
  )
}
console.log(`limit ${LIMIT}x: ${worst <= LIMIT ? 'kept' : 'exceeded'}`)
process.exitCode = worst <= LIMIT ? 0 : 1
