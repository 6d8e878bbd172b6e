import type { Fix } from '../fix.ts'
import { appsOf, NO_HUB_APP } from './problem-apps.ts'
import { startSync } from './start-sync.ts'

export const outOfSyncFix: Fix = {
  code: 'FLT0515',
  does: 'start a sync',
  risk: 'what may be held back on purpose is deployed now, with the pruning of the sync policy',
  safe: false,
  inGit: false,
  kinds: ['Application'],
  repair(input) {
    const apps = appsOf(input.finding, input.fleet, 'out-of-sync')
    return apps.length === 0 ? NO_HUB_APP : { steps: apps.map(app => startSync(input, app)) }
  },
}
