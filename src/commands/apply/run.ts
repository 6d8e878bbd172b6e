import { EXIT, type ExitCode, FleetctlError, UsageError } from '../../errors.ts'
import { APPLY_VIEW } from '../../output/apply-view.ts'
import { renderPlanText } from '../../output/plan-text.ts'
import { planView } from '../../output/plan-view.ts'
import { cleanDocument } from '../../output/sanitize.ts'
import { writeStream } from '../../output/write.ts'
import { findRun, journalFolder, listRuns, type Run } from '../../plan/journal.ts'
import { openGates, type Plan } from '../../plan/plan.ts'
import { readPlan } from '../../plan/read-plan.ts'
import { type RunState, runState } from '../../plan/run-state.ts'
import { didYouMean } from '../../ui/nearest.ts'
import type { Call } from '../call.ts'
import { listOption, textOption } from '../flag-values.ts'
import { applyLive } from '../plan/apply-live.ts'
import { outputsFor, renderOptionsOf } from '../plan/show-document.ts'
import { produce } from '../produce.ts'
import { readText } from '../read-text.ts'

/** `fleetctl apply -f PLAN` and `fleetctl apply --resume [RUN]`. */
export async function apply(call: Call, gates: readonly string[]): Promise<ExitCode> {
  const file = textOption(call.options, 'filename')
  const { resume } = call.options
  if ((file === undefined) === (resume === undefined)) throw new UsageError('pass either -f PLAN or --resume')
  if (call.flags.from !== undefined) throw new UsageError('a plan is applied to a live hub; --from has no meaning here')
  const run = file === undefined ? runToResume(call) : undefined
  const plan = accepting(call, run?.plan ?? readPlan(await readText(call, file ?? '', '-f'), file ?? ''), gates)
  if (run === undefined) checkAge(plan)
  if (call.options.dryRun === 'client') {
    return produce(call, {
      view: planView(false),
      doing: 'Reading the plan',
      run: async () => plan,
      exitCode: shown => (openGates(shown).length === 0 ? EXIT.ok : EXIT.refused),
    })
  }
  const { isText } = await outputsFor(call, APPLY_VIEW)
  if (isText && run === undefined) {
    await writeStream(
      call.context.stdout,
      `${renderPlanText(cleanDocument(plan), renderOptionsOf(call, 'stdout', EXIT.ok))}\n`,
    )
  }
  return applyLive(call, plan, run)
}

/** Why a run is not gone on with; nothing for one that may be. */
const RESUMES_NOT: Readonly<Partial<Record<RunState, string>>> = {
  done: 'is done; there is nothing to go on with',
  superseded: 'was finished by a later run of the same command; there is nothing to go on with',
  'half-reverted': 'was taken back in part; "fleetctl plan revert RUN" takes the rest back',
  reverted: 'was taken back; make a new plan',
}

function runToResume(call: Call): Run {
  const folder = journalFolder(call.context.env)
  const id = textOption(call.options, 'resume')
  if (id !== undefined) {
    const run = findRun(folder, id)
    const why = RESUMES_NOT[runState(run)]
    if (why !== undefined) throw new UsageError(`run ${run.id} ${why.replace('RUN', run.id)}`)
    return run
  }
  const open = listRuns(folder).filter(run => runState(run) === 'interrupted')
  const newest = open.at(-1)
  if (newest === undefined) throw new UsageError('no run was interrupted; "fleetctl plan list" shows them all')
  return newest
}

/** Names of Applications that were accepted hold for as long as nobody is likely to have made others. */
const MOST_AGE_MS = 15 * 60_000

/** @throws FleetctlError (6) for an old plan that takes certain Applications away: by now it may be others, too */
function checkAge({ gates, createdAt }: Plan): void {
  const named = gates.find(gate => gate.accepted && isByNames(gate))
  if (named === undefined || Date.now() - Date.parse(createdAt) <= MOST_AGE_MS) return
  throw new FleetctlError(
    `refused, nothing was written: "${named.code}" of the plan was accepted for certain Applications at ${createdAt}, and others may have come since; make the plan again`,
    EXIT.refused,
  )
}

/** A danger that is about certain Applications is accepted where they are worked out, by naming them. */
function isByNames({ flag }: Plan['gates'][number]): boolean {
  return flag.startsWith('--accept-')
}

/** The plan with the dangers accepted that the flags name. */
function accepting(call: Call, plan: Plan, known: readonly string[]): Plan {
  const accepted = listOption(call.options, 'accept')
  const codes = [...new Set([...known, ...plan.gates.map(gate => gate.code)])]
  const unknown = accepted.find(code => !codes.includes(code))
  if (unknown !== undefined) {
    throw new UsageError(`--accept knows no danger "${unknown}"${didYouMean(unknown, codes, '')}`)
  }
  const byNames = plan.gates.find(gate => accepted.includes(gate.code) && isByNames(gate))
  if (byNames !== undefined) {
    throw new UsageError(`"${byNames.code}" is accepted by names alone: make the plan again with ${byNames.flag}`)
  }
  const gates = plan.gates.map(gate =>
    gate.flag !== '' && accepted.includes(gate.code) ? { ...gate, accepted: true } : gate,
  )
  return { ...plan, gates }
}
