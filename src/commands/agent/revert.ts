import { bestEffortPlan } from '../../agent/revert/best-effort.ts'
import { argoNamespace } from '../../bootstrap/blueprint.ts'
import { hubFacts } from '../../bootstrap/hub.ts'
import { EXIT, type ExitCode, FleetctlError, UsageError } from '../../errors.ts'
import { findRun, journalFolder, listRuns, type Run } from '../../plan/journal.ts'
import { type Call, note } from '../call.ts'
import { listOption, textOption } from '../flag-values.ts'
import { hubIdentity } from '../plan/apply-live.ts'
import { openHub } from '../plan/open-hub.ts'
import { runPlan } from '../plan/produce-plan.ts'
import { readHub } from './make.ts'
import { revertRuns } from './revert-runs.ts'

/** The runs to take back, newest first. */
function runsOf(call: Call, hub: string): readonly Run[] {
  const folder = journalFolder(call.context.env)
  const wanted = call.args[0]
  if (wanted !== undefined) {
    const run = findRun(folder, wanted)
    if (run.plan.title === 'agent enable') return [run]
    throw new UsageError(
      `run ${run.id} is one of "${run.plan.title}"; use "${call.context.command} plan revert ${run.id}"`,
    )
  }
  return listRuns(folder)
    .filter(run => run.plan.title === 'agent enable' && !run.isTakenBack && run.plan.target.hub === hub)
    .reverse()
}

/** `fleetctl agent revert [RUN]`. */
export async function revertAgents(call: Call): Promise<ExitCode> {
  if (call.flags.from !== undefined) throw new UsageError('a hub is taken back live; --from has no meaning here')
  const client = await openHub(call)
  let runs: readonly Run[]
  try {
    const hub = await hubIdentity(client)
    runs = runsOf(call, hub)
    const other = runs.find(run => run.plan.target.hub !== '' && run.plan.target.hub !== hub)
    if (other !== undefined) {
      throw new FleetctlError(
        `refused, nothing was written: run ${other.id} was on another hub (${other.plan.target.name}); pass its --context`,
        EXIT.refused,
      )
    }
    if (runs.length > 0) return await revertRuns(call, client, runs)
  } finally {
    client.close()
  }
  note(
    call,
    'no journal holds a run of "agent enable" on this hub that is not taken back; the way is worked out from what is there',
  )
  return withoutJournal(call)
}

/** The plan from the live state alone, through the same engine as every other plan. */
function withoutJournal(call: Call): Promise<ExitCode> {
  return runPlan(call, async signal => {
    const hub = await readHub(call, signal)
    try {
      const facts = hubFacts(hub.loaded.fleet)
      const namespace = argoNamespace(facts, textOption(call.options, 'namespace'))
      const request = {
        namespace,
        leftovers: call.options.leftovers === true,
        acceptLost: listOption(call.options, 'acceptLost'),
        accepted: new Set<string>(),
      }
      const plan = await bestEffortPlan(request, { ...hub, now: new Date() })
      return { plan, reader: hub.reader, close: hub.close }
    } catch (error) {
      hub.close()
      throw error
    }
  })
}
