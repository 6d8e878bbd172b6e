import type { Finding } from '../../checks/check.ts'
import type { Fleet } from '../../fleet/fleet.ts'
import { applications } from '../../fleet/joins/applications.ts'
import { appSetKey } from '../../fleet/joins/appsets.ts'
import { clusterSetLabel } from '../../fleet/placement/sets.ts'
import { managedClusterSetBinding } from '../../plan/manifests/cluster-set.ts'
import { placement } from '../../plan/manifests/placement.ts'
import { trigger, write } from '../edits.ts'
import type { Fix } from '../fix.ts'
import { TOUCHED } from '../touched.ts'

/** The cluster of the Application and the exclusive set that it is in; or why there is no such Placement to make. */
function clusterAndSet(
  { subject: { namespace, name } }: Finding,
  fleet: Fleet,
): { cluster: string; set: string } | string {
  const link = fleet.join(applications).byKey.get(appSetKey({ meta: { namespace, name } }))
  if (link?.owner !== undefined)
    return 'the Application is made by an ApplicationSet, whose Placement does not select the cluster'
  const managed = fleet.hub.of('ManagedCluster').get('', link?.cluster ?? '')
  const set = managed === undefined ? undefined : clusterSetLabel(managed)
  if (managed === undefined || set === undefined || set === '')
    return 'its cluster is in no cluster set that could be bound'
  return managed.meta.labels.name === managed.meta.name
    ? { cluster: managed.meta.name, set }
    : 'the cluster carries no label with its name by which a Placement could select it alone'
}

export const pullNotDecidedFix: Fix = {
  code: 'FLT0402',
  does: 'have a Placement in the namespace of the Application decide on its cluster',
  risk: 'every pull Application of that namespace may go to this cluster from now on',
  safe: false,
  kinds: ['ManagedClusterSetBinding', 'Placement', 'Application'],
  hinders: (finding, fleet) => {
    const found = clusterAndSet(finding, fleet)
    return typeof found === 'string' ? found : undefined
  },
  repair(input) {
    const { finding, fleet, version } = input
    const found = clusterAndSet(finding, fleet)
    if (typeof found === 'string') return found
    const { cluster, set } = found
    const { namespace, name } = finding.subject
    const isBound = fleet.hub.of('ManagedClusterSetBinding').get(namespace, set) !== undefined
    const wanted = {
      namespace,
      name: `pull-${cluster}`,
      clusterSets: [set],
      predicates: [{ labels: [{ key: 'name', operator: 'In' as const, values: [cluster] }] }],
    }
    return {
      steps: [
        ...(isBound
          ? []
          : [
              write(
                managedClusterSetBinding(version, namespace, set),
                `lets Placements in ${namespace} select clusters of set ${set}`,
              ),
            ]),
        write(placement(version, wanted), `a decision in ${namespace} must list ${cluster} before it is propagated`),
        trigger(
          input,
          finding.subject,
          { metadata: { annotations: { [TOUCHED]: new Date(fleet.now).toISOString() } } },
          'the controller tries again only when the Application changes',
        ),
      ],
      afterwards: `if Application ${name} is not carried over within a minute, annotate it anew`,
    }
  },
}
