// `npm start`: the doctor on the example fleet, and a trace of its broken Application.
import { spawnSync } from 'node:child_process'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const FLEET = 'examples/article-lab'
const BROKEN = 'branding-bm'

/** Exit codes of a run that did its work: healthy, findings, not everything seen. */
const DONE = [0, 1, 3]

function fleetctl(...args) {
  console.log(`$ fleetctl ${args.join(' ')}\n`)
  const { status } = spawnSync(process.execPath, [join(root, 'bin', 'fleetctl.js'), ...args], {
    cwd: root,
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  if (!DONE.includes(status)) {
    console.error(`error: fleetctl ended with exit code ${status}`)
    process.exit(1)
  }
  return status
}

const doctor = fleetctl('doctor', '--from', FLEET)
console.log('')
const trace = fleetctl('trace', 'app', BROKEN, '--from', FLEET)
console.log(`
The doctor's exit code was ${doctor} and the trace's ${trace}, as a script would see them (1: something is broken, here on purpose).
Next: node bin/fleetctl.js --help`)
