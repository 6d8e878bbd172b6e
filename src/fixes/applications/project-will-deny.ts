import type { Fix } from '../fix.ts'
import { extendProject } from './extend-project.ts'

export const projectWillDenyFix: Fix = {
  code: 'FLT0415',
  does: 'permit in the AppProject what its Applications use',
  risk: 'whoever may write Applications of this project may deploy there, too',
  safe: false,
  kinds: ['AppProject'],
  repair(input) {
    return extendProject(input, input.finding.subject)
  },
}
