import type { Fleet } from '../../fleet/fleet.ts'
import { inputsOf } from '../../fleet/fleet.ts'
import { appSets } from '../../fleet/joins/appsets.ts'
import { flavour } from '../../fleet/joins/flavour.ts'
import { groupBy } from '../../fleet/maps.ts'
import { can, RBAC_KINDS } from '../../fleet/rbac.ts'
import type { Plain } from '../../fleet/records.ts'
import { missing, subject } from '../../fleet/subject.ts'
import type { Check } from '../check.ts'
import { conditionFact, fact, names } from '../support.ts'

/** The ServiceAccount of the ApplicationSet controller, as ACM finds it (mci rbac_management.go), by its name's ending. */
function controllerAccount(fleet: Fleet, namespace: string): Plain | undefined {
  return fleet.hub
    .of('ServiceAccount')
    .in(namespace)
    .find(a => a.meta.name.endsWith('applicationset-controller'))
}

export const generatorRbac: Check = {
  code: 'FLT0209',
  slug: 'generator-rbac',
  title: 'The ApplicationSet controller may list placement decisions',
  severity: 'error',
  category: 'registration',
  models: ['push', 'pull', 'agent'],
  needs: { hub: ['ApplicationSet', 'ServiceAccount', ...RBAC_KINDS] },
  uses: inputsOf(appSets, flavour),
  docs: {
    why: 'Every clusterDecisionResource generator lists PlacementDecisions as the ServiceAccount of its controller. The GitOpsCluster controller writes the Role and RoleBinding when they are absent and does not watch them; if the ServiceAccount came later than the binding, the binding keeps a fallback name for ever. Existing Applications are kept, nothing new is generated.',
    remedy:
      'Let the GitOpsCluster controller write Role and RoleBinding again (within five minutes), or bind a Role with `list` on `placementdecisions.cluster.open-cluster-management.io` to the ServiceAccount.',
    sources: ['push-pull 1.6, 1.8'],
  },
  *run(fleet) {
    const upstream = fleet.join(flavour) === 'upstream'
    const links = fleet.join(appSets).all.filter(l => l.generators.length > 0 && l.argoNamespace !== '')
    for (const [namespace, users] of groupBy(links, l => l.argoNamespace)) {
      const account = controllerAccount(fleet, namespace)
      if (account === undefined) continue
      const { name } = account.meta
      const answer = can(
        fleet.hub,
        { namespace, name },
        { verb: 'list', group: 'cluster.open-cluster-management.io', resource: 'placementdecisions', namespace },
      )
      if (answer !== 'no') continue
      const binding = upstream ? 'ocm-placement-consumer' : `${namespace}-applicationset-controller-placement`
      const at = subject('hub', 'RoleBinding', namespace, binding)
      const there = fleet.hub.of('RoleBinding').get(namespace, binding)
      yield {
        subject: there === undefined ? missing(at) : at,
        message: `ServiceAccount "${name}" in namespace "${namespace}" may not list placementdecisions${there === undefined ? `: RoleBinding "${binding}" does not exist` : `: RoleBinding "${binding}" does not give it the right`}.`,
        evidence: [
          fact(
            there === undefined ? missing(at) : at,
            '',
            there === undefined
              ? 'does not exist'
              : `subjects: ${names(there.subjects.map(s => s.name))}; role ${there.roleName}`,
          ),
          ...users.slice(0, 5).map(l => conditionFact(l.appSet, 'ErrorOccurred')),
        ],
        effect: 'ApplicationSets generate nothing new; their Applications are kept as they are',
        fix: `oc -n ${namespace} create rolebinding ${binding} --role=${binding} --serviceaccount=${namespace}:${name} (the GitOpsCluster controller does it within 5 minutes)`,
        through: users.map(l => l.appSet.subject),
      }
    }
  },
}
