import type { Finding } from '../../checks/check.ts'
import { managedServiceAccount } from '../../plan/manifests/service-account.ts'
import { write } from '../edits.ts'
import type { Fix } from '../fix.ts'

function isThere({ subject: { missing, namespace } }: Finding): string | undefined {
  return missing === true ? undefined : `the account is there; its agent on ${namespace} makes no token`
}

export const msaTokenMissingFix: Fix = {
  code: 'FLT0214',
  does: 'make the ManagedServiceAccount whose token is needed',
  risk: 'a token of that account is made on the cluster and kept on the hub; its rights on the cluster stay as they are',
  safe: true,
  kinds: ['ManagedServiceAccount'],
  hinders: isThere,
  repair(input) {
    const { namespace, name } = input.finding.subject
    return {
      steps: [
        write(managedServiceAccount(input.version, namespace, name), 'the cluster secret is written with its token'),
      ],
    }
  },
}
