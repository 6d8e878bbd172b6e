import { edit } from '../edits.ts'
import type { Fix } from '../fix.ts'

export const agentAddressStaleFix: Fix = {
  code: 'FLT0811',
  does: 'let the GitOpsCluster discover the address of the principal again',
  risk: 'agents are told another address and reconnect',
  safe: true,
  kinds: ['GitOpsCluster'],
  repair(input) {
    return {
      steps: [
        edit(
          input,
          input.finding.subject,
          { spec: { gitopsAddon: { argoCDAgent: { serverAddress: '', serverPort: '' } } } },
          'the controller looks for the address where none is set',
        ),
      ],
    }
  },
}
