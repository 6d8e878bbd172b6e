import type { Subject } from '../subject.ts'

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

/** An object of which only the metadata matter. */
export interface Plain extends Base {
  readonly conditions: readonly Condition[]
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
