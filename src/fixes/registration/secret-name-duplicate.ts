import type { Fix } from '../fix.ts'

export const secretNameDuplicateFix: Fix = {
  code: 'FLT0215',
  does: 'delete the cluster secret that ACM did not write',
  risk: 'what goes to the cluster by the server URL of that secret alone has no cluster any more; its credentials are gone for good',
  safe: false,
  inGit: false,
  kinds: ['Secret'],
  repair(input) {
    const { subject } = input.finding
    return { steps: [{ does: 'delete', subject, why: 'two cluster secrets must not have one name' }] }
  },
}
