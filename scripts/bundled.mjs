import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { build } from 'esbuild'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')

/** Each module of the tests finds the files beside it by its own place. */
const urlOfSource = {
  name: 'url-of-source',
  setup({ onLoad }) {
    onLoad({ filter: /[\\/]test[\\/].*\.ts$/ }, ({ path }) => ({
      contents: readFileSync(path, 'utf8').replaceAll('import.meta.url', JSON.stringify(pathToFileURL(path).href)),
      loader: 'ts',
    }))
  },
}

/** Imports a module that is written in TypeScript, from the project's root, with all that it imports. */
export async function bundled(entry) {
  const temporary = mkdtempSync(join(root, 'node_modules/.bundle-'))
  const outfile = join(temporary, 'entry.mjs')
  try {
    await build({
      absWorkingDir: root,
      entryPoints: [entry],
      outfile,
      bundle: true,
      format: 'esm',
      platform: 'node',
      target: 'node20.19',
      packages: 'external',
      logLevel: 'warning',
      plugins: [urlOfSource],
    })
    return await import(pathToFileURL(outfile).href)
  } finally {
    rmSync(temporary, { recursive: true, force: true })
  }
}
