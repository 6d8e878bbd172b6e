import type { KindName } from '../fleet/kinds.ts'

/** What is known about one kind on one cluster. Anything but `read` and `not-served` makes the checks that need it unknown. */
export type Coverage =
  /** The list was read. `complete: false` when a part of it is known to be missing or unreadable. */
  | {
      readonly state: 'read'
      readonly complete: boolean
      readonly reason?: string
      /** Namespaces that were read, where not all were: outside them nothing is known. */
      readonly within?: ReadonlySet<string>
      /** Names that were asked for, where not all were: of others nothing is known. */
      readonly names?: ReadonlySet<string>
      /**
       * Why only a part was asked for, where a command needs no more. What the part does not hold may be there: only a check
       * that asks of each object that it misses whether it was looked for (`perObject`) may conclude from absence.
       */
      readonly narrow?: string
    }
  /** The cluster does not serve the kind: knowledge, not ignorance. */
  | { readonly state: 'not-served' }
  /** The list was refused or failed. */
  | { readonly state: 'refused'; readonly reason: string }
  /** Nobody recorded it, so nothing is known. */
  | { readonly state: 'not-recorded'; readonly reason: string }

/** A trouble in reading that loses data. The rest is still read, and the result is marked incomplete. */
export interface SourceProblem {
  /** File (relative to the source) or request that failed. */
  readonly where: string
  /** 1-based line in the file, where the reader knows it. */
  readonly line?: number
  readonly message: string
}

export interface ClusterReport {
  /** `hub`, or the name of the ManagedCluster. */
  readonly name: string
  readonly role: 'hub' | 'spoke'
  readonly serverVersion?: string
  /** When reading this cluster began, epoch milliseconds; absent where the source does not say. */
  readonly readAt?: number
  readonly coverage: ReadonlyMap<KindName, Coverage>
  /** State of every kind that `coverage` does not name. */
  readonly otherwise: Coverage
}

export interface SourceReport {
  /**
   * True where only the spokes that the user named were to be read: that others are not there is no gap then, and checks on
   * spokes are skipped for them.
   */
  readonly spokesNamed?: boolean
  readonly clusters: readonly ClusterReport[]
  readonly problems: readonly SourceProblem[]
  /** What the reader decided on its own and the user should know, e.g. which folder it took for the hub. One line each. */
  readonly notes?: readonly string[]
}

/** Receives the raw objects as they are read; must not keep `raw` itself (a list of 50,000 would stay in memory). */
export interface ObjectSink {
  object(cluster: string, kind: KindName, raw: unknown, where: string): void
  /**
   * Another state of an object (same cluster, kind, namespace and name) that was handed over before: it takes the place of
   * the earlier one. A sink without this method gets it by `object`.
   */
  replace?(cluster: string, kind: KindName, raw: unknown, where: string): void
}

/** One request for objects of a kind: one by its name, or a list. */
export interface Part {
  readonly kind: KindName
  /** Absent: all namespaces, or a cluster-scoped kind. */
  readonly namespace?: string
  /** One object; absent: a list. */
  readonly name?: string
  readonly labelSelector?: string
  readonly fieldSelector?: string
  readonly metadataOnly?: boolean
  /** Objects of the list; with more than that the kind counts as read in part. */
  readonly most?: number
}

/** What of a kind was looked for; see Coverage. */
export interface PartScope {
  /** Why no more was read, where a whole run would have read more; see `narrow` of Coverage. */
  readonly reason?: string
  readonly within?: readonly string[]
  readonly names?: readonly string[]
}

/** A hub that is asked step by step, for commands that need little of it. */
export interface PartReading {
  /** Sends one request per part, beside each other. Each object is handed over once. */
  read(parts: readonly Part[], sink: ObjectSink): Promise<void>
  /** What is known by now; kinds that no part asked for are not recorded. */
  report(): SourceReport
  /** Reads the spokes, if any, and ends the reading. */
  finish(wanted: ReadonlySet<KindName>, sink: ObjectSink): Promise<SourceReport>
  /** Marks a kind as read only in this scope. */
  narrow(kind: KindName, scope: PartScope): void
  close(): void
}

/** A place that fleets are read from: a recording, a must-gather, a folder of YAML, live clusters. */
export interface FleetSource {
  readonly type: 'recording' | 'must-gather' | 'files' | 'live'
  /** What the user named: a path, or a context. */
  readonly name: string
  /**
   * Reads the wanted kinds of all clusters and hands each object to the sink.
   *
   * @param onSpokes those of the wanted kinds that matter on spokes, where reading the others costs something
   * @throws SourceError when nothing can be read at all (no such path, no object in it, limit exceeded).
   */
  read(
    wanted: ReadonlySet<KindName>,
    sink: ObjectSink,
    signal?: AbortSignal,
    onSpokes?: ReadonlySet<KindName>,
  ): Promise<SourceReport>
  /**
   * Reads by name and label instead of whole kinds; absent where reading all costs nothing.
   *
   * @throws as `read`
   */
  parts?(signal?: AbortSignal): Promise<PartReading>
}
