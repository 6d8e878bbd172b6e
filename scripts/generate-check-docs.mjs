// Writes docs/checks/ and docs/not-covered.md from the checks, the recorded fleets and the table of known faults.
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { build } from 'esbuild'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
// Inside the project, so that packages are found.
const temporary = mkdtempSync(join(root, 'node_modules/.check-docs-'))
const bundle = join(temporary, 'pages.mjs')

// A file reads what lies beside it, wherever it is bundled to.
const urlOfSource = {
  name: 'url-of-source',
  setup({ onLoad }) {
    onLoad({ filter: /[\\/]test[\\/].*\.ts$/ }, ({ path }) => ({
      contents: readFileSync(path, 'utf8').replaceAll('import.meta.url', JSON.stringify(pathToFileURL(path).href)),
      loader: 'ts',
    }))
  },
}

await build({
  absWorkingDir: root,
  entryPoints: ['test/checks/docs/pages.ts'],
  outfile: bundle,
  bundle: true,
  format: 'esm',
  platform: 'node',
  target: 'node20.19',
  packages: 'external',
  logLevel: 'warning',
  plugins: [urlOfSource],
})

try {
  const { pages } = await import(pathToFileURL(bundle).href)
  const folder = join(root, 'docs')
  mkdirSync(join(folder, 'checks'), { recursive: true })
  const written = await pages()
  for (const [path, text] of written) writeFileSync(join(folder, path), text)
  for (const name of readdirSync(join(folder, 'checks')))
    if (!written.has(`checks/${name}`)) rmSync(join(folder, 'checks', name))
  console.log(`wrote ${written.size} pages below docs/`)
} finally {
  rmSync(temporary, { recursive: true, force: true })
}
