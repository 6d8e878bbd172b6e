import type { Fleet } from '../fleet/fleet.ts'
import { clusters } from '../fleet/joins/clusters.ts'
import type { Policy } from '../fleet/records.ts'
import type { Subject } from '../fleet/subject.ts'
import type { GitOpsOwner } from './owner.ts'

/** Names a kind in a namespace; the version does not tell objects apart. */
const keyOf = (group: string, kind: string, namespace: string, name: string): string =>
  [group, kind, namespace, name].join('|')

const KEEPS = new Set(['musthave', 'mustonlyhave'])

function isEnforced({ disabled, remediationAction }: Policy): boolean {
  return !disabled && remediationAction.toLowerCase() !== 'inform'
}

/**
 * Who of ACM's Policies keeps which objects of the hub as they are. What a Policy makes carries no mark of it, so the
 * Policies are asked: the replicas in the namespace of the hub's own ManagedCluster are those that act on the hub, called
 * `<namespace>.<name>` after their root, with the templates of the hub filled in (push-pull.md 1.16).
 */
export function policyOwners(fleet: Fleet): (subject: Subject) => GitOpsOwner | undefined {
  const { localName } = fleet.join(clusters)
  const owners = new Map<string, GitOpsOwner>()
  for (const policy of localName === '' ? [] : fleet.hub.of('Policy').in(localName)) {
    if (!isEnforced(policy)) continue
    const [namespace = '', ...name] = policy.meta.name.split('.')
    for (const object of policy.objects) {
      if (!KEEPS.has(object.complianceType.toLowerCase()) || object.name === '') continue
      const group = object.apiVersion.includes('/') ? (object.apiVersion.split('/')[0] ?? '') : ''
      const key = keyOf(group, object.kind, object.namespace, object.name)
      owners.set(key, { by: 'policy', text: `Policy "${namespace}/${name.join('.')}"` })
    }
  }
  return ({ cluster, group, kind, namespace, name }) =>
    cluster === 'hub' ? owners.get(keyOf(group, kind, namespace, name)) : undefined
}
