import type { Gate } from '../plan/plan.ts'
import { deletedByAgents, frozen, pullBesideAgent, pullOverAgents, unfitArgoCd } from './gates/agent.ts'
import { conflicts, gitOpsOwned } from './gates/ownership.ts'
import { collision, pushOff, secondArgoCd } from './gates/registration.ts'
import { hubSelected, lostApplications, movedClusters, takenNames } from './gates/selection.ts'
import { noCredentials, noPrincipal } from './gates/upstream.ts'
import type { Judged } from './judge.ts'

const DANGERS = [
  lostApplications,
  deletedByAgents,
  movedClusters,
  pushOff,
  takenNames,
  frozen,
  collision,
  pullBesideAgent,
  pullOverAgents,
  unfitArgoCd,
  hubSelected,
  secondArgoCd,
  noCredentials,
  noPrincipal,
  gitOpsOwned,
  conflicts,
]

/** Every danger of the plan, each with the flag that accepts it. */
export function gatesOf(judged: Judged, accepted: ReadonlySet<string>): readonly Gate[] {
  return DANGERS.flatMap(danger => {
    const found = danger(judged)
    if (found === undefined) return []
    const { code, text, details, openable, flag } = found
    return {
      code,
      text,
      details,
      flag: openable ? (flag ?? `--accept ${code}`) : '',
      accepted: openable && accepted.has(code),
    }
  })
}
