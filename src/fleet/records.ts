/**
 * The typed model of the chain: one small record per object, holding what checks and traces read and nothing else.
 * Times are epoch milliseconds. A field that was absent, or of a wrong type, is undefined or empty; never guessed.
 */

import type { Application, ApplicationSet, AppProject, ArgoCD } from './records/argo.ts'
import type { Plain } from './records/base.ts'
import type {
  ConfigMap,
  Crd,
  Csr,
  KubeEvent,
  Lease,
  Namespace,
  Pod,
  Role,
  RoleBinding,
  Route,
  Secret,
  Service,
  Workload,
} from './records/core.ts'
import type { ClusterServiceVersion, PlacementBinding, Policy, Subscription } from './records/operators.ts'
import type {
  AddOnDeploymentConfig,
  ClusterPermission,
  GitOpsCluster,
  ManagedClusterAddOn,
  ManagedServiceAccount,
} from './records/registration.ts'
import type {
  ManagedCluster,
  ManagedClusterSet,
  ManagedClusterSetBinding,
  Placement,
  PlacementDecision,
} from './records/selection.ts'
import type { ApplicationSetReport, AppliedManifestWork, ManifestWork } from './records/work.ts'

export type * from './records/argo.ts'
export type * from './records/base.ts'
export type * from './records/core.ts'
export type * from './records/operators.ts'
export type * from './records/registration.ts'
export type * from './records/selection.ts'
export type * from './records/work.ts'

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
