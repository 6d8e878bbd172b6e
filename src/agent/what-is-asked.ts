import { hubFacts } from '../bootstrap/hub.ts'
import type { Part } from '../bootstrap/part-names.ts'
import type { Settings } from '../bootstrap/settings.ts'
import { UsageError } from '../errors.ts'
import type { Fleet } from '../fleet/fleet.ts'
import { registration } from '../fleet/joins/registration.ts'
import type { SetUp } from './choices.ts'

/** The set-up that a hub is in, or would be in without being asked. */
export function setUpOf(fleet: Fleet, argoNamespace: string, wanted: SetUp | undefined): SetUp {
  const { flavour } = hubFacts(fleet)
  if (flavour === 'upstream') {
    if (wanted === undefined || wanted === 'upstream') return 'upstream'
    throw new UsageError(
      `this hub runs upstream Open Cluster Management: --setup ${wanted} needs ACM; use --setup upstream`,
    )
  }
  if (wanted === 'upstream') {
    throw new UsageError(
      'this hub runs ACM: its GitOpsCluster (v1beta1) and that of upstream (v1alpha1) exclude each other; use --setup documented, hybrid or dedicated',
    )
  }
  if (wanted !== undefined) return wanted
  const argo = fleet.hub.of('ArgoCD').in(argoNamespace)[0]
  return argo?.principal?.enabled === true && argo.controllerEnabled ? 'hybrid' : 'documented'
}

/** Settings completed by the agent GitOpsCluster that is there, so that a hub that is set up is found so. */
export function completed(fleet: Fleet, home: string, settings: Settings): Settings {
  const existing = fleet.join(registration).all.find(r => r.writes === 'agent' && r.argoNamespace === home)?.goc
  if (existing === undefined || existing.meta.namespace !== home) return settings
  const isChosen = settings.placement !== undefined || settings.set !== undefined || settings.clusters !== undefined
  return {
    ...settings,
    ...(isChosen ? {} : { placement: existing.placementRef.name }),
    ...(isChosen || settings.gitopscluster !== undefined ? {} : { gitopscluster: existing.meta.name }),
  }
}

export function partsFor(settings: Settings): ReadonlySet<Part> {
  const isChosen = settings.placement !== undefined || settings.set !== undefined || settings.clusters !== undefined
  if (!isChosen) return new Set<Part>(['principal'])
  const hasSource = settings.repoUrl !== undefined || settings.path !== undefined
  return new Set<Part>([
    'clusterset',
    'binding',
    'placement',
    'rbac',
    'principal',
    'gitopscluster',
    ...(hasSource ? (['appset'] as const) : []),
  ])
}
