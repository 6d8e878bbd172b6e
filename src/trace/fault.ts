import { breaks, type Node, SEVERITY_RANK } from '../checks/fold.ts'
import type { Fleet } from '../fleet/fleet.ts'
import { stopsOf, type Way } from '../fleet/joins/ways.ts'
import { type Subject, subjectKey } from '../fleet/subject.ts'
import { concernsCluster, touches } from '../impact.ts'

/** A finding on the way, with the place of its subject: upstream is lower. */
export interface OnWay {
  readonly node: Node
  readonly place: number
}

/** Every finding, roots before what they explain. */
export function* everyNode(roots: readonly Node[]): Generator<Node> {
  for (const node of roots) {
    yield node
    yield* everyNode(node.children)
  }
}

/** The topmost finding that explains a node and still concerns this way. */
function rootFor(node: Node, way: Way): Node {
  let top = node
  for (let up = node.parent; up !== undefined; up = up.parent)
    if (breaks(up.found) && concernsCluster(up)(way)) top = up
  return top
}

/** The findings that stop or endanger a way, with their places on it. @param stops objects of the way, upstream first */
export function findingsOnWay(roots: readonly Node[], way: Way, stops: readonly Subject[]): OnWay[] {
  const places = new Map<string, number>()
  stops.forEach((s, i) => {
    const key = subjectKey(s)
    if (!places.has(key)) places.set(key, i)
  })
  const keys = new Set(places.keys())
  const found: OnWay[] = []
  for (const node of everyNode(roots)) {
    if (!breaks(node.found) || !touches(node, way, keys)) continue
    const { subject: s, through = [] } = node.found.finding
    const place = Math.min(...[s, ...through].map(x => places.get(subjectKey(x)) ?? stops.length))
    found.push({ node, place })
  }
  return found
}

/** The fault that comes first on the way: of the worst severity, then furthest upstream. */
export function firstFault(found: readonly OnWay[], way: Way): Node | undefined {
  const roots = new Map<Node, number>()
  for (const { node, place } of found) {
    const root = rootFor(node, way)
    roots.set(root, Math.min(place, roots.get(root) ?? Number.POSITIVE_INFINITY))
  }
  return [...roots].sort(([a, x], [b, y]) => SEVERITY_RANK[b.severity] - SEVERITY_RANK[a.severity] || x - y)[0]?.[0]
}

/** The finding that a trace of this way names as its first broken hop; undefined where nothing stops it. */
export function faultOf(fleet: Fleet, roots: readonly Node[], way: Way): Node | undefined {
  return firstFault(findingsOnWay(roots, way, stopsOf(fleet, way)), way)
}
