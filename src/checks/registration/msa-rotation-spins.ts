import type { Check } from '../check.ts'
import { fact, SECOND, timeText } from '../support.ts'

/** A cluster that shortens tokens gives much less than was asked for; rounding and jitter give a little less. */
const MUCH_LESS = 0.7

function hours(ms: number): string {
  return `${Math.round(ms / 3600 / SECOND)}h`
}

export const msaRotationSpins: Check = {
  code: 'FLT0221',
  slug: 'msa-rotation-spins',
  title: 'No cluster shortens the tokens that ManagedServiceAccounts ask for',
  severity: 'warning',
  category: 'registration',
  models: ['push'],
  needs: { hub: ['ManagedServiceAccount'] },
  docs: {
    why: 'The API servers of some clouds cap the life of a token, often at 24 hours, with a warning only. The agent compares the age of the token with the validity that was asked for, finds it always too old, and makes a new one every second; the cluster secret is written just as often.',
    remedy: 'Set `spec.rotation.validity` to what the cluster grants (24h0m0s), or update the add-on.',
    sources: ['failures in the field C-7'],
  },
  *run(fleet) {
    for (const msa of fleet.hub.of('ManagedServiceAccount').all) {
      const { expires, lastRefresh, validitySeconds, rotationEnabled } = msa
      if (!rotationEnabled || expires === undefined || lastRefresh === undefined || validitySeconds === undefined)
        continue
      const granted = expires - lastRefresh
      const asked = validitySeconds * SECOND
      if (granted <= 0 || granted >= MUCH_LESS * asked) continue
      const { name, namespace } = msa.meta
      yield {
        subject: msa.subject,
        message: `ManagedServiceAccount "${name}" of cluster "${namespace}" asks for tokens of ${hours(asked)}, but the cluster grants ${hours(granted)}.`,
        evidence: [
          fact(msa, '.spec.rotation.validity', `${hours(asked)}`),
          fact(msa, '.status', `token of ${timeText(lastRefresh)} expires ${timeText(expires)}`),
        ],
        effect: 'the token and the cluster secret may be written anew without pause',
        fix: `set spec.rotation.validity: ${hours(granted)}0m0s, or update the managed-serviceaccount add-on`,
        clusters: [namespace],
        breaks: false,
      }
    }
  },
}
