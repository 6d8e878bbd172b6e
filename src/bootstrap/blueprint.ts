import { UsageError } from '../errors.ts'
import type { Fleet } from '../fleet/fleet.ts'
import { validPlacementRef } from '../fleet/joins/registration.ts'
import type { GitOpsCluster, Placement } from '../fleet/records.ts'
import { chooseSet, type SetChoice } from './clusters.ts'
import { type HubFacts, hubFacts } from './hub.ts'
import { checkNamespace, checkObjectName, listed } from './names.ts'
import type { Part } from './part-names.ts'
import type { Model, Settings } from './settings.ts'

/** All that the parts need to know: the settings, completed by what is on the hub and checked against it. */
export interface Blueprint {
  readonly parts: ReadonlySet<Part>
  readonly settings: Settings
  /** Undefined for a sub-step that is the same in every model. */
  readonly model: Model | undefined
  readonly fleet: Fleet
  readonly hub: HubFacts
  readonly argoNamespace: string
  readonly set: SetChoice | undefined
  readonly placement: { readonly name: string; readonly existing: Placement | undefined }
  readonly gitOpsCluster: { readonly name: string; readonly existing: GitOpsCluster | undefined }
  readonly appSet: string
  /** Who puts Argo CD on the clusters, in the pull and the agent model. */
  readonly spokeGitops: 'policy' | 'addon' | 'none'
}

/** What brings agents to a hub of upstream Open Cluster Management (agent-mode.md 3.5). */
export const AGENT_CHART = 'ocm/argocd-agent-addon'

/** @throws UsageError where there is no hub of Open Cluster Management, or not the kind that the model needs */
function checkHub(hub: HubFacts, model: Model | undefined): void {
  if (hub.flavour === 'none' || !hub.serves('ManagedCluster')) {
    throw new UsageError(
      'this cluster is no hub: it has no managed clusters (managedclusters.cluster.open-cluster-management.io); choose the hub of ACM or Open Cluster Management',
    )
  }
  if (hub.flavour === 'upstream' && model === 'agent' && !hub.serves('GitOpsCluster')) {
    throw new UsageError(
      `this hub serves no gitopsclusters.apps.open-cluster-management.io; install the Helm chart ${AGENT_CHART} first, which brings the principal, too`,
    )
  }
}

/** Namespace of Argo CD. @throws UsageError for one without Argo CD, or where several could be meant */
export function argoNamespace(hub: HubFacts, wanted: string | undefined): string {
  const known = hub.argoNamespaces
  if (wanted !== undefined) {
    checkNamespace(wanted, '--namespace')
    if (known.includes(wanted) || !hub.argoKnown) return wanted
    const where = known.length === 0 ? 'none was found on this hub' : `this hub has it in ${listed(known)}`
    throw new UsageError(`there is no Argo CD in namespace "${wanted}"; ${where}`)
  }
  const [only, ...more] = known
  if (only === undefined) {
    throw new UsageError('no Argo CD was found on this hub; install OpenShift GitOps or Argo CD first')
  }
  if (more.length > 0) throw new UsageError(`Argo CD runs in ${listed(known)}; choose one with --namespace`)
  return only
}

/** Longest value of a label. The generator finds the decisions by it (push-pull.md 1.5). */
const MOST_LABEL = 63

function choosePlacement(fleet: Fleet, namespace: string, settings: Settings, set: SetChoice | undefined) {
  const name = settings.placement ?? (set === undefined ? undefined : `${set.name}-clusters`)
  if (name === undefined) {
    throw new UsageError('nothing says which clusters are meant; pass --set with --clusters, or --placement')
  }
  checkObjectName(name, '--placement')
  if (name.length > MOST_LABEL) {
    throw new UsageError(
      `"${name}" is too long a name for a Placement: its decisions carry it as a label (at most ${MOST_LABEL}); choose a shorter one with --placement`,
    )
  }
  const existing = fleet.hub.of('Placement').get(namespace, name)
  if (existing === undefined && set === undefined) {
    throw new UsageError(
      `there is no Placement "${name}" in namespace "${namespace}"; pass --set to make it, or name another`,
    )
  }
  return { name, existing }
}

function chooseGitOpsCluster(fleet: Fleet, namespace: string, settings: Settings, placement: string, base: string) {
  const all = fleet.hub.of('GitOpsCluster').in(namespace)
  const user = all.find(
    goc =>
      validPlacementRef(goc) &&
      goc.placementRef.name === placement &&
      // Upstream's has no such field: it is for the Argo CD of its own namespace.
      (goc.argoNamespace || goc.meta.namespace) === namespace,
  )
  const name = settings.gitopscluster ?? user?.meta.name ?? `gitops-${base}`
  return { name: checkObjectName(name, '--gitopscluster'), existing: all.find(goc => goc.meta.name === name) }
}

function chooseSpokeGitops(
  settings: Settings,
  hub: HubFacts,
  model: Model | undefined,
  goc: GitOpsCluster | undefined,
): Blueprint['spokeGitops'] {
  if (model === 'push') return 'none'
  // The agent comes with the add-on and with nothing else; upstream it is another one, which needs nothing of us.
  if (model === 'agent') return hub.flavour === 'acm' ? 'addon' : 'none'
  const wanted = settings.spokeGitops
  const canEnforce = hub.flavour === 'acm' && hub.serves('Policy')
  if (wanted === 'policy' && !canEnforce) {
    throw new UsageError(
      'this hub serves no policies.policy.open-cluster-management.io; install Argo CD on the clusters otherwise and pass --spoke-gitops none',
    )
  }
  if (wanted === 'addon' && hub.flavour !== 'acm') {
    throw new UsageError(
      'the GitOps add-on belongs to ACM, which this hub is not; install Argo CD otherwise and pass --spoke-gitops none',
    )
  }
  if (wanted !== undefined) return wanted
  if (goc?.addonEnabled === true) return 'addon'
  return canEnforce ? 'policy' : 'none'
}

/**
 * Completes and checks the settings against the hub.
 *
 * @param options newArgoNamespace: an Argo CD that the plan itself makes
 * @throws UsageError with one line for what cannot be: nothing has been written then
 */
export function makeBlueprint(
  fleet: Fleet,
  settings: Settings,
  parts: ReadonlySet<Part>,
  model: Model | undefined,
  { newArgoNamespace }: { readonly newArgoNamespace?: string } = {},
): Blueprint {
  const hub = hubFacts(fleet)
  checkHub(hub, model)
  const isUpstreamAgent = hub.flavour === 'upstream' && model === 'agent'
  if (isUpstreamAgent && settings.setup !== undefined) {
    throw new UsageError(`--setup is for ACM; on this hub the Helm chart ${AGENT_CHART} sets the principal up`)
  }
  const set = chooseSet(fleet, settings, !parts.has('clusterset') && !parts.has('placement'), parts.has('clusterset'))
  const onlySet = parts.size === 1 && parts.has('clusterset')
  // A cluster set is of no namespace and no Argo CD.
  const namespace = onlySet ? '' : (newArgoNamespace ?? argoNamespace(hub, settings.namespace))
  // A binding is of a set, and a principal alone of no cluster yet.
  const needsPlacement = !onlySet && !(parts.size === 1 && (parts.has('binding') || parts.has('principal')))
  const placement = needsPlacement
    ? choosePlacement(fleet, namespace, settings, set)
    : { name: settings.placement ?? '', existing: undefined }
  const base = (set?.name ?? placement.name) || 'agents'
  const gitOpsCluster = chooseGitOpsCluster(fleet, namespace, settings, placement.name, base)
  const appSet = checkObjectName(settings.appset ?? `${base}-${model ?? 'apps'}`, '--appset')
  const spokeGitops = chooseSpokeGitops(settings, hub, model, gitOpsCluster.existing)
  return {
    // Upstream the chart makes the principal, with an identity of agents that is not ACM's.
    parts: isUpstreamAgent ? new Set([...parts].filter(part => part !== 'principal')) : parts,
    settings,
    model,
    fleet,
    hub,
    argoNamespace: namespace,
    set,
    placement,
    gitOpsCluster,
    appSet,
    spokeGitops,
  }
}
