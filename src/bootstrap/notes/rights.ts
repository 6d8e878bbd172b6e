import { CLUSTER_CONFIG, holdsCredentials } from '../../fleet/operator-namespaces.ts'
import type { PlanNote } from '../../plan/plan.ts'
import type { Judged } from '../judge.ts'
import { toldOperator } from '../parts/cluster-config.ts'
import { rightsOf } from '../parts/spokes.ts'
import { info, type Notes, warning } from './note.ts'

/** What the user should know of the rights that Argo CD gets on the clusters. */
export function rightsNotes(judged: Judged): Notes {
  const { blueprint } = judged
  const { settings, model, spokeGitops, hub, parts } = blueprint
  const notes: PlanNote[] = []
  if (settings.serviceAccount !== undefined && model === 'push' && settings.readSecrets !== true) {
    notes.push(
      info(
        'narrow-rights',
        `${settings.serviceAccount} reads no Secrets and only the usual kinds: set resource.respectRBAC: normal in Argo CD's argocd-cm, or its cluster cache stops at the first kind that it may not list`,
      ),
    )
  }
  const spokes = model === 'pull' || model === 'agent'
  // Upstream the add-on of the agents brings its rights along.
  const bringsRights = model === 'agent' && hub.flavour === 'upstream'
  if (spokes && !bringsRights && parts.has('rbac') && rightsOf(blueprint) === 'none') {
    notes.push(
      warning(
        'no-rights',
        "nothing gives the clusters' own Argo CD rights; without them the first sync fails with forbidden, and automated sync gives up after some tries",
      ),
    )
  }
  if (parts.has('spoke-gitops') && spokeGitops === 'policy' && settings.channel === undefined) {
    const { channel } = hub.operator
    notes.push(
      channel === '' || channel === 'latest'
        ? warning(
            'channel-not-pinned',
            'the clusters follow channel latest of the operator, and may get ahead of the hub; pin one with --channel',
          )
        : info('channel', `the clusters get channel ${channel}, as the hub has; upgrade the hub first`),
    )
  }
  const told = toldOperator(blueprint)
  if (parts.has('principal') && told.isAllowed === false && holdsCredentials(told.subscription?.env ?? {})) {
    notes.push(
      warning(
        'cluster-config',
        `other variables of the Subscription of the operator hold credentials, so it is not written here: add ${blueprint.argoNamespace} to its ${CLUSTER_CONFIG} yourself, or the principal crashes after a minute`,
      ),
    )
  }
  if (parts.has('principal') && told.isAllowed === undefined) {
    notes.push(
      warning(
        'cluster-config',
        `no Subscription of the operator was found: see that ${CLUSTER_CONFIG} of its Deployment names ${blueprint.argoNamespace}, or the principal crashes after a minute`,
      ),
    )
  }
  if (model === 'pull' && spokeGitops === 'none') {
    notes.push(info('own-argocd', 'Argo CD has to run on every cluster already; nothing here installs it'))
  }
  return notes
}
