import { subject } from '../../fleet/subject.ts'
import type { Check } from '../check.ts'
import { conditionFact, fact, lasting, SECOND, timeText } from '../support.ts'

const DAY = 24 * 3600 * SECOND
/** Renewed at 80 % of its life (managed-serviceaccount pkg/addon/agent/controller/token.go); past 90 % nobody has done it. */
const OVERDUE = 0.9
const SOON = 14 * DAY

export const msaTokenExpiring: Check = {
  code: 'FLT0220',
  slug: 'msa-token-expiring',
  title: 'Tokens of ManagedServiceAccounts are renewed in time',
  severity: 'warning',
  category: 'registration',
  models: ['push'],
  needs: { hub: ['ManagedServiceAccount'] },
  docs: {
    why: 'The agent of add-on `managed-serviceaccount` renews a token at 80 % of its life. One that is older was not renewed: the agent does not run, or rotation is off. When it expires push to the cluster fails at the next write, while Applications still say Synced.',
    remedy: 'Restart the agent of the add-on on the cluster, or set `spec.rotation.enabled: true`.',
    sources: ['push-pull 1.7'],
  },
  *run(fleet) {
    for (const msa of fleet.hub.of('ManagedServiceAccount').all) {
      const { expires, lastRefresh, rotationEnabled } = msa
      if (expires === undefined || expires < fleet.now) continue
      const life = lastRefresh === undefined ? undefined : expires - lastRefresh
      const overdue =
        life !== undefined && life > 0 && lastRefresh !== undefined && fleet.now - lastRefresh > OVERDUE * life
      const running = !rotationEnabled && expires - fleet.now < SOON
      if (!overdue && !running) continue
      const { name, namespace } = msa.meta
      yield {
        subject: msa.subject,
        message: `The token of ManagedServiceAccount "${name}" of cluster "${namespace}" expires in ${lasting(expires, fleet.now)} and ${rotationEnabled ? 'should have been renewed by now' : 'rotation is off'}.`,
        evidence: [
          fact(msa, '.status.expirationTimestamp', timeText(expires)),
          fact(msa, '.spec.rotation.enabled', rotationEnabled),
          conditionFact(msa, 'TokenReported'),
        ],
        effect: `push to ${namespace} fails once the token is dead`,
        fix: rotationEnabled
          ? `restart the agent of add-on managed-serviceaccount on ${namespace}`
          : 'set spec.rotation.enabled: true',
        because: [{ subject: subject('hub', 'ManagedCluster', '', namespace) }],
        clusters: [namespace],
        breaks: false,
      }
    }
  },
}
