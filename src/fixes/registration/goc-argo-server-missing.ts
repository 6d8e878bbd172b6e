import type { Finding } from '../../checks/check.ts'
import type { Fleet } from '../../fleet/fleet.ts'
import { registration } from '../../fleet/joins/registration.ts'
import { placementKey } from '../../fleet/joins/selection.ts'
import type { Subject } from '../../fleet/subject.ts'
import { edit } from '../edits.ts'
import type { Fix } from '../fix.ts'

const NONE = 'no Service of the namespace is for certain that of the Argo CD server'
const NAME_LABEL = 'app.kubernetes.io/name'
const PARTS = /(^|-)(repo|dex|commit|agent|redis)[-\w]*$|applicationset/

/** The one Service that is called like an Argo CD server, by its name label or else by its own name. */
function server({ subject: { namespace, name } }: Finding, fleet: Fleet): Subject | undefined {
  const place = fleet.join(registration).byKey.get(placementKey(namespace, name))?.argoNamespace ?? ''
  const found = fleet.hub
    .of('Service')
    .in(place)
    .filter(({ meta }) => {
      const called = meta.labels[NAME_LABEL] ?? meta.name
      return /(^|-)server$/.test(called) && !PARTS.test(called.replace(/-?server$/, ''))
    })
  return found.length === 1 ? found[0]?.subject : undefined
}

export const gocArgoServerMissingFix: Fix = {
  code: 'FLT0203',
  does: 'put the labels back on the Service of the Argo CD server',
  risk: 'none: the GitOpsCluster controller looks for the labels and goes on',
  safe: true,
  kinds: ['Service'],
  hinders: (finding, fleet) => (server(finding, fleet) === undefined ? NONE : undefined),
  repair(input) {
    const { finding, fleet } = input
    const service = server(finding, fleet)
    if (service === undefined) return NONE
    const labels = { 'app.kubernetes.io/component': 'server', 'app.kubernetes.io/part-of': 'argocd' }
    return {
      steps: [
        edit(input, service, { metadata: { labels } }, 'the GitOpsCluster controller finds the Argo CD server by them'),
      ],
    }
  },
}
