import { breaks, type Node, SEVERITY_RANK } from '../checks/fold.ts'
import type { Fleet } from '../fleet/fleet.ts'
import { stopsOf, type Way } from '../fleet/joins/ways.ts'
import { pushTo } from '../fleet/maps.ts'
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

/** Breaking findings by the objects that they are about, and by the spoke that one of these is on. */
interface Places {
  readonly byObject: ReadonlyMap<string, readonly Node[]>
  readonly bySpoke: ReadonlyMap<string, readonly Node[]>
  readonly order: ReadonlyMap<Node, number>
}

/** One diagnosis is asked about thousands of ways. */
const PLACES = new WeakMap<readonly Node[], Places>()

function placesOf(roots: readonly Node[]): Places {
  const known = PLACES.get(roots)
  if (known !== undefined) return known
  const byObject = new Map<string, Node[]>()
  const bySpoke = new Map<string, Node[]>()
  const order = new Map<Node, number>()
  for (const node of everyNode(roots)) {
    if (!breaks(node.found)) continue
    order.set(node, order.size)
    const { subject: s, through = [] } = node.found.finding
    for (const at of [s, ...through]) {
      pushTo(byObject, subjectKey(at), node)
      if (at.cluster !== 'hub') pushTo(bySpoke, at.cluster, node)
    }
  }
  const made = { byObject, bySpoke, order }
  PLACES.set(roots, made)
  return made
}

/** Those that may touch a way, in the order of all. */
function nearWay(roots: readonly Node[], way: Way, keys: Iterable<string>): Node[] {
  const { byObject, bySpoke, order } = placesOf(roots)
  const near = new Set(bySpoke.get(way.cluster))
  for (const key of keys) for (const node of byObject.get(key) ?? []) near.add(node)
  return [...near].sort((a, b) => (order.get(a) ?? 0) - (order.get(b) ?? 0))
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
  for (const node of nearWay(roots, way, keys)) {
    if (!touches(node, way, keys)) continue
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
