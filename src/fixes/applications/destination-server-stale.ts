import { applications } from '../../fleet/joins/applications.ts'
import { appSetKey } from '../../fleet/joins/appsets.ts'
import { nameParameter } from '../edits.ts'
import type { Fix } from '../fix.ts'
import { destinationByName } from '../generation/destination.ts'

const RENDERED = 'its ApplicationSet renders the new URL at its next reconcile'

export const destinationServerStaleFix: Fix = {
  code: 'FLT0406',
  does: 'let the Application name its cluster instead of an old server URL',
  risk: 'none that it had not before the URL changed: it goes to the same cluster',
  safe: true,
  kinds: ['ApplicationSet', 'Application'],
  hinders: ({ subject }, fleet) => {
    const set = fleet.join(applications).byKey.get(appSetKey({ meta: subject }))?.appSet?.appSet
    return set?.template.destination.server.includes('{{') === true ? RENDERED : undefined
  },
  repair(input) {
    const { finding, fleet } = input
    const [cluster] = finding.clusters ?? []
    const link = fleet.join(applications).byKey.get(appSetKey({ meta: finding.subject }))
    const set = link?.appSet?.appSet
    if (cluster === undefined) return 'its cluster is not known'
    if (set?.template.destination.server.includes('{{')) return RENDERED
    const why = 'a name stays when the URL of the cluster changes'
    return {
      steps: [
        set === undefined
          ? destinationByName(input, finding.subject, cluster, why)
          : destinationByName(input, set.subject, nameParameter(set.goTemplate), why),
      ],
    }
  },
}
