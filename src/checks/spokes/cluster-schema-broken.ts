import { inputsOf } from '../../fleet/fleet.ts'
import { groupBy } from '../../fleet/maps.ts'
import { subject } from '../../fleet/subject.ts'
import { shortMessage } from '../argo/messages.ts'
import { problems } from '../argo/problems.ts'
import type { Check } from '../check.ts'
import { count, fact } from '../support.ts'
import { appsOf, PROBLEM_NEEDS, PROBLEM_USES, problemCauses } from './problem-support.ts'

/** On OpenShift Route is served by an aggregated API; a CRD of that name collides with it (gitops-addon of some releases made one). */
const ROUTES = 'routes.route.openshift.io'

export const clusterSchemaBroken: Check = {
  code: 'FLT0531',
  slug: 'cluster-schema-broken',
  title: 'Every cluster can describe its own kinds to Argo CD',
  severity: 'error',
  category: 'spokes',
  models: ['push', 'pull', 'agent', 'local'],
  needs: PROBLEM_NEEDS,
  uses: inputsOf(PROBLEM_USES, { spoke: ['CustomResourceDefinition'] }),
  docs: {
    why: 'Argo CD reads the OpenAPI description of a cluster before it compares anything. One API that breaks it (an aggregated API that does not answer, a schema with a dangling reference, a CRD with the path of an aggregated API) turns every Application of the cluster Unknown at once.',
    remedy:
      'Find the API that the message names: `oc get apiservices` (Available False), or a CRD `routes.route.openshift.io` on OpenShift, which must not be there.',
    sources: ['failures in the field G-1', 'argoproj/gitops-engine:pkg/cache/cluster.go'],
  },
  *run(fleet) {
    const broken = fleet.join(problems).all.filter(p => p.kind === 'cluster-schema')
    for (const [cluster, list] of groupBy(broken, p => p.of.target)) {
      const first = list[0]
      if (first === undefined) continue
      const crd = fleet.spokes.get(cluster)?.of('CustomResourceDefinition').get('', ROUTES)
      const colliding =
        crd !== undefined && /route\.openshift\.io|duplicated path/.test(list.map(p => p.text).join(' '))
      yield {
        subject: colliding
          ? crd.subject
          : cluster === 'hub'
            ? first.of.app.subject
            : subject('hub', 'ManagedCluster', '', cluster),
        message: `Cluster "${cluster}" cannot describe its kinds, so ${count(list.length, 'Application')} cannot be compared: ${shortMessage(first.text)}.`,
        evidence: [
          ...list.slice(0, 3).flatMap(p => p.evidence),
          ...(colliding ? [fact(crd, '', 'exists beside the aggregated API of the same name')] : []),
        ],
        effect: 'every Application of the cluster is Unknown; nothing is synced there',
        fix: colliding
          ? `on ${cluster}: oc delete crd ${ROUTES} (after checking that it holds no objects)`
          : `on ${cluster}: oc get apiservices; repair the API that is not Available or that the message names`,
        because: list.flatMap(p => problemCauses(fleet, p)),
        through: appsOf(list),
        ...(cluster === 'hub' ? {} : { clusters: [cluster] }),
      }
    }
  },
}
