import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parse } from 'yaml'

/** A known fault, with the checks that find it or the reason why none does. */
export interface Row {
  readonly fault: string
  readonly codes?: readonly string[]
  readonly reason?: string
}

/** A table of known faults. */
export interface Section {
  readonly section: string
  readonly title: string
  /** Ids that the reference itself gives to its rows. */
  readonly ids?: readonly string[]
  readonly rows: readonly Row[]
}

function read(folder: string, name: string): unknown {
  return parse(readFileSync(join(folder, `${name}.yaml`), 'utf8'))
}

/** Where the tables lie: beside this file, unless it was bundled. */
const HERE = join(dirname(fileURLToPath(import.meta.url)), '..', 'coverage')

export function sections(folder = HERE): readonly Section[] {
  return ['push-pull', 'agent-mode', 'field', 'review'].flatMap(name => read(folder, name) as readonly Section[])
}

export function reasons(folder = HERE): Readonly<Record<string, string>> {
  return read(folder, 'reasons') as Readonly<Record<string, string>>
}

/** The stable id of a row: its table and its place in it, or the id of the reference. */
export function rowId({ section, ids }: Section, index: number): string {
  return `${section}-${ids?.[index] ?? String(index + 1).padStart(2, '0')}`
}
