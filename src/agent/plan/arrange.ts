import type { Blueprint } from '../../bootstrap/blueprint.ts'
import { applicationSetPart } from '../../bootstrap/parts/application-set.ts'
import { gitOpsClusterPart, registeredWait } from '../../bootstrap/parts/gitops-cluster.ts'
import { homePart } from '../../bootstrap/parts/namespace.ts'
import { decidedWait } from '../../bootstrap/parts/placement.ts'
import { spokesPart } from '../../bootstrap/parts/spokes.ts'
import { selectionWants } from '../../bootstrap/wants.ts'
import { subject } from '../../fleet/subject.ts'
import { GITOPS_ADDON } from '../../fleet/well-known.ts'
import type { Wait, Want } from '../../plan/make-steps.ts'
import type { SetUp } from '../choices.ts'
import { principalName } from '../hub.ts'
import type { OperatorPart } from './operator.ts'
import { DEDICATED_ARGO, dedicatedPrincipal, sharedPrincipal } from './principal.ts'

/** Everything that a switch writes and awaits, in order (agent-mode.md 2.3). */
interface AgentWants {
  readonly first: readonly (Want | Wait)[]
  rest(clusters: readonly string[]): readonly (Want | Wait)[]
  last(applications: readonly string[]): readonly Wait[]
}

interface AgentArrangement {
  readonly blueprint: Blueprint
  readonly setup: SetUp
  /** Name of the ArgoCD resource that is there; empty where there is none. */
  readonly argo: string
  readonly operator: OperatorPart
  /** Somebody gives the agents their rights already. */
  readonly hasRights: boolean
}

function registration({ blueprint, setup, argo }: AgentArrangement, clusters: readonly string[]): (Want | Wait)[] {
  const { argoNamespace: namespace } = blueprint
  const principal = principalName(setup === 'dedicated' ? DEDICATED_ARGO : argo)
  return [
    ...gitOpsClusterPart(blueprint),
    ...registeredWait(blueprint, clusters).map(wait => ({ ...wait, limitSeconds: 600 })),
    {
      type: 'wait',
      section: 'Registration',
      signal: {
        signal: 'rolled-out',
        subject: subject('hub', 'Deployment', namespace, principal),
        mentions: '',
      },
      why: 'it starts when its certificates are there, after a pause of up to five minutes',
      limitSeconds: 600,
    },
  ]
}

function agents({ blueprint }: AgentArrangement, clusters: readonly string[]): readonly Wait[] {
  const { argoNamespace: namespace, gitOpsCluster } = blueprint
  return [
    {
      type: 'wait',
      section: 'Agents',
      signal: { signal: 'addon', addon: GITOPS_ADDON, clusters },
      why: 'the add-on installs operator and agent on each cluster, which takes several minutes',
      limitSeconds: 900,
    },
    {
      type: 'wait',
      section: 'Agents',
      signal: {
        signal: 'compliant',
        namespace,
        // Made by ACM under this name (agent-mode.md 1.9).
        policy: `${gitOpsCluster.name}-argocd-policy`,
        clusters,
      },
      why: 'it brings the ArgoCD resource of the agent to each cluster',
      limitSeconds: 900,
    },
  ]
}

/** The home of a Placement of a second Argo CD has to be there before it. */
function home({ blueprint, setup }: AgentArrangement): readonly Want[] {
  if (setup !== 'dedicated' || !blueprint.parts.has('placement')) return []
  return homePart(blueprint, 'Clusters', blueprint.argoNamespace, 'home of the second Argo CD and of its Placement')
}

export function agentWants(arrangement: AgentArrangement): AgentWants {
  const { blueprint, setup, operator, hasRights } = arrangement
  const { parts, argoNamespace } = blueprint
  const isChosen = parts.has('gitopscluster')
  return {
    first: [...operator.wants, ...home(arrangement), ...selectionWants(blueprint)],
    rest: clusters => [
      ...(isChosen ? [{ ...decidedWait(blueprint, clusters), limitSeconds: 300 }] : []),
      ...(isChosen && !hasRights ? spokesPart(blueprint, clusters) : []),
      ...(setup === 'dedicated'
        ? dedicatedPrincipal(blueprint).filter(
            want => want.type === 'wait' || want.manifest.kind !== 'Namespace' || !isChosen,
          )
        : sharedPrincipal(blueprint, clusters, setup === 'hybrid')),
      ...(isChosen ? registration(arrangement, clusters) : []),
      ...(isChosen ? agents(arrangement, clusters) : []),
      ...(parts.has('appset') ? applicationSetPart(blueprint, clusters) : []),
    ],
    last: applications =>
      applications.length === 0 || blueprint.settings.sync === 'manual'
        ? []
        : [
            {
              type: 'wait',
              section: 'Applications',
              signal: { signal: 'reported', namespace: argoNamespace, applications },
              why: 'the way to the clusters and back works when an agent has reported each Application',
              limitSeconds: 600,
            },
          ],
  }
}
