import { isDnsLabel, listed } from '../../bootstrap/names.ts'
import { clusters as clustersJoin, isLocalCluster, isReporting, isTrue } from '../../fleet/joins/clusters.ts'
import { AGENT_NAME, clusterSecrets, registration, registrationKey } from '../../fleet/joins/registration.ts'
import type { AgentHub } from '../hub.ts'
import { failed, ifSeen, ofClusters, ok, type PreconditionCheck, type Verdict } from './precondition.ts'

const POLICY_ADDONS = ['governance-policy-framework', 'config-policy-controller']

/** Judges each chosen cluster; `bad` says in a clause what is wrong with one. */
function each(hub: AgentHub, right: string, todo: string, bad: (cluster: string) => string | undefined): Verdict {
  const found = hub.clusters.flatMap(cluster => {
    const text = bad(cluster)
    return text === undefined ? [] : [`${cluster}: ${text}`]
  })
  return found.length === 0 ? ok(right) : failed(listed(found), todo)
}

/** P18. */
const overlap: PreconditionCheck = {
  code: 'no-second-registration',
  title: 'no other GitOpsCluster registers these clusters',
  weight: 'blocks',
  judge: hub =>
    ofClusters(hub, () =>
      ifSeen(hub.fleet.hub, ['GitOpsCluster', 'PlacementDecision'], () => {
        const { of } = hub.fleet.join(registration)
        return each(
          hub,
          'no push GitOpsCluster, and no more than one for agents, decides on them',
          'agent and push write Secrets of the same name, and two add-ons overwrite each other: take the clusters out of its Placement',
          cluster => {
            const all = of.get(registrationKey(hub.agentNamespace, cluster)) ?? []
            const push = all.filter(r => r.writes !== 'agent')
            const agents = all.filter(r => r.writes === 'agent')
            if (push.length > 0)
              return `GitOpsCluster ${listed(push.map(r => r.goc.meta.name))} registers it for push or pull`
            return agents.length > 1 ? `GitOpsClusters ${listed(agents.map(r => r.goc.meta.name))}` : undefined
          },
        )
      }),
    ),
}

/** P19. */
const secrets: PreconditionCheck = {
  code: 'no-other-secret',
  title: 'no cluster secret of another kind has their name',
  weight: 'warns',
  judge: hub =>
    ofClusters(hub, () =>
      ifSeen(hub.fleet.hub, ['Secret'], () => {
        const { byName } = hub.fleet.join(clusterSecrets)
        return each(
          hub,
          'each name is free, or belongs to an agent',
          'Argo CD refuses a name that two Secrets have: delete the old one once nothing uses it',
          cluster => {
            const others = (byName.get(registrationKey(hub.agentNamespace, cluster)) ?? []).filter(
              s => !(AGENT_NAME in s.meta.labels),
            )
            return others.length === 0 ? undefined : `Secret ${listed(others.map(s => s.meta.name))}`
          },
        )
      }),
    ),
}

/** P21. */
const names: PreconditionCheck = {
  code: 'names-are-labels',
  title: 'the names of the clusters have no dots',
  weight: 'blocks',
  judge: hub =>
    ofClusters(hub, () =>
      each(hub, 'all are DNS labels', 'the principal takes no agent of such a name: leave it out', cluster =>
        !isDnsLabel(cluster)
          ? 'not a DNS label'
          : cluster === hub.agentNamespace
            ? 'the name of the namespace of the principal'
            : undefined,
      ),
    ),
}

/** P22. */
const available: PreconditionCheck = {
  code: 'clusters-available',
  title: 'the clusters are accepted and report',
  weight: 'warns',
  judge: hub =>
    ofClusters(hub, () =>
      ifSeen(hub.fleet.hub, ['ManagedCluster'], () => {
        const { byName } = hub.fleet.join(clustersJoin)
        return each(hub, 'all are Available', 'the agent is installed only where the klusterlet works', cluster => {
          const record = byName.get(cluster)
          if (record === undefined) return 'there is no such ManagedCluster'
          if (!isTrue(record, 'HubAcceptedManagedCluster')) return 'not accepted'
          return isReporting(record) ? undefined : 'not Available'
        })
      }),
    ),
}

/** P22: a Placement with the hub in it fails the whole policy step (agent-mode.md 2.7). */
const notTheHub: PreconditionCheck = {
  code: 'hub-not-selected',
  title: 'the Placement does not select the hub itself',
  weight: 'blocks',
  judge: hub =>
    ofClusters(hub, () => {
      const { byName } = hub.fleet.join(clustersJoin)
      return each(hub, 'the hub is not among them', "exclude it: predicate local-cluster NotIn ['true']", cluster => {
        const record = byName.get(cluster)
        return record !== undefined && isLocalCluster(record) ? 'the hub itself' : undefined
      })
    }),
}

/** P23. */
const governance: PreconditionCheck = {
  code: 'policies-work',
  title: 'policies reach the clusters',
  weight: 'blocks',
  judge(hub) {
    const { fleet, facts } = hub
    if (!facts.serves('Policy')) {
      return failed(
        'policies.policy.open-cluster-management.io is not served',
        'install the governance framework: only a Policy brings the ArgoCD resource of the agent to a cluster',
      )
    }
    return ofClusters(hub, () =>
      ifSeen(fleet.hub, ['ManagedClusterAddOn'], () =>
        each(hub, `${listed(POLICY_ADDONS)} are Available`, 'enable the policy add-ons of these clusters', cluster => {
          const lacks = POLICY_ADDONS.filter(name => {
            const addon = fleet.hub.of('ManagedClusterAddOn').get(cluster, name)
            return addon === undefined || !isTrue(addon, 'Available')
          })
          return lacks.length === 0 ? undefined : `${listed(lacks)} not Available`
        }),
      ),
    )
  },
}

export const CLUSTER_CHECKS: readonly PreconditionCheck[] = [overlap, secrets, names, available, notTheHub, governance]
