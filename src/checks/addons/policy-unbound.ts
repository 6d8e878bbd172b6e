import { registration } from '../../fleet/joins/registration.ts'
import { placementKey, selection } from '../../fleet/joins/selection.ts'
import type { Check } from '../check.ts'
import { fact, MINUTE, names, olderThan } from '../support.ts'
import { copiesOf, gitopsPolicies, ROOT_POLICY } from './policy-support.ts'

const REPLICATED_WITHIN = 2 * MINUTE

export const policyUnbound: Check = {
  code: 'FLT0907',
  slug: 'policy-unbound',
  title: 'Policies that install Argo CD reach the clusters that they are for',
  severity: 'warning',
  category: 'addons',
  models: ['pull', 'agent'],
  needs: { hub: ['Policy', 'PlacementBinding', 'Placement', 'PlacementDecision'] },
  uses: { hub: ['GitOpsCluster', 'ManagedClusterSetBinding'] },
  whole: { hub: ['PlacementBinding', 'PlacementDecision'] },
  docs: {
    why: 'A Policy goes where a PlacementBinding of its namespace binds it to a Placement of its namespace. Without the binding, with a Placement of another name, or when the propagator does not run, the Policy exists and nothing happens: it has no status for the cluster at all.',
    remedy:
      'Create the PlacementBinding (of a GitOpsCluster: `<name>-argocd-policy-binding`), or correct its `placementRef`. If both are right see that the governance add-ons run.',
    sources: ['agent-mode 5 (49), 1.9', 'push-pull 1.16, 5 (25)'],
  },
  *run(fleet) {
    const { byPlacement } = fleet.join(selection)
    const propagated = fleet.hub.of('Policy').all.some(p => ROOT_POLICY in p.meta.labels)
    const owners = new Map(
      fleet.join(registration).all.map(r => [`${r.goc.meta.namespace}/${r.goc.meta.name}-argocd-policy`, r]),
    )
    for (const policy of gitopsPolicies(fleet)) {
      const { namespace, name, created, deleting } = policy.meta
      if (policy.disabled || deleting !== undefined || !olderThan(fleet.now, created, REPLICATED_WITHIN)) continue
      const bindings = fleet.hub
        .of('PlacementBinding')
        .in(namespace)
        .filter(b => b.boundTo.some(s => s.kind === 'Policy' && s.name === name))
      const placements = bindings.filter(b => b.placementKind === 'Placement').map(b => b.placementName)
      const decided = placements.flatMap(p => byPlacement.get(placementKey(namespace, p)) ?? [])
      const clusters = [...new Set(decided.flatMap(d => [...d.clusters]))].sort()
      // Bound together with others by a PolicySet: that is not read.
      if (
        bindings.length === 0 &&
        fleet.hub
          .of('PlacementBinding')
          .in(namespace)
          .some(b => b.boundTo.some(s => s.kind === 'PolicySet'))
      )
        continue
      const copies = copiesOf(fleet, policy)
      // Where nothing was ever propagated it is the propagator that is missing, not a binding.
      const lacking = (propagated ? clusters : []).filter(
        c => !copies.has(c) && !policy.clusterStatus.some(s => s.cluster === c),
      )
      const lost = placements.filter(
        p => !byPlacement.has(placementKey(namespace, p)) && fleet.hub.knows('Placement', namespace, p),
      )
      if (bindings.length > 0 && lost.length === 0 && lacking.length === 0) continue
      const owner = owners.get(`${namespace}/${name}`)
      yield {
        subject: policy.subject,
        message:
          bindings.length === 0
            ? `Policy "${name}" in namespace "${namespace}" is bound to no Placement, so it is enforced nowhere.`
            : lost.length > 0
              ? `Policy "${name}" in namespace "${namespace}" is bound to Placement ${names(lost.map(p => `"${p}"`))}, which does not exist there.`
              : `Policy "${name}" in namespace "${namespace}" has not reached ${names(lacking)}.`,
        evidence: [
          fact(policy, '', `PlacementBindings: ${names(bindings.map(b => `${b.meta.name} -> ${b.placementName}`))}`),
          fact(
            policy,
            '.status.status',
            names(policy.clusterStatus.map(s => `${s.cluster} ${s.compliant || 'without a result'}`)),
          ),
        ],
        effect: 'Argo CD is not installed or kept up there',
        fix:
          bindings.length === 0
            ? `create a PlacementBinding for Policy ${name} in ${namespace}${owner === undefined ? '' : ` to Placement ${owner.goc.placementRef.name}`}`
            : lost.length > 0
              ? `correct placementRef of ${names(bindings.map(b => b.meta.name))}`
              : 'see that the governance add-ons run on the hub and on these clusters',
        because: [
          ...(owner === undefined ? [] : [{ subject: owner.goc.subject }]),
          ...decided.map(d => ({ subject: d.placement.subject })),
        ],
        ...(lacking.length > 0 ? { clusters: lacking } : {}),
        breaks: false,
      }
    }
  },
}
