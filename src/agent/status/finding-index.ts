import type { Node } from '../../checks/fold.ts'
import { pushTo } from '../../fleet/maps.ts'
import { subjectKey } from '../../fleet/subject.ts'

/** Findings by their subject, so that each part of a large fleet looks at its own alone. */
export class FindingIndex {
  readonly #bySubject = new Map<string, Node[]>()
  /** By the cluster that a finding speaks of; under the empty name those that speak of none in particular. */
  readonly #byCluster = new Map<string, Node[]>()
  readonly #places = new Map<Node, number>()

  constructor(nodes: readonly Node[]) {
    for (const [i, node] of nodes.entries()) {
      this.#places.set(node, i)
      pushTo(this.#bySubject, subjectKey(node.found.finding.subject), node)
      const { clusters, subject } = node.found.finding
      for (const cluster of clusters ?? [subject.cluster === 'hub' ? '' : subject.cluster])
        pushTo(this.#byCluster, cluster, node)
    }
  }

  /** Findings about one of these objects, and those that speak of a cluster or of none; roots before what they explain. */
  among(keys: Iterable<string>, cluster: string | undefined): readonly Node[] {
    const found = new Set<Node>()
    for (const key of keys) for (const node of this.#bySubject.get(key) ?? []) found.add(node)
    if (cluster !== undefined)
      for (const name of [cluster, '']) for (const node of this.#byCluster.get(name) ?? []) found.add(node)
    return [...found].sort((a, b) => (this.#places.get(a) ?? 0) - (this.#places.get(b) ?? 0))
  }
}
