import type { ClusterReport, Coverage } from '../source/source.ts'
import type { KindName } from './kinds.ts'
import { type CelCompiler, noCel } from './placement/cel.ts'
import type { Records } from './records.ts'
import { Table } from './table.ts'

/** Which kinds something reads: on the hub, on the spokes. */
export interface KindSet {
  readonly hub?: readonly KindName[]
  readonly spoke?: readonly KindName[]
}

/** One cluster as it was read: its tables of records, and what is known of each kind. */
export class ClusterView {
  readonly name: string
  readonly role: 'hub' | 'spoke'
  readonly serverVersion: string
  /** When this cluster was read, epoch milliseconds. Clusters of one fleet are read one after the other. */
  readonly readAt: number
  readonly #tables: ReadonlyMap<KindName, Table<never>>
  readonly #coverage: (kind: KindName) => Coverage
  readonly #observe: Observer | undefined

  constructor(
    report: ClusterReport,
    readAt: number,
    tables: ReadonlyMap<KindName, Table<never>>,
    observe: Observer | undefined,
  ) {
    this.name = report.name
    this.role = report.role
    this.serverVersion = report.serverVersion ?? ''
    this.readAt = readAt
    this.#tables = tables
    this.#coverage = kind => report.coverage.get(kind) ?? report.otherwise
    this.#observe = observe
  }

  /** The records of a kind; an empty table where the kind was not read. Ask `coverage` before you conclude from absence. */
  of<K extends KindName>(kind: K): Table<Records[K]> {
    this.#observe?.(this.role, kind)
    // The map is filled per kind by loadFleet, which keeps kind and record type together.
    return (this.#tables.get(kind) as Table<Records[K]> | undefined) ?? (EMPTY as Table<Records[K]>)
  }

  coverage(kind: KindName): Coverage {
    this.#observe?.(this.role, kind)
    return this.#coverage(kind)
  }

  /**
   * Is all known about this kind, so that an object that is not in the table does not exist? With a namespace: is all
   * known there? A live hub is asked for its Secrets, Services, RBAC and the like in the namespaces of the chain only.
   * With a name: was that object looked for? A trace asks for few objects by name.
   */
  knows(kind: KindName, namespace?: string, name?: string): boolean {
    const c = this.coverage(kind)
    if (c.state !== 'read') return c.state === 'not-served'
    return (
      c.complete &&
      (c.within === undefined || namespace === undefined || c.within.has(namespace)) &&
      (c.names === undefined || name === undefined || c.names.has(name))
    )
  }

  /** Was no more of the kind read than a command needed, so that counts of it say nothing? */
  isNarrow(kind: KindName): boolean {
    const c = this.coverage(kind)
    return c.state === 'read' && c.narrow !== undefined
  }

  /** Does the cluster serve the kind, as far as is known? */
  serves(kind: KindName): boolean {
    return this.coverage(kind).state !== 'not-served'
  }

  /** The same cluster, telling `observe` about every kind that is read. */
  observed(report: ClusterReport, observe: Observer | undefined): ClusterView {
    return new ClusterView(report, this.readAt, this.#tables, observe)
  }
}

const EMPTY: Table<never> = new Table<never>([])

/** Hears of every kind that a check or a join reads. */
type Observer = (role: 'hub' | 'spoke', kind: KindName) => void

/** Something worked out of several kinds, once per fleet, and shared by all checks and traces. */
export interface Join<T> {
  readonly inputs: KindSet
  readonly compute: (fleet: Fleet) => T
}

/** Declares a join and the kinds that it reads; a test holds the declaration against what `compute` really reads. */
export function defineJoin<T>(inputs: KindSet, compute: (fleet: Fleet) => T): Join<T> {
  return { inputs, compute }
}

/** What several parts read together: joins with all that they read, and kinds beside them. Each kind once, in the order of naming. */
export function inputsOf(...parts: readonly (KindSet | Join<unknown>)[]): KindSet {
  const sets = parts.map(part => ('inputs' in part ? part.inputs : part))
  const together = (side: 'hub' | 'spoke'): readonly KindName[] => [...new Set(sets.flatMap(set => set[side] ?? []))]
  const hub = together('hub')
  const spoke = together('spoke')
  // A side that nobody reads is left out: whoever asks whether a check looks at spokes asks for the key.
  return { ...(hub.length > 0 ? { hub } : {}), ...(spoke.length > 0 ? { spoke } : {}) }
}

/** Evaluators that are loaded only for a fleet that needs them. */
interface FleetTools {
  readonly cel: CelCompiler
  /** Only the spokes that the user named were to be read, so that others are no gap. */
  readonly spokesNamed?: boolean
}

interface Shared {
  readonly tools: FleetTools
  readonly reports: ReadonlyMap<string, ClusterReport>
  readonly views: ReadonlyMap<string, ClusterView>
  readonly joins: Map<Join<unknown>, unknown>
}

/** The whole fleet at one moment: the hub, the spokes that were read, and everything joined between them. */
export class Fleet {
  /** The moment that ages are counted from, epoch milliseconds. */
  readonly now: number
  readonly hub: ClusterView
  /** Spokes that were read, by ManagedCluster name. */
  readonly spokes: ReadonlyMap<string, ClusterView>
  readonly #shared: Shared
  readonly #observe: Observer | undefined

  private constructor(
    now: number,
    hub: ClusterView,
    spokes: ReadonlyMap<string, ClusterView>,
    shared: Shared,
    observe?: Observer,
  ) {
    this.now = now
    this.hub = hub
    this.spokes = spokes
    this.#shared = shared
    this.#observe = observe
  }

  static of(
    now: number,
    reports: readonly ClusterReport[],
    views: ReadonlyMap<string, ClusterView>,
    tools: FleetTools = { cel: noCel },
  ): Fleet {
    const hub = views.get('hub')
    if (hub === undefined) throw new Error('a fleet has a hub')
    const spokes = new Map([...views].filter(([, view]) => view.role === 'spoke'))
    const shared: Shared = { tools, reports: new Map(reports.map(r => [r.name, r])), views, joins: new Map() }
    return new Fleet(now, hub, spokes, shared)
  }

  get tools(): FleetTools {
    return this.#shared.tools
  }

  /** The result of a join, worked out at its first use. */
  join<T>(join: Join<T>): T {
    if (this.#observe !== undefined) {
      for (const kind of join.inputs.hub ?? []) this.#observe('hub', kind)
      for (const kind of join.inputs.spoke ?? []) this.#observe('spoke', kind)
    }
    const { joins } = this.#shared
    const known = joins.get(join)
    if (known !== undefined) return known as T
    const made = join.compute(this.#observe === undefined ? this : this.observedBy(undefined))
    joins.set(join, made)
    return made
  }

  /** The same fleet with only the spokes that hold all of these kinds: what a check may draw conclusions from. */
  withSpokesKnowing(kinds: readonly KindName[], how: 'read' | 'whole' = 'read'): Fleet {
    if (kinds.length === 0) return this
    const known = (view: ClusterView): boolean =>
      kinds.every(kind => (how === 'whole' ? view.knows(kind) : readable(view.coverage(kind))))
    const spokes = new Map([...this.spokes].filter(([, view]) => known(view)))
    return spokes.size === this.spokes.size ? this : new Fleet(this.now, this.hub, spokes, this.#shared, this.#observe)
  }

  /** The same fleet, telling `observe` about every kind that is read through it. Joins are shared, not worked out again. */
  observedBy(observe: Observer | undefined): Fleet {
    const wrap = (view: ClusterView): ClusterView => {
      const report = this.#shared.reports.get(view.name)
      return report === undefined ? view : view.observed(report, observe)
    }
    const all = observe === undefined ? [...this.#shared.views].filter(([, v]) => v.role === 'spoke') : [...this.spokes]
    const spokes = observe === undefined ? new Map(all) : new Map(all.map(([name, view]) => [name, wrap(view)]))
    const hub = observe === undefined ? (this.#shared.views.get('hub') ?? this.hub) : wrap(this.hub)
    return new Fleet(this.now, hub, spokes, this.#shared, observe)
  }

  /** A fresh copy without cached joins: for the test that holds joins to their declared inputs. */
  withoutJoins(): Fleet {
    return new Fleet(this.now, this.hub, this.spokes, { ...this.#shared, joins: new Map() }, this.#observe)
  }
}

/** Was the list of a kind read at all, or is the kind known not to be served? */
function readable(coverage: Coverage): boolean {
  return coverage.state === 'read' || coverage.state === 'not-served'
}
