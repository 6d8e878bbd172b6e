// Writes docs/checks/ and docs/not-covered.md from the checks, the recorded fleets and the table of known faults.
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { bundled } from './bundled.mjs'

const folder = join(dirname(fileURLToPath(import.meta.url)), '..', 'docs')
const { pages } = await bundled('test/checks/docs/pages.ts')
mkdirSync(join(folder, 'checks'), { recursive: true })
const written = await pages()
for (const [path, text] of written) writeFileSync(join(folder, path), text)
for (const name of readdirSync(join(folder, 'checks')))
  if (!written.has(`checks/${name}`)) rmSync(join(folder, 'checks', name))
console.log(`wrote ${written.size} pages below docs/`)
