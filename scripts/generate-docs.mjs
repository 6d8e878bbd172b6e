// Fills in the outputs in README.md and docs/: the block behind `<!-- run: ARGS -->` is what `fleetctl ARGS` prints, with its
// exit code. `--check` only compares. Needs dist/.
import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const MARK = /<!-- run: (.*?) -->\n+```[a-z]*[\s\S]*?\n```$/gm

/** Splits arguments as a shell does, with single quotes. */
function split(text) {
  return [...text.matchAll(/'([^']*)'|(\S+)/g)].map(m => m[1] ?? m[2])
}

function output(args) {
  const env = { PATH: process.env.PATH, HOME: '/nonexistent', NO_COLOR: '1', LANG: 'C.UTF-8', TZ: 'UTC' }
  const run = spawnSync(process.execPath, [join(root, 'bin/fleetctl.js'), ...split(args)], {
    cwd: root,
    env,
    encoding: 'utf8',
  })
  // 6: a plan that is refused is shown all the same.
  if (![0, 1, 2, 3, 6].includes(run.status)) throw new Error(`fleetctl ${args} ended with ${run.status}: ${run.stderr}`)
  return `$ fleetctl ${args}\n${run.stdout.trimEnd()}\n$ echo $?\n${run.status}`
}

const pages = [
  'README.md',
  ...readdirSync(join(root, 'docs'))
    .filter(f => f.endsWith('.md'))
    .map(f => `docs/${f}`),
]
const stale = []
for (const page of pages) {
  const path = join(root, page)
  const old = readFileSync(path, 'utf8')
  const text = old.replace(MARK, (_, args) => `<!-- run: ${args} -->\n\`\`\`console\n${output(args)}\n\`\`\``)
  if (text === old) continue
  stale.push(page)
  if (!process.argv.includes('--check')) writeFileSync(path, text)
}
if (process.argv.includes('--check') && stale.length > 0) {
  console.error(`error: ${stale.join(', ')} not current (npm run generate)`)
  process.exit(1)
}
