import type { Node } from '../checks/fold.ts'
import type { Diagnosis } from '../diagnosis.ts'
import type { Fleet } from '../fleet/fleet.ts'
import type { Fix } from './fix.ts'
import { fixOf } from './lookup.ts'

/** Which findings are to be mended: those of some checks, or all that can be mended without a second thought. */
export interface Choice {
  /** Empty with `allSafe`. */
  readonly codes: readonly string[]
  readonly allSafe: boolean
  /** Only findings about objects of this namespace; undefined: of all. */
  readonly namespace: string | undefined
  /** Only findings about objects of these names; empty: of all. */
  readonly names: readonly string[]
}

/** A finding with the fix of its check. */
export interface Chosen {
  readonly node: Node
  readonly fix: Fix
}

function* below(nodes: readonly Node[]): Generator<Node> {
  for (const node of nodes) {
    yield node
    yield* below(node.children)
  }
}

/**
 * Roots with a safe fix. Where the fault of a root cannot be mended by machine at all, what it explains may name the same
 * fault more closely; where it could be mended but not safely, everything below waits for it.
 */
function* safe(nodes: readonly Node[], fleet: Fleet): Generator<Chosen> {
  for (const node of nodes) {
    const fix = fixOf(node.found.check.code)
    const isMendable = fix !== undefined && fix.hinders?.(node.found.finding, fleet) === undefined
    if (!isMendable) yield* safe(node.children, fleet)
    else if (fix.safe) yield { node, fix }
  }
}

/** The findings that are meant, in the order of their importance. */
export function choose(
  { roots, fleet }: Pick<Diagnosis, 'roots' | 'fleet'>,
  { codes, allSafe, namespace, names }: Choice,
): readonly Chosen[] {
  const named = [...below(roots)].flatMap((node): Chosen[] => {
    const { code } = node.found.check
    const fix = codes.includes(code) ? fixOf(code) : undefined
    return fix === undefined ? [] : [{ node, fix }]
  })
  return (allSafe ? [...safe(roots, fleet)] : named).filter(({ node }) => {
    const { subject } = node.found.finding
    const isThere = namespace === undefined || subject.namespace === namespace
    return isThere && (names.length === 0 || names.includes(subject.name))
  })
}
