import { generatorRights } from '../../checks/registration/goc-support.ts'
import { flavour } from '../../fleet/joins/flavour.ts'
import { write } from '../edits.ts'
import type { Fix } from '../fix.ts'

export const generatorRbacFix: Fix = {
  code: 'FLT0209',
  does: 'give the ApplicationSet controller its Role on placement decisions',
  risk: 'the controller may list the decisions of its own namespace; ApplicationSets generate again',
  safe: true,
  kinds: ['Role', 'RoleBinding'],
  repair(input) {
    const { finding, fleet, version } = input
    const { namespace, name } = finding.subject
    const account = fleet.hub
      .of('ServiceAccount')
      .in(namespace)
      .find(a => a.meta.name.endsWith('applicationset-controller'))?.meta.name
    if (account === undefined) return 'the ServiceAccount of the ApplicationSet controller was not found'
    const { role } = generatorRights(namespace, fleet.join(flavour) === 'upstream')
    const isRole = finding.subject.kind === 'Role'
    const there = isRole ? undefined : fleet.hub.of('RoleBinding').get(namespace, name)
    if (there !== undefined && (there.roleKind !== 'Role' || there.roleName !== role)) {
      return `RoleBinding ${name} gives another role, and the role of a binding cannot be changed`
    }
    const subjects = (there?.subjects ?? []).map(s => ({
      kind: s.kind,
      name: s.name,
      namespace: s.namespace || namespace,
    }))
    const rule = {
      apiGroups: ['cluster.open-cluster-management.io'],
      resources: ['placementdecisions'],
      verbs: ['list'],
    }
    const isEnough = fleet.hub
      .of('Role')
      .get(namespace, role)
      ?.rules.some(r => r.resources.includes('placementdecisions') && r.verbs.includes('list'))
    return {
      steps: [
        ...(isEnough === true
          ? []
          : [
              write(
                { apiVersion: version('Role'), kind: 'Role', metadata: { name: role, namespace }, rules: [rule] },
                'the right that every clusterDecisionResource generator needs',
              ),
            ]),
        ...(isRole
          ? []
          : [
              write(
                {
                  apiVersion: version('RoleBinding'),
                  kind: 'RoleBinding',
                  metadata: { name, namespace },
                  roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: role },
                  subjects: [...subjects, { kind: 'ServiceAccount', name: account, namespace }],
                },
                `hands it to ${account}`,
              ),
            ]),
      ],
    }
  },
}
