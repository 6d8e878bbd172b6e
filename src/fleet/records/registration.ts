import type { Base, Condition, StringMap } from './base.ts'

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

export interface AddOnDeploymentConfig extends Base {
  readonly variables: StringMap
}

export interface ClusterPermission extends Base {
  /** Names of existing (Cluster)Roles that it binds. */
  readonly roleNames: readonly string[]
  readonly conditions: readonly Condition[]
}
