import { type Case, DAY } from '../checks/catalogue/case.ts'

/** Faults that a machine can mend, where neither a recording nor a case of the catalogue is one of these. */
export const OWN_CASES: readonly Case[] = [
  {
    slug: 'msa-token-expiring',
    fleet: 'push-healthy',
    fault: 'rotation was switched off and the token runs out',
    change: p => {
      for (const cluster of ['local-cluster', 'sno']) p.remove(`hub/ManagedServiceAccount/${cluster}/application-manager`)
      p.set('hub/ManagedServiceAccount/bm/application-manager', ['spec', 'rotation'], { enabled: false })
      p.later(300 * DAY)
    },
    subject: 'bm/ManagedServiceAccount/application-manager',
    severity: 'warning',
    says: /rotation is off/,
  },
]
