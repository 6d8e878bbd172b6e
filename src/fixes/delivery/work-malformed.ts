import type { Fix } from '../fix.ts'
import { touchApplication } from './touch-application.ts'

export const workMalformedFix: Fix = {
  code: 'FLT0608',
  does: 'touch the Application so that the propagation controller writes its ManifestWork anew',
  risk: 'what was changed by hand in the ManifestWork is gone',
  safe: true,
  inGit: false,
  kinds: ['Application'],
  repair: touchApplication,
}
