import type { ArgoCD } from './argo.ts'
import type { Base, Condition, StringMap } from './base.ts'

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
