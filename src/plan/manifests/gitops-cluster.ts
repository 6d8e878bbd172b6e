import type { Manifest } from '../object.ts'
import type { ApiVersionOf } from './served.ts'

/** OLM Subscription that the add-on makes on the spokes, where it is to install the operator by OLM. */
interface OlmSubscription {
  readonly channel: string
}

export interface GitOpsClusterInput {
  readonly namespace: string
  readonly name: string
  /** Namespace of the Argo CD instance. */
  readonly argoNamespace: string
  readonly placement: string
  /** ManagedServiceAccount whose token pushes; absent: ACM's `application-manager`. */
  readonly serviceAccount?: string
  /** Register the clusters without credentials: enough for pull, and nothing for push. */
  readonly blankSecrets?: boolean
  /** The GitOps add-on: an Argo CD on each spoke, with the agent where `agent` is given. */
  readonly addon?: {
    readonly olm?: OlmSubscription
    readonly agent?: { readonly mode: 'managed' | 'autonomous'; readonly address?: string; readonly port?: string }
  }
}

function addonOf({ olm, agent }: NonNullable<GitOpsClusterInput['addon']>): Record<string, unknown> {
  return {
    enabled: true,
    ...(olm === undefined ? {} : { olmSubscription: { enabled: true, channel: olm.channel } }),
    ...(agent === undefined
      ? {}
      : {
          argoCDAgent: {
            enabled: true,
            mode: agent.mode,
            ...(agent.address === undefined ? {} : { serverAddress: agent.address }),
            ...(agent.port === undefined ? {} : { serverPort: agent.port }),
          },
        }),
  }
}

/**
 * ACM's GitOpsCluster (v1beta1). `argoServer.cluster` and `placementRef.namespace` have no effect and are left out
 * (push-pull.md 1.6).
 */
export function gitOpsCluster(version: ApiVersionOf, input: GitOpsClusterInput): Manifest {
  const { namespace, name, argoNamespace, placement, serviceAccount, blankSecrets, addon } = input
  return {
    apiVersion: version('GitOpsCluster'),
    kind: 'GitOpsCluster',
    metadata: { name, namespace },
    spec: {
      argoServer: { argoNamespace },
      placementRef: { apiVersion: version('Placement'), kind: 'Placement', name: placement },
      ...(serviceAccount === undefined ? {} : { managedServiceAccountRef: serviceAccount }),
      ...(blankSecrets === undefined ? {} : { createBlankClusterSecrets: blankSecrets }),
      ...(addon === undefined ? {} : { gitopsAddon: addonOf(addon) }),
    },
  }
}

/** Upstream's GitOpsCluster (v1alpha1): agents only, for the Argo CD of its own namespace (agent-mode.md 3.5). */
export function agentGitOpsCluster(
  version: ApiVersionOf,
  { namespace, name, placement }: { readonly namespace: string; readonly name: string; readonly placement: string },
): Manifest {
  return {
    apiVersion: version('GitOpsCluster'),
    kind: 'GitOpsCluster',
    metadata: { name, namespace },
    spec: { placementRef: { kind: 'Placement', name: placement }, argoCDAgentAddon: { mode: 'managed' } },
  }
}
