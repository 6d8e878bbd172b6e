import { EXIT, type ExitCode, FleetctlError, UsageError } from '../../errors.ts'
import { subjectText } from '../../fleet/subject.ts'
import { REVERT_VIEW, stepLine } from '../../output/apply-view.ts'
import { oneLine } from '../../output/sanitize.ts'
import { writeStream } from '../../output/write.ts'
import type { ClusterClient } from '../../plan/cluster-client.ts'
import { findRun, Journal, journalFolder, type Run } from '../../plan/journal.ts'
import { revertReport } from '../../plan/report.ts'
import { applyRevert, planRevert, type RevertResult, type RevertStep } from '../../plan/revert.ts'
import { confirm } from '../../ui/confirm.ts'
import type { Call } from '../call.ts'
import { listOption } from '../flag-values.ts'
import { hubIdentity } from './apply-live.ts'
import { openHub } from './open-hub.ts'
import { outputsFor } from './show-document.ts'

/** `fleetctl plan revert RUN`. */
export async function planRevertRun(call: Call): Promise<ExitCode> {
  if (call.flags.from !== undefined)
    throw new UsageError('a run is taken back on its live hub; --from has no meaning here')
  const outputs = await outputsFor(call, REVERT_VIEW)
  const folder = journalFolder(call.context.env)
  const run = findRun(folder, call.args[0] ?? '')
  if (run.plan.title === 'agent enable') {
    throw new UsageError(
      `run ${run.id} switched a hub to agents, which goes back in another order: use "${call.context.command} agent revert ${run.id}"`,
    )
  }
  const client = await openHub(call, run.context)
  try {
    await checkHub(run, client)
    const steps = await planRevert(run, client)
    if (outputs.isText) await writeStream(call.context.stdout, stepsText(steps))
    const open = steps.filter(s => s.action === 'delete' || s.action === 'restore')
    if (call.options.dryRun === 'client') {
      await outputs.show(revertReport(run.id, steps.map(planned), true), EXIT.ok)
      return EXIT.ok
    }
    await refuseLosses(call, run, steps, client)
    if (open.length > 0 && call.options.yes !== true) {
      const question = `Take back ${open.length} objects on hub ${client.name}?`
      if (!(await confirm(call.context, call.flags.input, question, '--yes'))) {
        throw new FleetctlError('not confirmed, nothing was written', EXIT.refused)
      }
    }
    const journal = Journal.resume(folder, run.id, () => new Date())
    try {
      const results = await applyRevert(steps, { client, journal, signal: call.context.signal }, result => {
        const [line] = revertReport(run.id, [result], false).results
        if (outputs.isText && line !== undefined) call.context.stdout.write(`${stepLine(line, false)}\n`)
      })
      const exitCode = exitCodeOf(results)
      await outputs.show(revertReport(run.id, results, false), exitCode)
      return exitCode
    } finally {
      journal.close()
    }
  } finally {
    client.close()
  }
}

/** Refuses a way back that takes Applications from their agents, unless exactly these are named. */
async function refuseLosses(call: Call, run: Run, steps: readonly RevertStep[], client: ClusterClient): Promise<void> {
  const { tiesToAgents } = await import('../../agent/danger-of-plan.ts')
  if (
    !steps.some(
      s =>
        ['restore', 'delete'].includes(s.action) &&
        (tiesToAgents(s.step.subject) || s.step.subject.kind === 'GitOpsCluster'),
    )
  )
    return
  const { lostByRevert } = await import('../../agent/revert/lost.ts')
  const { compareAccepted } = await import('../../agent/frozen.ts')
  const { readTies } = await import('./read-ties.ts')
  const lost = await lostByRevert(steps, await readTies(call, run.context), client)
  const named = listOption(call.options, 'acceptLost')
  const keys = lost.map(l => l.key)
  if (lost.length === 0 || compareAccepted(named, keys, run.plan.exclusive?.namespace ?? '').isExact) return
  const which = lost.map(l => `${l.key} on ${l.cluster} (${l.why})`).join(', ')
  throw new FleetctlError(
    `refused, nothing was written: deleted-by-agents: agents would delete ${which}, workload included; name exactly these with --accept-lost ${keys.join(',')}`,
    EXIT.refused,
  )
}

function planned(step: RevertStep): RevertResult {
  const outcome = { delete: 'deleted', restore: 'restored', leave: 'left', gone: 'gone' } as const
  return { step, outcome: outcome[step.action], text: step.text }
}

async function checkHub(run: Run, client: ClusterClient): Promise<void> {
  const wanted = run.plan.target.hub
  if (wanted === '' || wanted === (await hubIdentity(client))) return
  throw new FleetctlError(
    `refused, nothing was written: the run was on another hub (${run.plan.target.name}); pass its --context`,
    EXIT.refused,
  )
}

function stepsText(steps: readonly RevertStep[]): string {
  if (steps.length === 0) return 'The run has written nothing.\n'
  const lines = steps.map(({ action, step, text, restores, leaves }) => {
    const fields = [
      ...restores.map(
        change => `    ${change.path}: back to ${change.from === undefined ? 'nothing' : JSON.stringify(change.from)}`,
      ),
      ...leaves.map(({ path, why }) => `    ${path}: left, ${why}`),
    ]
    return [`  ${action.padEnd(8)} ${subjectText(step.subject)} (${text})`, ...fields]
      .map(oneLineKeepingIndent)
      .join('\n')
  })
  return `${lines.join('\n')}\n\n`
}

function oneLineKeepingIndent(line: string): string {
  const indent = /^ */.exec(line)?.[0] ?? ''
  return indent + oneLine(line)
}

function exitCodeOf(results: readonly RevertResult[]): ExitCode {
  if (results.some(r => r.outcome === 'failed')) return EXIT.partlyWritten
  return EXIT.ok
}
