import { getOrAdd } from '../fleet/maps.ts'
import { type Subject, subjectKey } from '../fleet/subject.ts'
import type { Severity } from './check.ts'
import type { Found } from './run.ts'

/** A finding in its place: what explains it, and what it explains. */
export interface Node {
  readonly found: Found
  /** Own severity, raised to that of the worst finding that it explains. */
  severity: Severity
  parent: Node | undefined
  readonly children: Node[]
}

export const SEVERITY_RANK: Readonly<Record<Severity, number>> = { error: 2, warning: 1, info: 0 }

export function ownSeverity({ check, finding }: Found): Severity {
  return finding.severity ?? check.severity
}

/** Does the finding stop or endanger delivery? Only such findings explain others, and only such break a trace. */
export function breaks(found: Found): boolean {
  return found.finding.breaks ?? ownSeverity(found) === 'error'
}

function worse(a: Severity, b: Severity): Severity {
  return SEVERITY_RANK[a] >= SEVERITY_RANK[b] ? a : b
}

function isAncestor(node: Node, of: Node): boolean {
  for (let n: Node | undefined = of; n !== undefined; n = n.parent) if (n === node) return true
  return false
}

/** Two findings of one code on one object are one finding with the evidence of both, and as bad as the worse one. */
function merge(all: readonly Found[]): Found[] {
  const byKey = new Map<string, Found>()
  for (const found of all) {
    const key = `${found.check.code}|${subjectKey(found.finding.subject)}`
    const first = byKey.get(key)
    if (first === undefined) {
      byKey.set(key, found)
      continue
    }
    const swap = SEVERITY_RANK[ownSeverity(found)] > SEVERITY_RANK[ownSeverity(first)]
    const a = swap ? found.finding : first.finding
    const b = swap ? first.finding : found.finding
    const clusters =
      a.clusters !== undefined && b.clusters !== undefined ? [...new Set([...a.clusters, ...b.clusters])] : undefined
    const { clusters: _, ...rest } = a
    byKey.set(key, {
      check: first.check,
      finding: {
        ...rest,
        evidence: [...a.evidence, ...b.evidence],
        through: [...(a.through ?? []), ...(b.through ?? [])],
        because: [...(a.because ?? []), ...(b.because ?? [])],
        ...(clusters === undefined ? {} : { clusters }),
        breaks: breaks(first) || breaks(found),
      },
    })
  }
  return [...byKey.values()]
}

/**
 * Puts every finding under the one that explains it, by object and join: each finding names the objects whose own fault would
 * be its cause, nearest first, and the first of these that has a breaking finding becomes its parent. Returns the roots.
 */
export function fold(all: readonly Found[]): Node[] {
  const nodes = merge(all).map(
    (found): Node => ({ found, severity: ownSeverity(found), parent: undefined, children: [] }),
  )
  const bySubject = new Map<string, Node[]>()
  for (const node of nodes) {
    if (!breaks(node.found)) continue
    const key = subjectKey(node.found.finding.subject)
    const list = bySubject.get(key)
    if (list === undefined) bySubject.set(key, [node])
    else list.push(node)
  }
  const parentFor = (node: Node): Node | undefined => {
    for (const cause of node.found.finding.because ?? []) {
      for (const candidate of bySubject.get(subjectKey(cause.subject)) ?? []) {
        if (cause.codes !== undefined && !cause.codes.includes(candidate.found.check.code)) continue
        if (!isAncestor(node, candidate)) return candidate
      }
    }
    return undefined
  }
  for (const node of nodes) {
    const parent = parentFor(node)
    if (parent === undefined) continue
    node.parent = parent
    parent.children.push(node)
  }
  for (const node of nodes) {
    for (let up = node.parent; up !== undefined; up = up.parent) up.severity = worse(up.severity, node.severity)
  }
  return nodes.filter(node => node.parent === undefined)
}

/** How many findings a node explains, at any depth. */
export function weight(node: Node): number {
  return node.children.reduce((sum, child) => sum + 1 + weight(child), 0)
}

function place(s: Subject): string {
  return `${s.cluster === 'hub' ? '' : s.cluster}|${s.namespace}|${s.kind}|${s.name}`
}

/** Severity first, then whether delivery is broken, then how much a root explains, then code and place: the order in which people should look. */
export function byImportance(impact: (node: Node) => number): (a: Node, b: Node) => number {
  const weights = new Map<Node, number>()
  const heavy = (node: Node): number => getOrAdd(weights, node, () => weight(node))
  return (a, b) =>
    SEVERITY_RANK[b.severity] - SEVERITY_RANK[a.severity] ||
    Number(breaks(b.found)) - Number(breaks(a.found)) ||
    heavy(b) - heavy(a) ||
    impact(b) - impact(a) ||
    (a.found.check.code < b.found.check.code ? -1 : a.found.check.code > b.found.check.code ? 1 : 0) ||
    (place(a.found.finding.subject) < place(b.found.finding.subject) ? -1 : 1)
}
