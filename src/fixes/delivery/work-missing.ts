import type { Fix } from '../fix.ts'
import { touchApplication } from './touch-application.ts'

export const workMissingFix: Fix = {
  code: 'FLT0601',
  does: 'touch the Application so that the propagation controller looks at it again',
  risk: 'none, where the controller runs; nothing happens where it does not',
  safe: true,
  inGit: false,
  kinds: ['Application'],
  repair: touchApplication,
}
