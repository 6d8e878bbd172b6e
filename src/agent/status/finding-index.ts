import type { Node } from '../../checks/fold.ts'
import { pushTo } from '../../fleet/maps.ts'
import { subjectKey } from '../../fleet/subject.ts'

/** Findings by their subject, so that each part of a large fleet looks at its own alone. */
export class FindingIndex {
  readonly #bySubject = new Map<string, Node[]>()
  readonly #byCode = new Map<string, Node[]>()
  readonly #places = new Map<Node, number>()

  constructor(nodes: readonly Node[]) {
    for (const [i, node] of nodes.entries()) {
      this.#places.set(node, i)
      pushTo(this.#bySubject, subjectKey(node.found.finding.subject), node)
      pushTo(this.#byCode, node.found.check.code, node)
    }
  }

  /** Findings about one of these objects, or of one of these codes; roots before what they explain. */
  among(keys: Iterable<string>, codes: Iterable<string>): readonly Node[] {
    const found = new Set<Node>()
    for (const key of keys) for (const node of this.#bySubject.get(key) ?? []) found.add(node)
    for (const code of codes) for (const node of this.#byCode.get(code) ?? []) found.add(node)
    return [...found].sort((a, b) => (this.#places.get(a) ?? 0) - (this.#places.get(b) ?? 0))
  }
}
