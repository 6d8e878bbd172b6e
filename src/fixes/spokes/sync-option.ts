import type { ProblemKind } from '../../checks/argo/problems.ts'
import { delivered, edit, NOT_SEEN } from '../edits.ts'
import type { FixInput, Repair } from '../fix.ts'
import { appsOf } from './problem-apps.ts'
import { startSync } from './start-sync.ts'
import { syncOptionsOf, writtenIn } from './written-in.ts'

/**
 * Writes a sync option down where the Applications of the finding are written, in the place of another value of it, and
 * syncs them with it: a sync that failed is not tried again by itself.
 *
 * @param option `Name=value`
 * @param kind problem of the Applications that are synced
 */
export function withSyncOption(input: FixInput, option: string, kind: ProblemKind, why: string): Repair | string {
  const { finding, fleet } = input
  const of = writtenIn(finding, fleet)
  if (typeof of === 'string') return of
  const there = syncOptionsOf(input, of)
  if (there === undefined) return NOT_SEEN
  const name = option.slice(0, option.indexOf('=') + 1)
  const syncOptions = [...there.filter(o => !String(o).startsWith(name)), option]
  return {
    steps: [
      edit(input, of, delivered(of, { spec: { syncPolicy: { syncOptions } } }), why),
      ...appsOf(finding, fleet, kind).map(app => startSync(input, app, [option])),
    ],
  }
}
