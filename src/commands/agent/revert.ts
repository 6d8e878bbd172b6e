import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { compareAccepted } from '../../agent/frozen.ts'
import { AGENT_LEASE } from '../../agent/plan/envelope.ts'
import { principalSecrets, type Remain } from '../../agent/remains.ts'
import { bestEffortPlan } from '../../agent/revert/best-effort.ts'
import { type CarryOut, carryOutRevert, type ItemResult } from '../../agent/revert/carry-out.ts'
import { leftItems, madeRegistrations, type RevertItem, revertItems } from '../../agent/revert/items.ts'
import { lostByRevert } from '../../agent/revert/lost.ts'
import { argoNamespace } from '../../bootstrap/blueprint.ts'
import { hubFacts } from '../../bootstrap/hub.ts'
import { API_VERSION } from '../../checks/report.ts'
import { EXIT, type ExitCode, FleetctlError, UsageError } from '../../errors.ts'
import { KINDS } from '../../fleet/kinds.ts'
import { loadFleet } from '../../fleet/load.ts'
import { subjectText } from '../../fleet/subject.ts'
import { REVERT_VIEW, stepLine } from '../../output/apply-view.ts'
import { oneLine } from '../../output/sanitize.ts'
import { writeStream } from '../../output/write.ts'
import type { ClusterClient } from '../../plan/cluster-client.ts'
import { findRun, Journal, journalFolder, listRuns, type Run } from '../../plan/journal.ts'
import { holderId, takeLease } from '../../plan/lease.ts'
import { kindOfManifest } from '../../plan/object.ts'
import { accessText } from '../../plan/permissions.ts'
import type { RevertReport } from '../../plan/report.ts'
import { planRevert, type RevertStep } from '../../plan/revert.ts'
import { signalText } from '../../plan/signal.ts'
import { confirm } from '../../ui/confirm.ts'
import { VERSION } from '../../version.ts'
import { type Call, note, openSource } from '../call.ts'
import { listOption, textOption } from '../flag-values.ts'
import { hubIdentity } from '../plan/apply-live.ts'
import { openHub } from '../plan/open-hub.ts'
import { runPlan } from '../plan/produce-plan.ts'
import { outputsFor } from '../plan/show-document.ts'
import { AGENT_KINDS } from './kinds.ts'
import { readHub } from './make.ts'

/** ACM may still have been at work when its GitOpsCluster went; what it made then is looked for afterwards. */
const MOST_LOOKS = 5
const LOOK_AGAIN_MS = 1_500

const nap = (ms: number, signal: AbortSignal): Promise<void> => sleep(ms, undefined, { signal })

/** The runs to take back, newest first. */
function runsOf(call: Call, hub: string): readonly Run[] {
  const folder = journalFolder(call.context.env)
  const wanted = call.args[0]
  if (wanted !== undefined) return [findRun(folder, wanted)]
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
  note(call, 'there is no journal of "agent enable" for this hub; the way back is worked out from what is there')
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

const changes = (items: readonly RevertItem[]): number =>
  items.filter(
    i => i.type === 'remain' || (i.type === 'step' && (i.step.action === 'delete' || i.step.action === 'restore')),
  ).length

function itemText(item: RevertItem): string {
  if (item.type === 'wait') return `  wait     until ${signalText(item.signal)}`
  if (item.type === 'remain')
    return `  delete   ${subjectText(item.remain.subject)} (ACM made it, and nobody else removes it)`
  const { action, step, text, restores, leaves } = item.step
  const fields = [
    ...restores.map(
      c => `\n             ${c.path}: back to ${c.from === undefined ? 'nothing' : oneLine(JSON.stringify(c.from))}`,
    ),
    ...leaves.map(({ path, why }) => `\n             ${path}: left, ${oneLine(why)}`),
  ]
  return `  ${action.padEnd(8)} ${oneLine(`${subjectText(step.subject)} (${text})`)}${fields.join('')}`
}

/** Rights that the way back takes, asked for before the first write. */
async function preflight(client: ClusterClient, items: readonly RevertItem[]): Promise<void> {
  for (const item of items) {
    if (item.type === 'wait' || (item.type === 'step' && !['delete', 'restore'].includes(item.step.action))) continue
    const subject = item.type === 'step' ? item.step.step.subject : item.remain.subject
    const verb = item.type === 'step' && item.step.action === 'restore' ? 'patch' : 'delete'
    const kind =
      item.type === 'step'
        ? kindOfManifest(item.step.step.manifest)
        : (Object.keys(KINDS) as (keyof typeof KINDS)[]).find(name => name === subject.kind)
    if (kind === undefined) continue
    const { group, plural } = KINDS[kind]
    const access = { verb, group, resource: plural, subresource: '', namespace: subject.namespace, name: subject.name }
    if ((await client.allowed(access)) === false) {
      throw new FleetctlError(`refused, nothing was written: you may not ${accessText(access)}`, EXIT.refused)
    }
  }
}

async function revertRuns(call: Call, client: ClusterClient, runs: readonly Run[]): Promise<ExitCode> {
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
  const clock = { now: () => Date.now(), sleep: nap }
  const lease = await takeLease(client, place, {
    ...clock,
    holder: holderId(randomBytes(3).toString('hex')),
    signal: call.context.signal,
  })
  const journal = Journal.resume(journalFolder(call.context.env), run.id, () => new Date())
  const started = Date.now()
  const { timeout } = call.flags
  try {
    const options: CarryOut = {
      client,
      journal,
      patience: { ...clock, signal: AbortSignal.any([call.context.signal, lease.lost]) },
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
      await nap(LOOK_AGAIN_MS, call.context.signal)
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

function plannedResult(item: RevertItem): ItemResult {
  if (item.type === 'wait')
    return { subject: null, outcome: 'not-tried', text: signalText(item.signal), revert: undefined }
  if (item.type === 'remain') return { subject: item.remain.subject, outcome: 'deleted', text: '', revert: undefined }
  const outcome = { delete: 'deleted', restore: 'restored', leave: 'left', gone: 'gone' } as const
  const { step } = item
  const planned = outcome[step.action]
  return {
    subject: step.step.subject,
    outcome: planned,
    text: step.text,
    revert: { step, outcome: planned, text: step.text },
  }
}

function reportOf({ subject, outcome, text, revert }: ItemResult, number: number): RevertReport['results'][number] {
  return {
    number,
    subject,
    outcome,
    text,
    restored: revert?.step.restores.map(change => change.path) ?? [],
    left: revert?.step.leaves ?? [],
  }
}

function exitCodeOf(results: readonly ItemResult[]): ExitCode {
  if (results.some(r => r.outcome === 'failed')) return EXIT.partlyWritten
  return results.some(r => r.outcome === 'not-reached') ? EXIT.timeout : EXIT.ok
}
