import { defineJoin, type Fleet, inputsOf } from '../../fleet/fleet.ts'
import { type AppLink, applications } from '../../fleet/joins/applications.ts'
import { isWorkName, type WorkLink, works } from '../../fleet/joins/works.ts'
import { type Subject, subject } from '../../fleet/subject.ts'
import { CONTROLLER_CONFIG_MAP } from '../../fleet/well-known.ts'
import type { Cause, Inputs } from '../check.ts'

/** What the joins of pull checks read. */
export const PULL_INPUTS: Inputs = inputsOf(applications, works)

/** The hub Application that a ManifestWork was made from, where it still exists. */
export function hubApp(fleet: Fleet, work: WorkLink): AppLink | undefined {
  return fleet.join(applications).byKey.get(work.appKey)
}

/**
 * Is it the ManifestWork that the hub Application would have now: same uid suffix, in the namespace of its target? Objects
 * that were saved without their uid do not tell one suffix from another.
 */
export function isCurrent(link: AppLink | undefined, work: WorkLink): boolean {
  if (link === undefined || work.cluster !== link.cluster) return false
  return link.app.meta.uid === '' || isWorkName(work.work.meta.name, link.app)
}

/** The Application on the spoke, by what the ManifestWork carries. */
export function spokeApp({ payload }: WorkLink): Subject | undefined {
  return payload?.subject
}

/** Faults that stop everything that is pulled by a cluster. */
export function clusterCauses(cluster: string): Cause[] {
  return [{ subject: subject('hub', 'ManagedCluster', '', cluster) }]
}

/** ConfigMaps of the pull controllers, in which the pull model can be switched off. */
const pullSwitches = defineJoin<readonly Cause[]>({ hub: ['ConfigMap'] }, fleet =>
  fleet.hub
    .of('ConfigMap')
    .all.filter(c => c.meta.name === CONTROLLER_CONFIG_MAP)
    .map(c => ({ subject: c.subject, codes: ['FLT0404'] })),
)

/** The switch that may have stopped the pull model as a whole. */
export function pullSwitchCauses(fleet: Fleet): readonly Cause[] {
  return fleet.join(pullSwitches)
}

/** Faults that keep the hub from writing or changing ManifestWorks. */
export function propagationCauses(fleet: Fleet, link: AppLink): Cause[] {
  return [
    ...pullSwitchCauses(fleet),
    { subject: subject('hub', 'AppProject', link.argoNamespace, link.app.project), codes: ['FLT0403'] },
    { subject: link.app.subject, codes: ['FLT0401', 'FLT0402', 'FLT0304'] },
    ...(link.appSet === undefined ? [] : [{ subject: link.appSet.appSet.subject, codes: ['FLT0304', 'FLT0401'] }]),
  ]
}
