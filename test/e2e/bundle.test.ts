import { readFileSync } from 'node:fs'
import { beforeAll, describe, expect, test } from 'vitest'
import { METAFILE, requireBuild } from './binary.ts'

interface Output {
  readonly imports: readonly { readonly path: string; readonly kind: string; readonly external?: boolean }[]
  readonly inputs: Readonly<Record<string, unknown>>
}

let outputs: Readonly<Record<string, Output>> = {}

beforeAll(() => {
  requireBuild()
  outputs = JSON.parse(readFileSync(METAFILE, 'utf8')).outputs
})

/** Sources that are loaded together with an output: its own and those of all that it imports statically. */
function loadedWith(entry: string): string[] {
  const seen = new Set<string>()
  const open = [entry]
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (seen.has(next)) continue
    seen.add(next)
    for (const { path, kind, external } of outputs[next]?.imports ?? []) {
      if (kind === 'import-statement' && external !== true) open.push(path)
    }
  }
  return [...seen].flatMap(output => Object.keys(outputs[output]?.inputs ?? {})).sort()
}

/** Asked for inside a `try` by ws, debug and node-fetch, which the Kubernetes client brings and which do without them. */
const OPTIONAL = new Set(['bufferutil', 'utf-8-validate', 'supports-color', 'encoding'])

describe('what --version and --help load', () => {
  test('no package but commander', () => {
    const packages = loadedWith('dist/main.js').filter(file => file.startsWith('node_modules/'))
    expect(packages.filter(file => !file.startsWith('node_modules/commander/'))).toEqual([])
    expect(packages).toContain('node_modules/commander/lib/command.js')
  })

  test('no check, no model, no source, no renderer, no client', () => {
    const heavy = /^src\/(checks|fleet|kube|source|trace|output)\//
    expect(loadedWith('dist/main.js').filter(file => heavy.test(file))).toEqual([])
    // The rule above would also hold for a bundle without any of these.
    const all = Object.values(outputs).flatMap(output => Object.keys(output.inputs))
    for (const part of ['checks', 'fleet', 'source', 'output']) {
      expect(all.some(file => file.startsWith(`src/${part}/`))).toBe(true)
    }
  })

  test('few files, each of which costs time', () => {
    const statics = (outputs['dist/main.js']?.imports ?? []).filter(i => i.kind === 'import-statement' && !i.external)
    expect(statics.length).toBeLessThanOrEqual(2)
  })

  test('the bundle needs no package at run time', () => {
    const external = Object.values(outputs).flatMap(output => output.imports.filter(i => i.external === true))
    const names = new Set(external.map(i => i.path).filter(path => !path.startsWith('node:')))
    const { builtinModules } = process.getBuiltinModule('node:module')
    expect([...names].filter(name => !builtinModules.includes(name) && !OPTIONAL.has(name))).toEqual([])
  })
})
