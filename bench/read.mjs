// npm run bench:read: how near reading a big hub is to what downloading and parsing alone costs.
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { build } from 'esbuild'

const here = dirname(fileURLToPath(import.meta.url))
// Inside the project, so that packages are found from there.
const data = join(here, '..', 'bench-data')
mkdirSync(data, { recursive: true })
const out = mkdtempSync(join(data, 'read-'))
try {
  await build({
    entryPoints: ['read-main.ts', 'read-child.ts'].map(f => join(here, f)),
    outdir: out,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    platform: 'node',
    format: 'esm',
    packages: 'external',
    logLevel: 'warning',
    plugins: [keepPlace(here)],
  })
  const { main } = await import(pathToFileURL(join(out, 'read-main.mjs')).href)
  await main(join(out, 'read-child.mjs'))
} finally {
  rmSync(out, { recursive: true, force: true })
}

/** Test support finds its files beside itself; bundled, `import.meta.url` would point to the bundle. */
function keepPlace() {
  return {
    name: 'keep-place',
    setup(b) {
      b.onLoad({ filter: /test\/(support|apiserver)\/.*\.m?[jt]s$/ }, ({ path }) => {
        const contents = readFileSync(path, 'utf8').replaceAll(
          'import.meta.url',
          JSON.stringify(pathToFileURL(path).href),
        )
        return { contents, loader: path.endsWith('.ts') ? 'ts' : 'js' }
      })
    },
  }
}
