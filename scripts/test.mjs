// `npm test`: formatter and linter, types, build, tests. Arguments go to vitest. The last line counts steps and tests alike.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const tool = (name, file) => join(root, 'node_modules', name, file)
const scratch = mkdtempSync(join(tmpdir(), 'fleetctl-test-'))
const report = join(scratch, 'vitest.json')

let passed = 0
let failed = 0
let skipped = 0

function step(what, ...args) {
  console.log(`> ${what}`)
  const { status } = spawnSync(process.execPath, args, { cwd: root, stdio: ['ignore', 'inherit', 'inherit'] })
  if (status === 0) return true
  console.log(`> ${what}: failed`)
  return false
}

function gate(what, ...args) {
  if (step(what, ...args)) passed++
  else failed++
}

gate('biome check', tool('@biomejs/biome', 'bin/biome'), 'check', '.')
gate('tsc', tool('typescript', 'bin/tsc'), '--noEmit')
gate('build', join(root, 'scripts', 'build.mjs'))

const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`]
const ran = step('vitest', tool('vitest', 'vitest.mjs'), 'run', ...reporters, ...process.argv.slice(2))
try {
  const counts = JSON.parse(readFileSync(report, 'utf8'))
  passed += counts.numPassedTests
  failed += counts.numFailedTests
  skipped += counts.numPendingTests + counts.numTodoTests
  // A file that cannot be loaded has no tests to fail.
  if (!ran && counts.numFailedTests === 0) failed++
} catch {
  failed++
}
rmSync(scratch, { recursive: true, force: true })

console.log(`${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`)
process.exitCode = failed > 0 ? 1 : 0
