import { argoNamespaces } from '../../fleet/joins/argo-namespaces.ts'
import { covers } from '../../fleet/joins/spoke-argo.ts'
import type { Check } from '../check.ts'
import { ago, fact, names, olderThan, SECOND } from '../support.ts'

/** A controller that watches the namespace writes a status within a second or two. */
const TAKEN_UP_WITHIN = 10 * SECOND

export const appsetUnwatched: Check = {
  code: 'FLT0303',
  slug: 'appset-unwatched',
  title: 'Every ApplicationSet is taken up by a controller',
  severity: 'error',
  category: 'generation',
  models: ['push', 'pull', 'agent'],
  needs: { hub: ['ApplicationSet'] },
  uses: { hub: ['ArgoCD', 'GitOpsCluster', 'Service', 'Secret'] },
  docs: {
    why: 'The ApplicationSet controller watches its own namespace and those of `--applicationset-namespaces` only. An ApplicationSet elsewhere is ignored: no status, no event, no log line. In the Argo CD namespace a missing status means that the controller does not run.',
    remedy:
      "Move the ApplicationSet to the Argo CD namespace, or allow its namespace (`spec.applicationSet.sourceNamespaces` of the ArgoCD). Remember that decisions and ConfigMap are read in the controller's namespace.",
    sources: ['push-pull 1.8', 'seen on running controllers: 1.8'],
  },
  *run(fleet) {
    const own = fleet.join(argoNamespaces)
    const allowed = fleet.hub.of('ArgoCD').all.flatMap(a => a.applicationSetSourceNamespaces)
    for (const appSet of fleet.hub.of('ApplicationSet').all) {
      const { namespace, name, created, deleting } = appSet.meta
      if (appSet.hasStatus || deleting !== undefined || !olderThan(fleet.now, created, TAKEN_UP_WITHIN)) continue
      const watched = own.has(namespace) || covers(allowed, namespace)
      yield {
        subject: appSet.subject,
        message: watched
          ? `ApplicationSet "${name}" in namespace "${namespace}" has had no status since it was created ${ago(fleet.now, created)}: no ApplicationSet controller works there.`
          : `ApplicationSet "${name}" is in namespace "${namespace}", which no ApplicationSet controller watches; it was created ${ago(fleet.now, created)} and has no status.`,
        evidence: [
          fact(appSet, '.status', 'absent'),
          fact(appSet, '', `Argo CD namespaces: ${names([...own].sort())}`),
        ],
        effect: 'it generates nothing and says nothing',
        fix: watched
          ? `start the ApplicationSet controller in ${namespace}`
          : `move it to ${names([...own].sort())}, or allow ${namespace} with --applicationset-namespaces`,
      }
    }
  },
}
