import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parse } from 'yaml'
import { isObject, listAt, type RawObject } from '../../src/raw.ts'

const OPERATOR = new URL('../operator/', import.meta.url)

/** States that were recorded of the operator (test/operator/README.md). */
export type OperatorState =
  | 'plain'
  | 'principal'
  | 'hybrid'
  | 'reverted'
  | 'dedicated-not-listed'
  | 'dedicated-listed'
  | 'deleted'

/** All objects of a state, as they were recorded. */
export function operatorState(state: OperatorState): readonly RawObject[] {
  const folder = mkdtempSync(join(tmpdir(), 'fleetctl-operator-'))
  try {
    execFileSync('tar', ['-xzf', new URL(`${state}.tgz`, OPERATOR).pathname, '-C', folder])
    const at = join(folder, state, 'hub')
    return readdirSync(at)
      .filter(file => file !== 'index.yaml')
      .flatMap(file => listAt(parse(readFileSync(join(at, file), 'utf8')), 'items').filter(isObject))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
