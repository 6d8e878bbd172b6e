import { PLACEMENT_LABEL, PULL_LABEL, PULL_NAMESPACE, PULL_TARGET, SKIP_RECONCILE } from '../../fleet/labels.ts'
import type { StringMap } from '../../fleet/records.ts'
import type { Manifest } from '../object.ts'
import type { ApiVersionOf } from './served.ts'

/** What becomes of a cluster's workload when it leaves the Placement. */
export type OnLeave = 'keep' | 'remove'

export type Delivery =
  /** The hub's Argo CD applies to the cluster's API server. */
  | { readonly model: 'push' }
  /** ManifestWork carries the Application to the Argo CD of the spoke, which lives in `spokeNamespace`. */
  | { readonly model: 'pull'; readonly spokeNamespace: string }
  /** The principal hands it to the agent that is called like the cluster. */
  | { readonly model: 'agent' }

interface SyncInput {
  readonly automated: boolean
  readonly prune: boolean
  readonly selfHeal: boolean
  readonly options: readonly string[]
}

export interface ApplicationSetInput {
  readonly namespace: string
  readonly name: string
  /** ConfigMap that tells the generator how to read decisions. */
  readonly configMap: string
  readonly placement: string
  readonly requeueAfterSeconds: number
  /** Templates are Go templates (`{{.name}}`), not the older form (`{{name}}`). */
  readonly goTemplate: boolean
  /** Name of the Applications, with the cluster's name as a template field. */
  readonly applicationName: string
  readonly project: string
  readonly source: { readonly repoURL: string; readonly path: string; readonly targetRevision: string }
  /** Namespace for resources that name none. */
  readonly destinationNamespace?: string
  readonly sync: SyncInput
  readonly onLeave: OnLeave
  readonly delivery: Delivery
}

/** The label and annotations that make an Application one of the pull model (push-pull.md 1.9, 1.10). All four or none. */
export function pullMetadata(cluster: string, spokeNamespace: string): { labels: StringMap; annotations: StringMap } {
  return {
    labels: { [PULL_LABEL]: 'true' },
    annotations: {
      [SKIP_RECONCILE]: 'true',
      [PULL_TARGET]: cluster,
      [PULL_NAMESPACE]: spokeNamespace,
    },
  }
}

/** Attempts after which automated sync gives up; enough for rights that arrive a little late (push-pull.md 1.12). */
const RETRY = { limit: 10, backoff: { duration: '10s', factor: 2, maxDuration: '5m' } }

function syncPolicy({ automated, prune, selfHeal, options }: SyncInput): Record<string, unknown> {
  return {
    ...(automated ? { automated: { prune, selfHeal } } : {}),
    ...(options.length === 0 ? {} : { syncOptions: [...options] }),
    retry: { ...RETRY, backoff: { ...RETRY.backoff } },
  }
}

/**
 * `preserveResourcesOnDeletion` keeps the workload by leaving the finalizer out. In the pull model that would orphan the
 * ManifestWork, so the Application itself is kept there (push-pull.md 5, point 11).
 */
function leavePolicy(onLeave: OnLeave, delivery: Delivery): Record<string, unknown> | undefined {
  if (onLeave === 'remove') return undefined
  return delivery.model === 'pull' ? { applicationsSync: 'create-update' } : { preserveResourcesOnDeletion: true }
}

/** One Application for each cluster that a Placement decides on, in one of the three delivery models. */
export function applicationSet(version: ApiVersionOf, input: ApplicationSetInput): Manifest {
  const { delivery, goTemplate, destinationNamespace } = input
  const cluster = goTemplate ? '{{.name}}' : '{{name}}'
  const policy = leavePolicy(input.onLeave, delivery)
  const target =
    delivery.model === 'pull'
      ? // The Argo CD that reconciles it runs on the cluster itself.
        { server: 'https://kubernetes.default.svc' }
      : { name: cluster }
  return {
    apiVersion: version('ApplicationSet'),
    kind: 'ApplicationSet',
    metadata: { name: input.name, namespace: input.namespace },
    spec: {
      ...(goTemplate ? { goTemplate: true, goTemplateOptions: ['missingkey=error'] } : {}),
      generators: [
        {
          clusterDecisionResource: {
            configMapRef: input.configMap,
            labelSelector: { matchLabels: { [PLACEMENT_LABEL]: input.placement } },
            requeueAfterSeconds: input.requeueAfterSeconds,
          },
        },
      ],
      ...(policy === undefined ? {} : { syncPolicy: policy }),
      template: {
        metadata: {
          name: input.applicationName,
          ...(delivery.model === 'pull' ? pullMetadata(cluster, delivery.spokeNamespace) : {}),
        },
        spec: {
          project: input.project,
          source: { ...input.source },
          destination: {
            ...target,
            ...(destinationNamespace === undefined ? {} : { namespace: destinationNamespace }),
          },
          syncPolicy: syncPolicy(input.sync),
        },
      },
    },
  }
}
