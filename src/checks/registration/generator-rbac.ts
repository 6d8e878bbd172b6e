import type { Fleet } from '../../fleet/fleet.ts'
import { inputsOf } from '../../fleet/fleet.ts'
import { appSets } from '../../fleet/joins/appsets.ts'
import { flavour } from '../../fleet/joins/flavour.ts'
import { groupBy } from '../../fleet/maps.ts'
import { can, RBAC_KINDS } from '../../fleet/rbac.ts'
import type { Plain, RoleBinding } from '../../fleet/records.ts'
import { missing, type Subject, subject } from '../../fleet/subject.ts'
import type { Check, Evidence } from '../check.ts'
import { conditionFact, fact, names } from '../support.ts'
import { generatorRights } from './goc-support.ts'

/** The ServiceAccount of the ApplicationSet controller, as ACM finds it (mci rbac_management.go), by its name's ending. */
function controllerAccount(fleet: Fleet, namespace: string): Plain | undefined {
  return fleet.hub
    .of('ServiceAccount')
    .in(namespace)
    .find(a => a.meta.name.endsWith('applicationset-controller'))
}

interface Fault {
  readonly subject: Subject
  readonly text: string
  readonly evidence: Evidence
}

/** The account is bound: then it is the Role that is not there, or does not say it. */
function faultOfRole(fleet: Fleet, namespace: string, name: string): Fault {
  const at = subject('hub', 'Role', namespace, name)
  const role = fleet.hub.of('Role').get(namespace, name)
  if (role === undefined)
    return { subject: missing(at), text: 'does not exist', evidence: fact(missing(at), '', 'does not exist') }
  const rules = role.rules.map(r => `${names(r.verbs)} ${names(r.resources)}`)
  return { subject: at, text: 'does not permit it', evidence: fact(at, '.rules', rules.join('; ') || 'none') }
}

function faultOfBinding(namespace: string, name: string, there: RoleBinding | undefined): Fault {
  if (there === undefined) {
    const at = missing(subject('hub', 'RoleBinding', namespace, name))
    return { subject: at, text: 'does not exist', evidence: fact(at, '', 'does not exist') }
  }
  const value = `subjects: ${names(there.subjects.map(s => s.name))}; role ${there.roleName}`
  return { subject: there.subject, text: 'does not give it the right', evidence: fact(there, '', value) }
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
      const { role, binding } = generatorRights(namespace, upstream)
      const there =
        fleet.hub.of('RoleBinding').get(namespace, binding) ??
        fleet.hub
          .of('RoleBinding')
          .in(namespace)
          .find(b => b.roleKind === 'Role' && b.roleName === role)
      const bound = there?.roleName === role && there.subjects.some(s => s.kind === 'ServiceAccount' && s.name === name)
      const fault = bound ? faultOfRole(fleet, namespace, role) : faultOfBinding(namespace, binding, there)
      yield {
        subject: fault.subject,
        message: `ServiceAccount "${name}" in namespace "${namespace}" may not list placementdecisions: ${fault.subject.kind} "${fault.subject.name}" ${fault.text}.`,
        evidence: [fault.evidence, ...users.slice(0, 5).map(l => conditionFact(l.appSet, 'ErrorOccurred'))],
        effect: 'ApplicationSets generate nothing new; their Applications are kept as they are',
        fix: bound
          ? `oc -n ${namespace} create role ${role} --verb=list --resource=placementdecisions.cluster.open-cluster-management.io`
          : `oc -n ${namespace} create rolebinding ${binding} --role=${role} --serviceaccount=${namespace}:${name}${upstream ? '' : ' (the GitOpsCluster controller does it within 5 minutes)'}`,
        through: users.map(l => l.appSet.subject),
      }
    }
  },
}
