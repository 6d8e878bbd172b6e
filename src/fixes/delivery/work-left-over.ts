import type { Fix } from '../fix.ts'

export const workLeftOverFix: Fix = {
  code: 'FLT0603',
  does: 'delete the ManifestWork that is left over',
  risk: 'the Application that it carries goes from the cluster, and by its finalizer the workload goes too, unless another ManifestWork holds it',
  safe: false,
  inGit: false,
  kinds: ['ManifestWork'],
  repair(input) {
    const { subject } = input.finding
    return {
      steps: [
        { does: 'delete', subject, why: 'it was made from an Application that is not there any more in this form' },
      ],
    }
  },
}
