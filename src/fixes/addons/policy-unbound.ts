import type { Finding } from '../../checks/check.ts'
import type { Fleet } from '../../fleet/fleet.ts'
import { registration } from '../../fleet/joins/registration.ts'
import { placementBinding } from '../../plan/manifests/policy.ts'
import { write } from '../edits.ts'
import type { Fix } from '../fix.ts'

/** The Placement of the GitOpsCluster that the Policy belongs to, where nothing binds it yet; or why there is none. */
function placementOf({ subject: { namespace, name } }: Finding, fleet: Fleet): string | { readonly why: string } {
  const isBound = fleet.hub
    .of('PlacementBinding')
    .in(namespace)
    .some(b => b.boundTo.some(s => s.kind === 'Policy' && s.name === name))
  if (isBound) return { why: 'it is bound; what lacks is the Placement, or the propagation' }
  const owner = fleet
    .join(registration)
    .all.find(r => r.goc.meta.namespace === namespace && `${r.goc.meta.name}-argocd-policy` === name)
  return owner === undefined
    ? { why: 'it belongs to no GitOpsCluster, so which clusters are meant is not known' }
    : owner.goc.placementRef.name
}

export const policyUnboundFix: Fix = {
  code: 'FLT0907',
  does: 'bind the Policy to the Placement of its GitOpsCluster',
  risk: 'the Policy is enforced on every cluster of the Placement',
  safe: true,
  kinds: ['PlacementBinding'],
  hinders: (finding, fleet) => {
    const found = placementOf(finding, fleet)
    return typeof found === 'string' ? undefined : found.why
  },
  repair(input) {
    const found = placementOf(input.finding, input.fleet)
    if (typeof found !== 'string') return found.why
    const { namespace, name } = input.finding.subject
    const wanted = { namespace, name: `${name}-binding`, placement: found, policy: name }
    return { steps: [write(placementBinding(input.version, wanted), 'a Policy goes where a binding takes it')] }
  },
}
