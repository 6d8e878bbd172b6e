// Bundles a bench that is written in TypeScript and runs it.
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { build } from 'esbuild'

const here = dirname(fileURLToPath(import.meta.url))

/** Runs `main(child)` of the first file with the bundled second one, in a scratch folder inside the project. */
export async function runBench(main, child) {
  // Inside the project, so that packages are found from there.
  const data = join(here, '..', 'bench-data')
  mkdirSync(data, { recursive: true })
  const out = mkdtempSync(join(data, `${main}-`))
  try {
    await build({
      entryPoints: [main, child].map(name => join(here, `${name}.ts`)),
      outdir: out,
      outExtension: { '.js': '.mjs' },
      bundle: true,
      platform: 'node',
      format: 'esm',
      packages: 'external',
      logLevel: 'warning',
      plugins: [keepPlace()],
    })
    await (await import(pathToFileURL(join(out, `${main}.mjs`)).href)).main(join(out, `${child}.mjs`), out)
  } finally {
    rmSync(out, { recursive: true, force: true })
  }
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
