import { getOrAdd, groupBy, indexBy } from './maps.ts'
import type { Base } from './records.ts'

const NONE: readonly never[] = []

/** So many objects of a namespace are looked through faster than they are put into a map. */
const FEW = 8

/** All records of one kind on one cluster, by name and by namespace. */
export class Table<R extends Base> {
  readonly all: readonly R[]
  /** Names of the namespaces that hold many. */
  readonly #byName = new Map<string, Map<string, R>>()
  #byNamespace: Map<string, R[]> | undefined

  constructor(all: readonly R[]) {
    this.all = all
  }

  /** The object of this name; `namespace` is `''` for cluster-scoped kinds. */
  get(namespace: string, name: string): R | undefined {
    const list = this.in(namespace)
    if (list.length <= FEW) return list.findLast(r => r.meta.name === name)
    return getOrAdd(this.#byName, namespace, () => indexBy(list, r => r.meta.name)).get(name)
  }

  in(namespace: string): readonly R[] {
    this.#byNamespace ??= groupBy(this.all, r => r.meta.namespace)
    return this.#byNamespace.get(namespace) ?? NONE
  }
}
