// `npm run score [NAME...]`: the doctor, and the traces, on every recorded fleet, held against what is known to be wrong with it.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const setup = spawnSync(process.execPath, [join(root, 'scripts', 'setup.mjs')], { stdio: 'inherit' })
if (setup.status !== 0) process.exit(setup.status ?? 1)

const { judge, judgeTrace, KNOWN, readExpected, readRecorded, runDoctor, traceApp, FLEETS, FLEET_NAMES } =
  await engine()

const only = process.argv.slice(2)
const names = FLEET_NAMES.filter(name => only.length === 0 || only.some(part => name.includes(part)))
if (names.length === 0) {
  console.error(`error: no recorded fleet is called ${only.join(' or ')}`)
  process.exit(2)
}

/** Everything in one process, from the sources: a process for each of some 400 runs would take minutes. */
async function engine() {
  const { build } = await import('esbuild')
  const trace = existsSync(join(root, 'src/trace/run.ts'))
  const outfile = join(root, 'node_modules/.cache/fleetctl/score.mjs')
  mkdirSync(dirname(outfile), { recursive: true })
  await build({
    stdin: {
      resolveDir: root,
      contents: `
        export * from './test/support/expected.ts'
        export { FLEETS, FLEET_NAMES, readRecorded } from './test/support/fleets.ts'
        export { runDoctor } from './src/doctor.ts'
        ${trace ? "export { traceApp } from './src/trace/run.ts'" : 'export const traceApp = undefined'}`,
    },
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    packages: 'external',
    // Modules find the files beside them by their own place.
    define: { 'import.meta.url': JSON.stringify(pathToFileURL(join(root, 'test/support/fleets.ts')).href) },
    logLevel: 'warning',
  })
  return import(`${pathToFileURL(outfile).href}?${Date.now()}`)
}

async function traceNotes(fleet, expected) {
  const notes = []
  for (const want of expected.trace ?? []) {
    const slash = want.app.indexOf('/')
    const ref =
      slash < 0 ? { name: want.app } : { namespace: want.app.slice(0, slash), name: want.app.slice(slash + 1) }
    try {
      const { firstBroken } = await traceApp(fleet, ref, {})
      notes.push(judgeTrace(want, firstBroken))
    } catch (error) {
      notes.push(`trace ${want.app}: ${error.message}`)
    }
  }
  return notes
}

async function score(name) {
  const expected = readExpected(FLEETS, name)
  const fleet = await readRecorded(name)
  const report = await runDoctor(fleet)
  const verdict = judge(expected, report.findings)
  const traces = traceApp === undefined ? [] : await traceNotes(fleet, expected)
  const notes = [...verdict.notes, ...traces.filter(note => note !== undefined)]
  if (report.summary.unknown > 0) notes.push(`${report.summary.unknown} checks are unknown`)
  const known = KNOWN[name]
  return { name, verdict, traces, notes, known, wrong: known === undefined ? notes.length > 0 : notes.length === 0 }
}

const results = []
for (const name of names) results.push(await score(name))

const width = Math.max(...names.map(name => name.length))
const row = (name, roots, falseRoots, first, traces, verdict) =>
  console.log(
    [name.padEnd(width), roots.padStart(7), falseRoots.padStart(11), first.padStart(10), traces.padStart(12), verdict]
      .join('  ')
      .trimEnd(),
  )
const of = (part, whole) => (whole === 0 ? '-' : `${part}/${whole}`)
const right = traces => traces.filter(note => note === undefined).length
const yesNo = first => (first === undefined ? '-' : first ? 'yes' : 'NO')

row('FLEET', 'ROOTS', 'FALSE ROOTS', 'ROOT FIRST', 'TRACES RIGHT', '')
for (const { name, verdict: v, traces, notes, known, wrong } of results) {
  const mark = wrong ? 'WRONG' : known === undefined ? '' : 'known'
  row(name, of(v.rootsFound, v.roots), String(v.falseRoots), yesNo(v.rootFirst), of(right(traces), traces.length), mark)
  if (known !== undefined)
    console.log(`  known: ${known}${wrong ? ' (and yet all is right: take it off the list)' : ''}`)
  for (const note of notes) console.log(`  ${note}`)
}

const sum = pick => results.reduce((total, result) => total + pick(result), 0)
const firsts = results.filter(r => r.verdict.rootFirst !== undefined)
row(
  `TOTAL ${results.length}`,
  of(
    sum(r => r.verdict.rootsFound),
    sum(r => r.verdict.roots),
  ),
  String(sum(r => r.verdict.falseRoots)),
  of(firsts.filter(r => r.verdict.rootFirst).length, firsts.length),
  of(
    sum(r => right(r.traces)),
    sum(r => r.traces.length),
  ),
  '',
)
const wrong = results.filter(r => r.wrong)
const known = results.filter(r => r.known !== undefined && !r.wrong)
console.log(
  `\n${results.length - wrong.length - known.length} of ${results.length} fleets are right, ${known.length} known, ${wrong.length} wrong` +
    (traceApp === undefined ? '; traces were not scored' : ''),
)
process.exitCode = wrong.length > 0 ? 1 : 0
