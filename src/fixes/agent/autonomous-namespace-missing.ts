import { namespace } from '../../plan/manifests/namespace.ts'
import { write } from '../edits.ts'
import type { Fix } from '../fix.ts'

export const autonomousNamespaceMissingFix: Fix = {
  code: 'FLT0834',
  does: 'make the namespace for the Applications of the agent',
  risk: 'the principal writes there whatever Applications the agent has',
  safe: true,
  kinds: ['Namespace'],
  repair(input) {
    return {
      steps: [
        write(
          namespace(input.finding.subject.name),
          'Applications of an autonomous agent come into the namespace of its name',
        ),
      ],
    }
  },
}
