// Bundles src/ into dist/: ESM, one chunk for each part that is loaded on demand, with source maps.
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const dist = join(root, 'dist')

// Commander loads node:child_process for commands that are programs of their own. There are none here, and it is a fifth of
// what `--version` costs.
const withoutChildProcess = {
  name: 'commander-without-child-process',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^node:child_process$/ }, ({ importer }) =>
      /[\\/]commander[\\/]/.test(importer) ? { path: 'child_process', namespace: 'nothing' } : undefined,
    )
    onLoad({ filter: /.*/, namespace: 'nothing' }, () => ({ contents: 'export {}' }))
  },
}

// What the entry shares with the parts that are loaded on demand would become many small chunks, each of which costs time at
// start. When every such part imports all of it, it is one chunk.
const shared = [
  'agent/set-up.ts',
  'bootstrap/settings.ts',
  'commands/agent/flags.ts',
  'commands/bootstrap/add-setting.ts',
  'commands/bootstrap/steps.ts',
  'commands/environment.ts',
  'commands/flag-values.ts',
  'commands/kube-flags.ts',
  'commands/trace/kinds.ts',
  'commands/watching/flags.ts',
  'errors.ts',
  'fixes/gate-codes.ts',
  'ui/nearest.ts',
  'version.ts',
]
const oneSharedChunk = {
  name: 'one-shared-chunk',
  setup({ onLoad }) {
    const imports = shared.map(file => `import ${JSON.stringify(join(root, 'src', file))}\n`).join('')
    const loaded = new Set(onDemand(join(root, 'src')))
    onLoad({ filter: /[\\/]src[\\/].*\.ts$/ }, ({ path }) =>
      loaded.has(path) ? { contents: readFileSync(path, 'utf8') + imports, loader: 'ts' } : undefined,
    )
  },
}

/** Files that are the target of an `import()`. */
function onDemand(folder) {
  const files = readdirSync(folder, { recursive: true }).filter(file => file.endsWith('.ts'))
  return files.flatMap(file => {
    const path = join(folder, file)
    const targets = readFileSync(path, 'utf8').matchAll(/import\('(\.[^']*)'\)/g)
    return [...targets].map(([, target]) => join(dirname(path), target))
  })
}

const result = await build({
  absWorkingDir: root,
  entryPoints: ['src/main.ts'],
  outdir: 'dist',
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node20.19',
  sourcemap: true,
  // Names stay, for stack traces; comments and blanks cost time at start.
  minifyWhitespace: true,
  legalComments: 'eof',
  chunkNames: 'chunks/[name]-[hash]',
  // Some packages are CommonJS and call `require`, nearly always for Node's own modules; createRequire costs time at start.
  banner: {
    js:
      'const require=id=>process.getBuiltinModule(id)??' +
      "process.getBuiltinModule('node:module').createRequire(import.meta.url)(id);",
  },
  plugins: [withoutChildProcess, oneSharedChunk],
  metafile: true,
  write: false,
  logLevel: 'warning',
})

const written = new Set()
const put = (path, contents) => {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, contents)
  written.add(path)
}
for (const file of result.outputFiles) put(file.path, file.contents)
put(join(dist, 'metafile.json'), JSON.stringify(result.metafile))

// Chunks of an earlier build go last, so that a program that is running finds its own.
for (const entry of readdirSync(dist, { recursive: true, withFileTypes: true })) {
  const path = join(entry.parentPath, entry.name)
  if (entry.isFile() && !written.has(path)) rmSync(path)
}

const bytes = result.outputFiles.filter(f => f.path.endsWith('.js')).reduce((sum, f) => sum + f.contents.length, 0)
console.log(`built ${relative(root, dist)}/: ${written.size} files, ${Math.round(bytes / 1024)} KiB of code`)
