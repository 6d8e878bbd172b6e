import type { Manifest } from '../object.ts'
import type { ApiVersionOf } from './served.ts'

/** Identity that ACM's add-on puts into the agents' certificates (agent-mode.md 1.6). */
export const ACM_AGENT_AUTH =
  'mtls:CN=system:open-cluster-management:cluster:([^:]+):addon:gitops-addon:agent:gitops-addon-agent'

interface PrincipalInput {
  readonly namespace: string
  readonly name: string
  /** False freezes everything that this instance deploys itself (agent-mode.md 2.6). */
  readonly controllerEnabled: boolean
  /** Namespaces of Applications that agents may get. */
  readonly applicationNamespaces: readonly string[]
}

/**
 * The fields by which the operator turns an Argo CD instance into a principal for agents (agent-mode.md 2.3, step 4). To be
 * applied on the server's side: a client-side apply drops what it does not name.
 */
export function argoCdPrincipal(version: ApiVersionOf, input: PrincipalInput): Manifest {
  return {
    apiVersion: version('ArgoCD'),
    kind: 'ArgoCD',
    metadata: { name: input.name, namespace: input.namespace },
    spec: {
      controller: { enabled: input.controllerEnabled },
      argoCDAgent: {
        principal: {
          enabled: true,
          destinationBasedMapping: true,
          auth: ACM_AGENT_AUTH,
          namespace: { allowedNamespaces: [...input.applicationNamespaces] },
          server: { route: { enabled: true } },
        },
      },
    },
  }
}
