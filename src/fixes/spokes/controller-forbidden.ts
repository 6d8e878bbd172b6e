import type { Problem } from '../../checks/argo/problems.ts'
import { DEFAULT_MSA } from '../../fleet/joins/registration.ts'
import type { Application } from '../../fleet/records.ts'
import { subjectKey } from '../../fleet/subject.ts'
import { manifestWork } from '../../plan/manifests/manifest-work.ts'
import { clusterPermission } from '../../plan/manifests/service-account.ts'
import { apiVersion } from '../../plan/object.ts'
import { kindNamed, write } from '../edits.ts'
import type { Fix, FixInput, FixStep } from '../fix.ts'
import { refusedTo } from './problem-apps.ts'
import { rightsFor, rightsName, roleObjects } from './rights.ts'
import { startSync } from './start-sync.ts'

/** The Application on the hub by which a sync is started, where there is one. */
function hubCopy({ of }: Problem): Application | undefined {
  return of.hub?.app ?? (of.at === 'hub' ? of.app : undefined)
}

/** Does the hub act there by the token of a ManagedServiceAccount? */
function isPushed({ of }: Problem, cluster: string): boolean {
  return of.at === 'hub' && cluster !== 'hub' && !of.copied
}

function grant({ finding, fleet, version }: FixInput, list: readonly Problem[]): readonly FixStep[] | string {
  const { cluster, namespace, name } = finding.subject
  const rights = rightsFor(list.flatMap(p => p.forbidden ?? []))
  const title = rightsName(name, rights)
  const why = `gives ServiceAccount ${namespace}/${name}${cluster === 'hub' ? '' : ` of ${cluster}`} what was refused`
  const account = { namespace, name }
  if (cluster === 'hub')
    return roleObjects(title, rights, account).map(object => {
      const { kind, metadata, ...rest } = object
      const of = { ...finding.subject, kind: String(kind) }
      return write(
        { ...rest, apiVersion: apiVersion(kindNamed(of), 'v1'), kind: of.kind, metadata: metadata as { name: string } },
        why,
      )
    })
  const isManaged = fleet.hub.of('ManagedServiceAccount').get(cluster, name) !== undefined
  if (list.some(p => isPushed(p, cluster)) && isManaged && fleet.hub.serves('ClusterPermission')) {
    const input = {
      cluster,
      name: title,
      account: name,
      namespaces: rights.filter(r => r.namespace !== ''),
      clusterRules: rights.find(r => r.namespace === '')?.rules ?? [],
    }
    return [write(clusterPermission(version, input), why)]
  }
  if (!fleet.hub.serves('ManifestWork')) return NO_WAY
  return [write(manifestWork(version, { cluster, name: title, objects: roleObjects(title, rights, account) }), why)]
}

const NO_WAY = 'the hub hands out no rights on this cluster: it serves neither ClusterPermissions nor ManifestWorks'

export const controllerForbiddenFix: Fix = {
  code: 'FLT0507',
  does: 'give the account the smallest rules that the refused requests need, and start a sync where the retries are used up',
  risk: 'the account may do this with every object of that kind in that place, whichever Application asks for it',
  safe: false,
  kinds: [
    'ManifestWork',
    'ClusterPermission',
    'Role',
    'RoleBinding',
    'ClusterRole',
    'ClusterRoleBinding',
    'Application',
  ],
  hinders: (finding, fleet) =>
    finding.subject.name === DEFAULT_MSA && refusedTo(finding, fleet).some(p => isPushed(p, finding.subject.cluster))
      ? `ACM gives ${DEFAULT_MSA} its rights with the add-on of that name; enable the add-on again`
      : undefined,
  repair(input) {
    const { finding, fleet } = input
    const list = refusedTo(finding, fleet)
    const steps = grant(input, list)
    if (typeof steps === 'string') return steps
    const stopped = list.filter(p => !p.retrying).flatMap(p => hubCopy(p) ?? [])
    const apps = new Map(stopped.map(app => [subjectKey(app.subject), app]))
    return { steps: [...steps, ...[...apps.values()].map(app => startSync(input, app))] }
  },
}
