import type { ClusterConfig } from './cluster-config.ts'
import type { Subject } from './subject.ts'

/**
 * The typed model of the chain: one small record per object, holding what checks and traces read and nothing else.
 * Times are epoch milliseconds. A field that was absent, or of a wrong type, is undefined or empty; never guessed.
 * Field sources: the CRDs named in docs/design.md.
 */
export interface OwnerRef {
  readonly apiVersion: string
  readonly kind: string
  readonly name: string
  readonly uid: string
  readonly controller: boolean
}

export type StringMap = Readonly<Record<string, string>>

export interface Meta {
  readonly namespace: string
  readonly name: string
  readonly uid: string
  readonly generation: number
  readonly labels: StringMap
  readonly annotations: StringMap
  readonly finalizers: readonly string[]
  readonly owners: readonly OwnerRef[]
  readonly created: number | undefined
  readonly deleting: number | undefined
}

export interface Condition {
  readonly type: string
  readonly status: string
  readonly reason: string
  readonly message: string
  readonly since: number | undefined
  readonly observedGeneration: number | undefined
}

/** What every record has: where it is, and its metadata. */
export interface Base {
  readonly subject: Subject
  readonly meta: Meta
}

export interface Taint {
  readonly key: string
  readonly value: string
  readonly effect: string
  readonly timeAdded: number | undefined
}

export interface ManagedCluster extends Base {
  readonly accepted: boolean
  readonly leaseDurationSeconds: number | undefined
  readonly clientConfigUrls: readonly string[]
  readonly taints: readonly Taint[]
  readonly claims: StringMap
  readonly kubernetesVersion: string
  readonly conditions: readonly Condition[]
  /** `.status.capacity`, quantities as written. Prioritizers and CEL predicates of Placements look at it; absent where not kept. */
  readonly capacity?: StringMap
  /** `.status.allocatable`, as `capacity`. */
  readonly allocatable?: StringMap
}

export interface LabelExpression {
  readonly key: string
  readonly operator: string
  readonly values: readonly string[]
}

/** A Kubernetes label selector. An empty one matches everything. */
export interface LabelSelector {
  readonly matchLabels: StringMap
  readonly matchExpressions: readonly LabelExpression[]
}

export interface ManagedClusterSet extends Base {
  readonly selectorType: string
  readonly labelSelector: LabelSelector | undefined
  readonly conditions: readonly Condition[]
}

export interface ManagedClusterSetBinding extends Base {
  readonly clusterSet: string
  readonly conditions: readonly Condition[]
}

export interface Toleration {
  readonly key: string
  readonly operator: string
  readonly value: string
  readonly effect: string
  readonly tolerationSeconds: number | undefined
}

export interface ClusterPredicate {
  readonly labelSelector: LabelSelector | undefined
  readonly claimExpressions: readonly LabelExpression[]
  readonly celExpressions: readonly string[]
}

/** `.spec.prioritizerPolicy`: what ranks the clusters where a Placement wants fewer than match. */
export interface PrioritizerPolicy {
  /** `Additive` (the default: Balance and Steady count too) or `Exact`. */
  readonly mode: string
  readonly configurations: readonly {
    /** `BuiltIn` or `AddOn`. */
    readonly type: string
    readonly builtIn: string
    /** `<resourceName>/<scoreName>` of an AddOn coordinate, else empty. */
    readonly addOn: string
    readonly weight: number
  }[]
}

/** An entry of `.spec.decisionStrategy.groupStrategy.decisionGroups`. */
export interface DecisionGroup {
  readonly name: string
  readonly labelSelector: LabelSelector | undefined
  readonly claimExpressions: readonly LabelExpression[]
}

export interface Placement extends Base {
  readonly clusterSets: readonly string[]
  readonly numberOfClusters: number | undefined
  readonly predicates: readonly ClusterPredicate[]
  readonly tolerations: readonly Toleration[]
  /** Absent where not kept; then its settings are taken as valid. */
  readonly prioritizerPolicy: PrioritizerPolicy
  /** Absent where not kept; then they are taken as valid. */
  readonly decisionGroups: readonly DecisionGroup[]
  readonly conditions: readonly Condition[]
  readonly numberOfSelectedClusters: number | undefined
}

export interface PlacementDecision extends Base {
  readonly placement: string
  readonly clusterNames: readonly string[]
}

export interface GitOpsCluster extends Base {
  readonly apiVersion: string
  readonly argoNamespace: string
  /** `.spec.argoServer.cluster`, which the controller does not read. */
  readonly argoCluster: string
  readonly placementRef: {
    readonly kind: string
    readonly apiVersion: string
    readonly name: string
    readonly namespace: string
  }
  readonly managedServiceAccountRef: string
  readonly createBlankClusterSecrets: boolean
  readonly addonEnabled: boolean
  readonly agentEnabled: boolean
  readonly agentMode: string
  readonly serverAddress: string
  readonly serverPort: string
  readonly phase: string
  readonly message: string
  readonly lastUpdate: number | undefined
  readonly conditions: readonly Condition[]
}

/** A Secret: key names only. `cluster` is there for Argo CD cluster secrets; the content of `config` is never kept. */
export interface Secret extends Base {
  readonly type: string
  readonly keys: readonly string[]
  readonly cluster:
    | (ClusterConfig & {
        readonly name: string
        readonly server: string
        readonly hasConfig: boolean
      })
    | undefined
  /** Of the TLS secrets of argocd-agent: the public certificate as PEM. Never a key. */
  readonly certificate: string | undefined
}

export interface ManagedServiceAccount extends Base {
  readonly conditions: readonly Condition[]
  readonly hasStatus: boolean
  readonly tokenSecret: string
  readonly lastRefresh: number | undefined
  readonly expires: number | undefined
  readonly rotationEnabled: boolean
  /** `.spec.rotation.validity`: how long a token is asked to live. */
  readonly validitySeconds: number | undefined
}

export interface ManagedClusterAddOn extends Base {
  readonly installNamespace: string
  readonly configs: readonly {
    readonly group: string
    readonly resource: string
    readonly namespace: string
    readonly name: string
  }[]
  readonly conditions: readonly Condition[]
}

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

export interface ManifestStatus {
  readonly ordinal: number
  readonly group: string
  readonly kind: string
  readonly resource: string
  readonly namespace: string
  readonly name: string
  readonly conditions: readonly Condition[]
  readonly feedback: StringMap
}

export interface ManifestRef {
  readonly group: string
  readonly kind: string
  readonly namespace: string
  readonly name: string
}

export interface ManifestWork extends Base {
  readonly manifests: readonly ManifestRef[]
  /** Applications inside the payload, as records of their own. */
  readonly applications: readonly Application[]
  /** The work agent is asked to report values of the Applications inside. */
  readonly asksFeedback: boolean
  readonly updateStrategies: readonly {
    readonly group: string
    readonly resource: string
    readonly namespace: string
    readonly name: string
    readonly type: string
  }[]
  readonly conditions: readonly Condition[]
  readonly manifestStatuses: readonly ManifestStatus[]
}

export interface AppliedManifestWork extends Base {
  readonly hubHash: string
  readonly manifestWorkName: string
  readonly evictionStart: number | undefined
  readonly appliedResources: readonly {
    readonly group: string
    readonly resource: string
    readonly namespace: string
    readonly name: string
  }[]
}

export interface ReportEntry {
  readonly cluster: string
  readonly sync: string
  readonly health: string
  readonly phase: string
  readonly startedAt: number | undefined
  readonly revision: string
  /** `<ApplicationSet namespace>/<Application>/<cluster>/<ManifestWork>`; empty for an entry that only search knows. */
  readonly app: string
  readonly conditions: readonly AppCondition[]
}

export interface ApplicationSetReport extends Base {
  readonly entries: readonly ReportEntry[]
  readonly summary: StringMap
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

export interface ConfigMap extends Base {
  readonly data: StringMap
}

export interface Service extends Base {
  readonly type: string
  /** Labels of the pods that it leads to; empty for one whose endpoints somebody else keeps. */
  readonly selector: StringMap
  readonly ports: readonly number[]
}

export interface Namespace extends Base {
  readonly phase: string
}

export interface PolicyRule {
  readonly apiGroups: readonly string[]
  readonly resources: readonly string[]
  readonly resourceNames: readonly string[]
  readonly verbs: readonly string[]
}

/** Role or ClusterRole. */
export interface Role extends Base {
  readonly rules: readonly PolicyRule[]
  /** ClusterRole aggregation: label selectors of the roles whose rules are added. */
  readonly aggregates: readonly LabelSelector[]
}

export interface RbacSubject {
  readonly kind: string
  readonly namespace: string
  readonly name: string
}

/** RoleBinding or ClusterRoleBinding. */
export interface RoleBinding extends Base {
  readonly roleKind: string
  readonly roleName: string
  readonly subjects: readonly RbacSubject[]
}

/** Deployment or StatefulSet. */
export interface Workload extends Base {
  readonly replicas: number
  readonly readyReplicas: number
  readonly images: readonly string[]
  readonly env: StringMap
  readonly args: readonly string[]
  readonly conditions: readonly Condition[]
}

export interface Pod extends Base {
  readonly phase: string
  readonly started: number | undefined
  readonly containers: readonly {
    readonly name: string
    readonly ready: boolean
    readonly restarts: number
    readonly waitingReason: string
    readonly lastMessage: string
  }[]
}

export interface Lease extends Base {
  readonly renewed: number | undefined
  readonly durationSeconds: number | undefined
}

export interface Csr extends Base {
  readonly signer: string
  readonly conditions: readonly Condition[]
  readonly hasCertificate: boolean
}

export interface KubeEvent extends Base {
  readonly involved: { readonly kind: string; readonly namespace: string; readonly name: string }
  readonly reason: string
  readonly message: string
  readonly type: string
  readonly lastSeen: number | undefined
}

export interface Policy extends Base {
  readonly disabled: boolean
  readonly remediationAction: string
  readonly compliant: string
  readonly clusterStatus: readonly { readonly cluster: string; readonly compliant: string }[]
  /** Objects in the object-templates of the policy's ConfigurationPolicies, with the fields that checks look at. */
  readonly objects: readonly PolicyObject[]
  /** Of a replicated policy: the newest message of each template that is not compliant. */
  readonly violations: readonly string[]
}

export interface PlacementBinding extends Base {
  readonly placementKind: string
  readonly placementName: string
  readonly boundTo: readonly { readonly kind: string; readonly name: string }[]
}

export interface PolicyObject {
  readonly apiVersion: string
  readonly kind: string
  readonly namespace: string
  readonly name: string
  readonly complianceType: string
  /** For an ArgoCD template: its agent block. */
  readonly argocd: ArgoCD | undefined
}

export interface Crd extends Base {
  readonly group: string
  readonly kind: string
  readonly plural: string
  readonly versions: readonly string[]
}

export interface Route extends Base {
  readonly host: string
  readonly termination: string
  readonly admitted: boolean | undefined
}

export interface Subscription extends Base {
  readonly packageName: string
  readonly channel: string
  readonly env: StringMap
  readonly installedCSV: string
  readonly currentCSV: string
  readonly manualApproval: boolean
  readonly state: string
  readonly conditions: readonly Condition[]
}

export interface ClusterServiceVersion extends Base {
  readonly version: string
  readonly phase: string
  readonly reason: string
  readonly message: string
}

export interface AddOnDeploymentConfig extends Base {
  readonly variables: StringMap
}

export interface ClusterPermission extends Base {
  /** Names of existing (Cluster)Roles that it binds. */
  readonly roleNames: readonly string[]
  readonly conditions: readonly Condition[]
}

/** An object of which only the metadata matter. */
export interface Plain extends Base {
  readonly conditions: readonly Condition[]
}

/** Record type of each kind. */
export interface Records {
  ManagedCluster: ManagedCluster
  ManagedClusterSet: ManagedClusterSet
  ManagedClusterSetBinding: ManagedClusterSetBinding
  Placement: Placement
  PlacementDecision: PlacementDecision
  GitOpsCluster: GitOpsCluster
  MulticlusterApplicationSetReport: ApplicationSetReport
  ApplicationSet: ApplicationSet
  Application: Application
  AppProject: AppProject
  ArgoCD: ArgoCD
  ManifestWork: ManifestWork
  AppliedManifestWork: AppliedManifestWork
  Klusterlet: Plain
  ManagedClusterAddOn: ManagedClusterAddOn
  ClusterManagementAddOn: Plain
  AddOnDeploymentConfig: AddOnDeploymentConfig
  AddOnTemplate: Plain
  ManagedServiceAccount: ManagedServiceAccount
  ClusterPermission: ClusterPermission
  Policy: Policy
  PlacementBinding: PlacementBinding
  Subscription: Subscription
  ClusterServiceVersion: ClusterServiceVersion
  OperatorGroup: Plain
  Route: Route
  Secret: Secret
  ConfigMap: ConfigMap
  Service: Service
  ServiceAccount: Plain
  Namespace: Namespace
  Pod: Pod
  Event: KubeEvent
  Deployment: Workload
  StatefulSet: Workload
  Role: Role
  RoleBinding: RoleBinding
  ClusterRole: Role
  ClusterRoleBinding: RoleBinding
  Lease: Lease
  CertificateSigningRequest: Csr
  CustomResourceDefinition: Crd
}
