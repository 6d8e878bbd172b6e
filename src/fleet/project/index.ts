import { isObject } from '../../raw.ts'
import type { KindName } from '../kinds.ts'
import type { Records } from '../records.ts'
import { application } from './application.ts'
import { applicationSet } from './application-set.ts'
import { appProject, argoCD } from './argocd.ts'
import * as core from './core.ts'
import { type FieldNote, Fields } from './fields.ts'
import * as operators from './operators.ts'
import * as registration from './registration.ts'
import * as selection from './selection.ts'
import { applicationSetReport, appliedManifestWork, manifestWork } from './work.ts'

type Projection<K extends KindName> = (cluster: string, object: Fields) => Records[K]

export type { FieldNote } from './fields.ts'

/** How a raw object of each kind becomes its record. */
const PROJECTIONS: { readonly [K in KindName]: Projection<K> } = {
  ManagedCluster: selection.managedCluster,
  ManagedClusterSet: selection.managedClusterSet,
  ManagedClusterSetBinding: selection.managedClusterSetBinding,
  Placement: selection.placement,
  PlacementDecision: selection.placementDecision,
  GitOpsCluster: registration.gitOpsCluster,
  MulticlusterApplicationSetReport: applicationSetReport,
  ApplicationSet: applicationSet,
  Application: application,
  AppProject: appProject,
  ArgoCD: argoCD,
  ManifestWork: manifestWork,
  AppliedManifestWork: appliedManifestWork,
  Klusterlet: core.plain('Klusterlet'),
  ManagedClusterAddOn: registration.managedClusterAddOn,
  ClusterManagementAddOn: core.plain('ClusterManagementAddOn'),
  AddOnDeploymentConfig: registration.addOnDeploymentConfig,
  AddOnTemplate: core.plain('AddOnTemplate'),
  ManagedServiceAccount: registration.managedServiceAccount,
  ClusterPermission: registration.clusterPermission,
  Policy: operators.policy,
  PlacementBinding: operators.placementBinding,
  Subscription: operators.subscription,
  ClusterServiceVersion: operators.clusterServiceVersion,
  OperatorGroup: core.plain('OperatorGroup'),
  Route: core.route,
  Secret: core.secret,
  ConfigMap: core.configMap,
  Service: core.service,
  ServiceAccount: core.plain('ServiceAccount'),
  Namespace: core.namespace,
  Pod: core.pod,
  Event: core.event,
  Deployment: core.workload('Deployment'),
  StatefulSet: core.workload('StatefulSet'),
  Role: core.role('Role'),
  RoleBinding: core.roleBinding('RoleBinding'),
  ClusterRole: core.role('ClusterRole'),
  ClusterRoleBinding: core.roleBinding('ClusterRoleBinding'),
  Lease: core.lease,
  CertificateSigningRequest: core.csr,
  CustomResourceDefinition: core.crd,
}

/**
 * Projects a raw object of a kind onto its record. Fields of a wrong type are lost one by one and pushed to `notes`.
 * Undefined when the value is no object or has no name: then nothing of it can be used, and a note says so.
 */
export function projectObject<K extends KindName>(
  kind: K,
  cluster: string,
  raw: unknown,
  notes: FieldNote[],
): Records[K] | undefined {
  if (!isObject(raw)) {
    notes.push({ path: '', expected: `an object of kind ${kind}`, found: raw === null ? 'null' : typeof raw })
    return undefined
  }
  const record = PROJECTIONS[kind](cluster, new Fields(raw, notes))
  if (record.meta.name === '') {
    notes.push({ path: '.metadata.name', expected: 'a name', found: 'nothing' })
    return undefined
  }
  return record
}
