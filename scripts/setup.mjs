// Makes a clone ready to run: installs the packages when they are missing or older than package-lock.json; with --build also
// builds dist/ when it is older than what it is made of. Uses nothing but Node itself.
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const at = (...parts) => join(root, ...parts)
const modified = path => (existsSync(path) ? statSync(path).mtimeMs : 0)

function newest(path) {
  const files = readdirSync(path, { recursive: true, withFileTypes: true }).filter(entry => entry.isFile())
  return Math.max(0, ...files.map(entry => statSync(join(entry.parentPath, entry.name)).mtimeMs))
}

/** Ends this script with the other's exit code when that fails; its output goes to stderr, where `npm start` has no result. */
function run(what, command, args) {
  process.stderr.write(`${what} ...\n`)
  const windows = process.platform === 'win32'
  const { status, error } = spawnSync(command, args, { cwd: root, stdio: ['ignore', 2, 2], shell: windows })
  if (status === 0) return
  process.stderr.write(`error: ${command} ${args.join(' ')} failed${error === undefined ? '' : `: ${error.message}`}\n`)
  process.exit(status ?? 1)
}

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
if (major < 20 || (major === 20 && minor < 19)) {
  process.stderr.write(`error: fleetctl needs Node.js 20.19 or newer, this is ${process.versions.node}\n`)
  process.exit(1)
}

// npm writes this file last, so a broken installation is not taken for a whole one.
const installed = at('node_modules', '.package-lock.json')
if (modified(installed) < modified(at('package-lock.json'))) run('installing packages', 'npm', ['ci'])

if (process.argv.includes('--build')) {
  const sources = Math.max(newest(at('src')), modified(at('scripts', 'build.mjs')), modified(at('package.json')))
  // The metafile is written last.
  if (modified(at('dist', 'metafile.json')) < sources) run('building', process.execPath, [at('scripts', 'build.mjs')])
}
