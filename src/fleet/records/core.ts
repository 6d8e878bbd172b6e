import type { ClusterConfig } from '../cluster-config.ts'
import type { Base, Condition, LabelSelector, StringMap } from './base.ts'

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
