import { groupBy } from './maps.ts'
import type { Base } from './records.ts'

const NONE: readonly never[] = []

/** All records of one kind on one cluster, by name and by namespace. */
export class Table<R extends Base> {
  readonly all: readonly R[]
  #byName: Map<string, R> | undefined
  #byNamespace: Map<string, R[]> | undefined

  constructor(all: readonly R[]) {
    this.all = all
  }

  /** The object of this name; `namespace` is `''` for cluster-scoped kinds. */
  get(namespace: string, name: string): R | undefined {
    this.#byName ??= new Map(this.all.map(r => [`${r.meta.namespace}/${r.meta.name}`, r]))
    return this.#byName.get(`${namespace}/${name}`)
  }

  in(namespace: string): readonly R[] {
    this.#byNamespace ??= groupBy(this.all, r => r.meta.namespace)
    return this.#byNamespace.get(namespace) ?? NONE
  }
}
