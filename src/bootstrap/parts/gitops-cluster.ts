import { UsageError } from '../../errors.ts'
import { subject } from '../../fleet/subject.ts'
import type { Wait, Want } from '../../plan/make-steps.ts'
import { agentGitOpsCluster, type GitOpsClusterInput, gitOpsCluster } from '../../plan/manifests/gitops-cluster.ts'
import type { Blueprint } from '../blueprint.ts'

const SECTION = 'Registration'

/** Does this hub register clusters by a GitOpsCluster? Upstream only agents: else each managed cluster has a secret anyway. */
export function usesGitOpsCluster({ hub, model }: Blueprint): boolean {
  return hub.flavour === 'acm' || model === 'agent'
}

function input(blueprint: Blueprint): GitOpsClusterInput {
  const { argoNamespace, settings, model, spokeGitops } = blueprint
  const { existing, name } = blueprint.gitOpsCluster
  const channel = settings.channel
  const olm = channel === undefined ? {} : { olm: { channel } }
  const agent = model === 'agent' ? { agent: { mode: 'managed' as const } } : {}
  return {
    namespace: argoNamespace,
    name,
    argoNamespace: existing?.argoNamespace || argoNamespace,
    placement: blueprint.placement.name,
    ...(settings.serviceAccount === undefined ? {} : { serviceAccount: settings.serviceAccount }),
    ...(settings.blankSecrets === undefined ? {} : { blankSecrets: settings.blankSecrets }),
    ...(spokeGitops === 'addon' ? { addon: { ...olm, ...agent } } : {}),
  }
}

const WHY = {
  push: 'registers the clusters in Argo CD with tokens that ACM renews',
  pull: 'registers the clusters in Argo CD: the ApplicationSet finds no cluster without that',
  agent: 'registers the clusters as agents, makes their certificates, and installs the agent on each',
}

const WITHOUT_CREDENTIALS =
  'registers the clusters in Argo CD without credentials: enough for pull, and nothing for push'

/** Upstream's GitOpsCluster, which is for agents alone. */
function upstreamPart({
  hub,
  argoNamespace: namespace,
  placement,
  gitOpsCluster: { name, existing },
}: Blueprint): Want {
  return {
    type: 'object',
    section: SECTION,
    manifest: agentGitOpsCluster(hub.version, { namespace, name, placement: placement.name }),
    shared: existing !== undefined,
    why: WHY.agent,
    risk: { level: 'high', text: 'the agent and the Argo CD that come with it are administrators of every cluster' },
  }
}

/** @throws UsageError where the part is asked for alone on a hub that has no use for it */
export function gitOpsClusterPart(blueprint: Blueprint): readonly Want[] {
  const { model = 'push', hub, gitOpsCluster: choice, spokeGitops, settings, parts } = blueprint
  if (!usesGitOpsCluster(blueprint)) {
    if (parts.size > 1) return []
    throw new UsageError(
      'upstream Open Cluster Management makes a cluster secret for every managed cluster by itself; a GitOpsCluster is for agents ("bootstrap agent")',
    )
  }
  if (hub.flavour !== 'acm') return [upstreamPart(blueprint)]
  const holdsTokens = model !== 'agent' && spokeGitops !== 'addon' && settings.blankSecrets !== true
  return [
    {
      type: 'object',
      section: SECTION,
      manifest: gitOpsCluster(hub.version, input(blueprint)),
      shared: choice.existing !== undefined,
      why: settings.blankSecrets === true ? WITHOUT_CREDENTIALS : WHY[model],
      risk: holdsTokens
        ? {
            level: 'low',
            text: `whoever reads Secrets in ${blueprint.argoNamespace} has the rights of the service account on every cluster`,
          }
        : { level: 'none', text: '' },
      reversible: {
        yes: true,
        text:
          spokeGitops === 'addon'
            ? 'deleting it leaves the Policy, the add-ons and the cluster secrets that its controller made'
            : 'deleting it leaves the cluster secrets that its controller made',
      },
    },
  ]
}

/** Waits until Argo CD has the clusters; nothing where no GitOpsCluster registers them. */
export function registeredWait(blueprint: Blueprint, clusters: readonly string[]): readonly Wait[] {
  if (!usesGitOpsCluster(blueprint)) return []
  const { argoNamespace: namespace, hub } = blueprint
  const { name } = blueprint.gitOpsCluster
  return [
    {
      type: 'wait',
      section: SECTION,
      signal:
        hub.flavour === 'acm'
          ? { signal: 'registered', namespace, name, clusters }
          : {
              signal: 'condition',
              subject: subject('hub', 'GitOpsCluster', namespace, name),
              type: 'ClustersImported',
              status: 'True',
            },
      why: 'an ApplicationSet silently leaves out clusters that Argo CD does not know',
    },
  ]
}
