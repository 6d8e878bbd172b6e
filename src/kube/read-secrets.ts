import type { KubeError } from './errors.ts'
import { AGENT_SECRETS, CLUSTER_SECRETS, type Selection } from './read-plan.ts'
import type { ObjectName } from './resource.ts'

interface SecretReading {
  /** Namespaces with an Argo CD control plane: Secrets are read nowhere else. */
  readonly namespaces: readonly string[]
  /** Those among them with an argocd-agent principal or agent. */
  readonly agentMode: ReadonlySet<string>
  readonly list: (namespace: string, selection: Selection) => Promise<KubeError | undefined>
  readonly get: (name: ObjectName) => Promise<void>
}

/**
 * Reads as few Secrets as the checks need: Argo CD's cluster secrets, and in agent mode the handful by which principal and
 * agents live, by name, and of the others their metadata. Values are taken out where they arrive (redact.ts).
 */
export async function readSecrets({ namespaces, agentMode, list, get }: SecretReading): Promise<void> {
  await Promise.all(
    namespaces.map(async namespace => {
      const failure = await list(namespace, { labelSelector: CLUSTER_SECRETS })
      if (failure !== undefined || !agentMode.has(namespace)) return
      await Promise.all(AGENT_SECRETS.map(name => get({ namespace, name })))
      // Who may list may do it so too; names and labels of the rest are enough.
      await list(namespace, { metadataOnly: true })
    }),
  )
}
