import type { Base, Condition, LabelSelector, StringMap } from './base.ts'

export interface Source {
  readonly repoURL: string
  readonly path: string
  readonly chart: string
  readonly targetRevision: string
  readonly ref: string
}

export interface Destination {
  readonly server: string
  readonly name: string
  readonly namespace: string
}

export interface SyncPolicy {
  readonly automated: boolean
  readonly prune: boolean
  readonly selfHeal: boolean
  readonly syncOptions: readonly string[]
  readonly retryLimit: number | undefined
}

export interface AppCondition {
  readonly type: string
  readonly message: string
  readonly since: number | undefined
}

export interface ResourceStatus {
  readonly group: string
  readonly kind: string
  readonly namespace: string
  readonly name: string
  readonly status: string
  readonly health: string
  readonly healthMessage: string
  readonly hook: boolean
  readonly requiresPruning: boolean
}

/** A resource whose apply or hook failed in a sync. */
export interface SyncResultResource {
  readonly group: string
  readonly kind: string
  readonly namespace: string
  readonly name: string
  readonly status: string
  readonly message: string
  readonly hookType: string
  readonly hookPhase: string
}

export interface OperationState {
  readonly phase: string
  readonly message: string
  readonly startedAt: number | undefined
  readonly finishedAt: number | undefined
  readonly retryCount: number
  readonly autoHealAttempts: number
  readonly syncRevision: string
  /** Those that failed; nothing is kept of the others. */
  readonly resources: readonly SyncResultResource[]
}

export interface Application extends Base {
  readonly project: string
  readonly sources: readonly Source[]
  readonly destination: Destination
  readonly syncPolicy: SyncPolicy
  /** Fingerprint of `.spec` without the destination; equal for two Applications that want the same. Empty for pushed ones. */
  readonly specHash: string
  readonly operationPending: boolean
  readonly hasStatus: boolean
  readonly sync: string
  readonly revision: string
  readonly health: string
  readonly healthMessage: string
  readonly operation: OperationState | undefined
  readonly conditions: readonly AppCondition[]
  readonly resources: readonly ResourceStatus[]
  readonly controllerNamespace: string
  readonly reconciledAt: number | undefined
  /** Newest managedFields time of manager `argocd-agent`, where managedFields were read. */
  readonly agentWroteAt: number | undefined
}

export interface DecisionGenerator {
  readonly configMapRef: string
  readonly resourceName: string
  readonly labelSelector: LabelSelector | undefined
  readonly requeueAfterSeconds: number | undefined
  readonly values: StringMap
}

export interface ApplicationSet extends Base {
  readonly goTemplate: boolean
  /** Every clusterDecisionResource generator, nested ones included. */
  readonly decisionGenerators: readonly DecisionGenerator[]
  /** Types of all leaf generators, e.g. `clusterDecisionResource`, `list`, `git`. */
  readonly generatorTypes: readonly string[]
  /** True when a single clusterDecisionResource generator, not nested, is all there is: then Applications can be rendered. */
  readonly simple: boolean
  readonly template: {
    readonly name: string
    readonly namespace: string
    readonly labels: StringMap
    readonly annotations: StringMap
    readonly finalizers: readonly string[]
    readonly project: string
    readonly sources: readonly Source[]
    readonly destination: Destination
    readonly syncPolicy: SyncPolicy
  }
  readonly hasTemplatePatch: boolean
  readonly preserveResourcesOnDeletion: boolean
  readonly applicationsSync: string
  /** Keys of annotations and labels that the controller leaves alone (`.spec.preservedFields`). */
  readonly preservedKeys: readonly string[]
  /** Differences of Applications from the template that the controller leaves alone are configured. */
  readonly ignoresDifferences: boolean
  readonly hasStatus: boolean
  readonly conditions: readonly Condition[]
  readonly resources: readonly { readonly namespace: string; readonly name: string }[]
}

export interface ProjectDestination {
  readonly server: string
  readonly name: string
  readonly namespace: string
}

export interface AppProject extends Base {
  readonly destinations: readonly ProjectDestination[]
  readonly sourceRepos: readonly string[]
  readonly sourceNamespaces: readonly string[]
}

export interface ArgoCD extends Base {
  readonly controllerEnabled: boolean
  readonly serverEnabled: boolean | undefined
  readonly sourceNamespaces: readonly string[]
  readonly applicationSetSourceNamespaces: readonly string[]
  readonly principal:
    | {
        readonly enabled: boolean
        readonly destinationBasedMapping: boolean
        readonly auth: string
        readonly allowedNamespaces: readonly string[]
        readonly routeEnabled: boolean | undefined
        readonly serviceType: string
        readonly redisAddress: string
      }
    | undefined
  readonly agent:
    | {
        readonly enabled: boolean
        readonly mode: string
        readonly principalAddress: string
        readonly principalPort: string
        readonly destinationBasedMapping: boolean
        readonly createNamespace: boolean
        readonly allowedNamespaces: readonly string[]
      }
    | undefined
  readonly ha: boolean
  /** Fields of controller and agent mode that the last client-side apply gave and the object does not have. */
  readonly dropped: readonly string[]
  readonly phase: string
  readonly conditions: readonly Condition[]
}
