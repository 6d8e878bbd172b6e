import type { AppCondition, Application } from './argo.ts'
import type { Base, Condition, StringMap } from './base.ts'

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
