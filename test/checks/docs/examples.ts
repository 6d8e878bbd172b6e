import type { Node } from '../../../src/checks/fold.ts'
import { CHECKS } from '../../../src/checks/registry.ts'
import type { ReportedFinding } from '../../../src/checks/report.ts'
import { reported } from '../../../src/diagnosis.ts'
import { runDoctor } from '../../../src/doctor.ts'
import { diagnosed } from '../../support/diagnosed.ts'
import { FLEET_NAMES, readRecorded } from '../../support/fleets.ts'
import { patchedFleet } from '../../support/patch.ts'
import { CASES } from '../catalogue/cases.ts'

/** A real finding of a check, and where it is from. */
export interface Example {
  readonly finding: ReportedFinding
  readonly fleet: string
  /** What was changed in that fleet, where it does not show the fault as it was recorded. */
  readonly changed?: string
}

interface Candidate extends Example {
  readonly rank: number
}

/** Findings at any depth, with the depth. */
function* walk(nodes: readonly Node[], depth = 0): Generator<{ node: Node; depth: number }> {
  for (const node of nodes) {
    yield { node, depth }
    yield* walk(node.children, depth + 1)
  }
}

/** Roots before consequences, and fleets with little else before those with much: a page should show one thing. */
function rankOf(depth: number, roots: number): number {
  return depth * 1000 + roots
}

/** What a run says of its own suppressions. */
async function settingsExamples(): Promise<ReadonlyMap<string, Example>> {
  const fleet = 'push-healthy'
  const one = { object: '*', cluster: '*', reason: 'left until the move', owner: 'team-platform' }
  const suppressions = [
    { ...one, origin: '.fleetctl.yaml:9', check: 'FLT0108', codes: ['FLT0108'], expires: '2026-09-30' },
    { ...one, origin: '.fleetctl.yaml:14', check: 'FLT0003', codes: ['FLT0003'], expires: '2027-09-30' },
  ]
  const { findings } = await runDoctor(await readRecorded(fleet), { suppressions })
  const own = findings.filter(finding => finding.category === 'settings')
  const changed = 'with two suppressions in `.fleetctl.yaml`'
  return new Map(own.map(finding => [finding.code, { finding, fleet, changed }]))
}

/** The most telling real finding of every check: from a recorded fleet, else from one with a small change. */
export async function examples(): Promise<ReadonlyMap<string, Example>> {
  const best = new Map<string, Candidate>()
  for (const fleet of FLEET_NAMES) {
    const diagnosis = await diagnosed(await readRecorded(fleet))
    for (const { node, depth } of walk(diagnosis.roots)) {
      const { code } = node.found.check
      const rank = rankOf(depth, diagnosis.roots.length)
      if (rank < (best.get(code)?.rank ?? Number.POSITIVE_INFINITY))
        best.set(code, { rank, fleet, finding: reported(diagnosis, node) })
    }
  }
  for (const [code, example] of await settingsExamples()) best.set(code, { ...example, rank: 0 })
  const bySlug = new Map(CHECKS.map(c => [c.slug, c.code]))
  for (const { slug, fleet, fault, change } of CASES) {
    const code = bySlug.get(slug) ?? ''
    if (best.has(code)) continue
    const diagnosis = await diagnosed(patchedFleet(await readRecorded(fleet), change))
    for (const { node, depth } of walk(diagnosis.roots)) {
      const rank = rankOf(depth, 0)
      if (node.found.check.code !== code || rank >= (best.get(code)?.rank ?? Number.POSITIVE_INFINITY)) continue
      best.set(code, { rank, fleet, changed: fault, finding: reported(diagnosis, node) })
    }
  }
  return best
}
