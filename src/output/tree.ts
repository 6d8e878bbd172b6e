import type { Symbols } from './symbols.ts'

interface TreePrefixes {
  /** Indices from top to bottom, each parent before its children. */
  readonly order: readonly number[]
  /** What stands in front of each node, by its index. */
  readonly text: readonly string[]
}

/**
 * Lines of a tree from the parent of each node; nodes keep their order among siblings. A parent that is no node, or that
 * would close a ring, makes its node a top.
 */
export function treePrefixes(parents: readonly (number | null)[], symbols: Symbols): TreePrefixes {
  const children = new Map<number | null, number[]>()
  parents.forEach((parent, i) => {
    const under = parent !== null && parent >= 0 && parent < parents.length && !inRing(i, parents) ? parent : null
    children.set(under, [...(children.get(under) ?? []), i])
  })
  const order: number[] = []
  const text: string[] = parents.map(() => '')
  const walk = (node: number, own: string, below: string) => {
    order.push(node)
    text[node] = own
    const under = children.get(node) ?? []
    under.forEach((child, i) => {
      const last = i === under.length - 1
      walk(child, below + (last ? symbols.corner : symbols.tee), below + (last ? symbols.gap : symbols.bar))
    })
  }
  for (const top of children.get(null) ?? []) walk(top, '', '')
  return { order, text }
}

function inRing(node: number, parents: readonly (number | null)[]): boolean {
  let at: number | null = parents[node] ?? null
  for (let steps = 0; at !== null && steps <= parents.length; steps++) {
    if (at === node) return true
    at = parents[at] ?? null
  }
  return false
}
