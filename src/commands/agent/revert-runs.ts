import { compareAccepted } from '../../agent/frozen.ts'
import { AGENT_LEASE } from '../../agent/plan/envelope.ts'
import { principalSecrets, type Remain } from '../../agent/remains.ts'
import { type CarryOut, carryOutRevert, type ItemResult } from '../../agent/revert/carry-out.ts'
import { leftItems, madeRegistrations, type RevertItem, revertItems } from '../../agent/revert/items.ts'
import { lostByRevert } from '../../agent/revert/lost.ts'
import { API_VERSION } from '../../checks/report.ts'
import { EXIT, type ExitCode, FleetctlError, UsageError } from '../../errors.ts'
import { KINDS, kindCalled } from '../../fleet/kinds.ts'
import { loadFleet } from '../../fleet/load.ts'
import { REVERT_VIEW, stepLine } from '../../output/apply-view.ts'
import { oneLine } from '../../output/sanitize.ts'
import { writeStream } from '../../output/write.ts'
import type { ClusterClient } from '../../plan/cluster-client.ts'
import { Journal, journalFolder, type Run } from '../../plan/journal.ts'
import { kindOfManifest } from '../../plan/object.ts'
import { accessText } from '../../plan/permissions.ts'
import type { RevertReport } from '../../plan/report.ts'
import { planRevert, type RevertStep } from '../../plan/revert.ts'
import { confirm } from '../../ui/confirm.ts'
import { VERSION } from '../../version.ts'
import { type Call, note, openSource } from '../call.ts'
import { listOption } from '../flag-values.ts'
import { CLOCK, excludeOthers } from '../plan/clock.ts'
import { outputsFor } from '../plan/show-document.ts'
import { AGENT_KINDS } from './kinds.ts'
import { changes, exitCodeOf, itemText, plannedResult, reportOf } from './revert-text.ts'

/** ACM may still have been at work when its GitOpsCluster went; what it made then is looked for afterwards. */
const MOST_LOOKS = 5
const LOOK_AGAIN_MS = 1_500

/** Secrets of the principals of a run. */
async function secretsOf(client: ClusterClient, run: Run): Promise<readonly Remain[]> {
  const namespaces = new Set(madeRegistrations(run).map(goc => goc.namespace))
  const all = await Promise.all([...namespaces].map(namespace => principalSecrets(client, namespace)))
  return all.flat()
}

interface Prepared {
  readonly run: Run
  readonly steps: readonly RevertStep[]
  readonly items: readonly RevertItem[]
}

async function prepare(call: Call, client: ClusterClient, run: Run): Promise<Prepared> {
  const loaded = await loadFleet(await openSource(call), AGENT_KINDS, call.context.signal)
  const steps = await planRevert(run, client)
  const lost = await lostByRevert(steps, loaded, client)
  const home = run.plan.exclusive?.namespace ?? ''
  const keys = lost.map(l => l.key)
  const { isExact, lacks, tooMuch } = compareAccepted(listOption(call.options, 'acceptLost'), keys, home)
  if (lost.length > 0 && !isExact) {
    const wrong = [
      ...(lacks.length > 0 ? [`not named: ${lacks.join(', ')}`] : []),
      ...(tooMuch.length > 0 ? [`named without need: ${tooMuch.join(', ')}`] : []),
    ]
    throw new FleetctlError(
      `refused, nothing was written: agents carry Applications that are not of this run: ${lost
        .map(l => `${l.key} on ${l.cluster} (${l.why})`)
        .join(', ')}; move them first, or name exactly these with --accept-lost (${wrong.join('; ')})`,
      EXIT.refused,
    )
  }
  return { run, steps, items: revertItems(run, steps, loaded.fleet, await secretsOf(client, run)) }
}

/** Rights that the way back takes, asked for before the first write. */
async function preflight(client: ClusterClient, items: readonly RevertItem[]): Promise<void> {
  for (const item of items) {
    if (item.type === 'wait' || (item.type === 'step' && !['delete', 'restore'].includes(item.step.action))) continue
    const subject = item.type === 'step' ? item.step.step.subject : item.remain.subject
    const verb = item.type === 'step' && item.step.action === 'restore' ? 'patch' : 'delete'
    const kind = item.type === 'step' ? kindOfManifest(item.step.step.manifest) : kindCalled(subject.kind)
    if (kind === undefined) continue
    const { group, plural } = KINDS[kind]
    const access = { verb, group, resource: plural, subresource: '', namespace: subject.namespace, name: subject.name }
    if ((await client.allowed(access)) === false) {
      throw new FleetctlError(`refused, nothing was written: you may not ${accessText(access)}`, EXIT.refused)
    }
  }
}

/** Takes the runs back, one after the other, and shows what became of each object. */
export async function revertRuns(call: Call, client: ClusterClient, runs: readonly Run[]): Promise<ExitCode> {
  if (call.options.dryRun === 'server') {
    throw new UsageError(
      'a run is taken back from its journal, and its server is not asked before: use --dry-run=client',
    )
  }
  const outputs = await outputsFor(call, REVERT_VIEW)
  const results: RevertReport['results'][number][] = []
  let exitCode: ExitCode = EXIT.ok
  const isDry = call.options.dryRun === 'client'
  for (const run of runs) {
    const prepared = await prepare(call, client, run)
    const { items } = prepared
    if (outputs.isText) {
      const head = `Run ${run.id}: ${oneLine(run.plan.command.join(' '))}\n`
      const body = changes(items) === 0 ? '  nothing is left of it\n' : `${items.map(itemText).join('\n')}\n`
      await writeStream(call.context.stdout, `${head}${body}\n`)
    }
    if (isDry) {
      for (const item of items) results.push(reportOf(plannedResult(item), results.length + 1))
      continue
    }
    const done = await revertRun(call, client, prepared, outputs.isText)
    for (const result of done) results.push(reportOf(result, results.length + 1))
    exitCode = exitCodeOf(done)
    if (exitCode !== EXIT.ok) break
  }
  const report: RevertReport = {
    apiVersion: API_VERSION,
    kind: 'RevertReport',
    version: VERSION,
    run: runs.map(run => run.id).join(','),
    dryRun: isDry,
    results,
  }
  await outputs.show(report, exitCode)
  if (exitCode !== EXIT.ok) {
    const stopped = results.find(r => r.outcome === 'failed' || r.outcome === 'not-reached')
    call.context.stderr.write(`stopped: ${oneLine(stopped?.text ?? '')}\ngo on: ${call.context.command} agent revert\n`)
  }
  return exitCode
}

async function revertRun(
  call: Call,
  client: ClusterClient,
  { run, steps, items }: Prepared,
  isText: boolean,
): Promise<readonly ItemResult[]> {
  const number = changes(items)
  if (number > 0 && call.options.yes !== true) {
    const question = `Take back ${number} objects on hub ${client.name}?`
    if (!(await confirm(call.context, call.flags.input, question, '--yes'))) {
      throw new FleetctlError('not confirmed, nothing was written', EXIT.refused)
    }
  }
  await preflight(client, items)
  const place = run.plan.exclusive ?? { namespace: 'default', name: AGENT_LEASE }
  const lease = await excludeOthers(client, place, call.context.signal)
  const journal = Journal.resume(journalFolder(call.context.env), run.id, () => new Date())
  const started = Date.now()
  const { timeout } = call.flags
  try {
    const options: CarryOut = {
      client,
      journal,
      patience: { ...CLOCK, signal: AbortSignal.any([call.context.signal, lease.lost]) },
      limitMs: seconds => (timeout > 0 ? Math.max(0, started + timeout - Date.now()) : seconds * 1000),
      onResult: result => {
        if (isText && result.outcome !== 'not-tried') {
          call.context.stdout.write(`${stepLine(reportOf(result, 1), false)}\n`)
        }
      },
      onWait: (text, blockers) => note(call, `waiting until ${text}: ${blockers.join('; ')}`),
    }
    const results = [...(await carryOutRevert(items, options))]
    for (let looks = 0; looks < MOST_LOOKS && exitCodeOf(results) === EXIT.ok && number > 0; looks++) {
      await CLOCK.sleep(LOOK_AGAIN_MS, call.context.signal)
      const { fleet } = await loadFleet(await openSource(call), AGENT_KINDS, call.context.signal)
      const left = leftItems(run, steps, fleet, await secretsOf(client, run))
      if (left.length === 0) break
      results.push(...(await carryOutRevert(left, options)))
    }
    if (exitCodeOf(results) === EXIT.ok) journal.takenBack()
    return results
  } finally {
    journal.close()
    await lease.release()
  }
}
