import type { Fix } from '../fix.ts'
import { appsOf, NO_HUB_APP } from './problem-apps.ts'
import { startSync } from './start-sync.ts'

export const syncNotStartedFix: Fix = {
  code: 'FLT0506',
  does: 'start the first sync of each Application',
  risk: 'what may wait on purpose is deployed now; later changes still need a sync by hand',
  safe: false,
  inGit: false,
  kinds: ['Application'],
  repair(input) {
    const apps = appsOf(input.finding, input.fleet, 'not-started')
    return apps.length === 0 ? NO_HUB_APP : { steps: apps.map(app => startSync(input, app)) }
  },
}
