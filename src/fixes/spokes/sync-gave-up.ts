import type { Fix } from '../fix.ts'
import { appsOf, NO_HUB_APP } from './problem-apps.ts'
import { startSync } from './start-sync.ts'

export const syncGaveUpFix: Fix = {
  code: 'FLT0508',
  does: 'start the sync that nobody tries again',
  risk: 'the Application is synced to its revision as it is now, with the pruning of its sync policy',
  safe: true,
  inGit: false,
  kinds: ['Application'],
  repair(input) {
    const apps = appsOf(input.finding, input.fleet, 'gave-up')
    return apps.length === 0 ? NO_HUB_APP : { steps: apps.map(app => startSync(input, app)) }
  },
}
