import { randomBytes } from 'node:crypto'
import { EXIT, type ExitCode, FleetctlError } from '../../errors.ts'
import { subject } from '../../fleet/subject.ts'
import { APPLY_VIEW, stepLine } from '../../output/apply-view.ts'
import { cleanDocument } from '../../output/sanitize.ts'
import { writeStream } from '../../output/write.ts'
import { type ApplyResult, applyPlan, type StepResult } from '../../plan/apply.ts'
import type { ClusterClient } from '../../plan/cluster-client.ts'
import { Journal, journalFolder, type Run, runId } from '../../plan/journal.ts'
import { objectSteps, type Plan, writes } from '../../plan/plan.ts'
import { dryRun, forbidden, moved, type Refusal, refusedOutright } from '../../plan/preflight.ts'
import { type ApplyReport, applyReport, type Delivered } from '../../plan/report.ts'
import { supersede } from '../../plan/run-state.ts'
import { textAt } from '../../raw.ts'
import { confirm } from '../../ui/confirm.ts'
import { type Call, note } from '../call.ts'
import { textOption } from '../flag-values.ts'
import { exitCodeOf, explain, howToGoOn, paused, undelivered, waysOf } from './apply-outcome.ts'
import { CLOCK, excludeOthers } from './clock.ts'
import { openHub } from './open-hub.ts'
import { type Outputs, outputsFor, renderOptionsOf } from './show-document.ts'

/** How long one signal is waited for without --timeout. */
const LONGEST_WAIT_MS = 10 * 60_000

/** uid of namespace kube-system: the identity of a cluster, whatever its address. */
export async function hubIdentity(client: ClusterClient): Promise<string> {
  const seen = await client.look(subject('hub', 'Namespace', '', 'kube-system'))
  return seen.state === 'present' ? textAt(seen.object, 'metadata', 'uid') : ''
}

/** What a command does besides, while its plan is applied. */
export interface ApplyHooks {
  /** Number of the step after which to pause. */
  readonly pauseAfter?: number | undefined
  /** Root causes, for a signal that did not come. */
  causes?(): Promise<readonly string[]>
}

interface Live {
  readonly hooks: ApplyHooks
  readonly call: Call
  readonly plan: Plan
  readonly client: ClusterClient
  readonly outputs: Outputs<ApplyReport>
  readonly run: Run | undefined
}

/**
 * Applies a plan to the live hub: everything is checked before the first write, the user is asked, each write is noted
 * before it is sent.
 *
 * @param run an earlier run of the plan that is to go on
 * @returns the exit code, after the result was shown
 */
export async function applyLive(call: Call, plan: Plan, run?: Run, hooks: ApplyHooks = {}): Promise<ExitCode> {
  const outputs = await outputsFor(call, APPLY_VIEW)
  const client = await openHub(call, run?.context)
  try {
    const live = { call, plan, client, outputs, run, hooks }
    const skip = await preflight(live)
    if (textOption(call.options, 'dryRun') === 'server') return await dryRunOnly(live)
    await rehearse(live, skip)
    await ask(live)
    return await excluding(live, lost => carryOut(live, skip, lost))
  } finally {
    client.close()
  }
}

function refuse(refusals: readonly Refusal[]): never {
  const [first, ...more] = refusals.map(r => r.text)
  const rest = more.length === 0 ? '' : ` (and ${more.length} more: ${more.slice(0, 3).join('; ')})`
  throw new FleetctlError(`refused, nothing was written: ${first ?? ''}${rest}`, EXIT.refused)
}

/**
 * Refuses what would take Applications from their agents, which delete them with their workloads, unless the plan names
 * exactly these: asked of the hub as it is now, for every plan that is written.
 */
async function refuseLosses({
  call,
  plan,
  client,
  run,
}: Pick<Live, 'call' | 'plan' | 'client' | 'run'>): Promise<void> {
  const { acceptedLosses, blindToLosses, lostByPlan, mayTake } = await import('../../agent/danger-of-plan.ts')
  if (!mayTake(plan)) return
  const { readTies } = await import('./read-ties.ts')
  const loaded = await readTies(call, run?.context)
  const blind = blindToLosses(loaded)
  if (blind !== undefined) {
    throw new FleetctlError(
      `refused, nothing was written: which Applications agents would delete cannot be told: ${blind}`,
      EXIT.refused,
    )
  }
  const lost = await lostByPlan(plan, loaded, client)
  const accepted = acceptedLosses(plan)
  const open = lost.filter(l => !accepted.has(l.key))
  if (open.length === 0) return
  const which = open.map(l => `${l.key} on ${l.cluster} (${l.why})`).join(', ')
  throw new FleetctlError(
    `refused, nothing was written: deleted-by-agents: agents would delete ${which}, workload included, within two seconds, and the hub would still say Synced and Healthy; only a plan that names exactly these does that (agent commands take --accept-lost)`,
    EXIT.refused,
  )
}

/** @returns steps that are left out under --partial, with the reason */
async function preflight({ call, plan, client, run }: Live): Promise<Map<number, string>> {
  const outright = refusedOutright(plan, await hubIdentity(client))
  if (outright.length > 0) refuse(outright)
  const refusals = [...(await moved(client, plan, run)), ...(await forbidden(client, plan))]
  await refuseLosses({ call, plan, client, run })
  const isPartial = call.options.partial === true
  const fatal = refusals.filter(r => !isPartial || r.step === undefined)
  if (fatal.length > 0) refuse(fatal)
  return new Map(refusals.flatMap(r => (r.step === undefined ? [] : [[r.step.number, r.text]])))
}

/** Lets the server refuse now what it would refuse in the middle. */
async function rehearse({ call, plan, client }: Live, skip: Map<number, string>): Promise<void> {
  const refused = (await dryRun(client, plan)).flatMap(r => (r.refusal === undefined ? [] : [r.refusal]))
  const fatal = refused.filter(r => r.step !== undefined && !skip.has(r.step.number))
  if (fatal.length === 0) return
  if (call.options.partial !== true) refuse(fatal)
  for (const { step, text } of fatal) if (step !== undefined) skip.set(step.number, text)
}

async function dryRunOnly({ call, plan, client, outputs }: Live): Promise<ExitCode> {
  const tried = new Map((await dryRun(client, plan)).map(r => [r.step.number, r]))
  const results = plan.steps.map((step): StepResult => {
    if (step.type === 'wait') return { step, outcome: 'not-awaited', text: '' }
    if (step.action === 'unchanged') return { step, outcome: 'unchanged', text: '' }
    const result = tried.get(step.number)
    if (result?.refusal !== undefined) return { step, outcome: 'failed', text: result.refusal.text }
    if (result?.tried !== true) return { step, outcome: 'not-tried', text: 'needs an object of an earlier step' }
    return { step, outcome: step.action === 'create' ? 'created' : 'configured', text: '' }
  })
  const report = applyReport(plan, { results, stopped: undefined }, { id: '', path: '' }, true)
  const exitCode = results.some(r => r.outcome === 'failed') ? EXIT.refused : EXIT.ok
  if (outputs.isText) {
    for (const line of report.results) {
      if (line.subject !== null) await writeStream(call.context.stdout, `${stepLine(line, true)}\n`)
    }
  }
  await outputs.show(report, exitCode)
  return exitCode
}

/** @throws FleetctlError (6) where the answer is no, or nobody can be asked */
async function ask({ call, plan, client, run }: Live): Promise<void> {
  const number = writes(plan).length
  if (call.options.yes === true || number === 0) return
  const what = run === undefined ? `Write ${number} objects` : `Go on writing up to ${number} objects`
  if (await confirm(call.context, call.flags.input, `${what} to hub ${client.name}?`, '--yes')) return
  throw new FleetctlError('not confirmed, nothing was written', EXIT.refused)
}

/** Does the work while it holds the lease of the plan, so that no other run of its kind writes to the hub. */
async function excluding(
  { call, plan, client }: Live,
  work: (lost: AbortSignal | undefined) => Promise<ExitCode>,
): Promise<ExitCode> {
  if (plan.exclusive === undefined || writes(plan).length === 0) return work(undefined)
  const lease = await excludeOthers(client, plan.exclusive, call.context.signal)
  try {
    return await work(lease.lost)
  } finally {
    await lease.release()
  }
}

async function carryOut(
  live: Live,
  skip: ReadonlyMap<number, string>,
  lost: AbortSignal | undefined,
): Promise<ExitCode> {
  const { call, plan, client, outputs, run, hooks } = live
  const folder = journalFolder(call.context.env)
  const now = () => new Date()
  // A run without a write needs no journal: there is nothing to go on with and nothing to take back.
  const isIdle = run === undefined && writes(plan).length === 0
  const id = run?.id ?? runId(now(), randomBytes(3).toString('hex'))
  const context = textOption(call.options, 'context') ?? run?.context ?? ''
  const journal =
    run !== undefined
      ? Journal.resume(folder, id, now)
      : isIdle
        ? undefined
        : Journal.begin(folder, id, plan, context, now)
  const started = Date.now()
  const { timeout } = call.flags
  let result: ApplyResult
  try {
    result = await applyPlan(plan, {
      client,
      journal,
      run,
      wait: call.options.wait !== false,
      skip,
      patience: {
        ...CLOCK,
        signal: lost === undefined ? call.context.signal : AbortSignal.any([call.context.signal, lost]),
      },
      // --timeout is for the whole command; without it each signal has its time.
      limitMs: ({ limitSeconds }) => {
        if (timeout > 0) return Math.max(0, started + timeout - Date.now())
        return limitSeconds === undefined ? LONGEST_WAIT_MS : limitSeconds * 1000
      },
      pauseAfter: hooks.pauseAfter,
      onStep: step => printStep(live, step),
      onWait: (step, blockers) => note(call, `waiting ${step.text}: ${blockers.join('; ')}`),
    })
  } catch (error) {
    if (journal !== undefined) howToGoOn(call, plan, journal)
    throw error
  } finally {
    journal?.close()
  }
  if (result.isWritten && result.stopped === undefined) {
    const earlier = supersede(folder, plan, journal === undefined ? '' : id, now)
    if (earlier.length > 0) note(call, `finishes ${earlier.join(', ')}: to take all back, revert that as well`)
  }
  const written = exitCodeOf(result, run)
  const delivery = written === EXIT.ok && result.paused === undefined ? await look(live) : null
  const exitCode = delivery !== null && delivery.blockers.length > 0 ? EXIT.timeout : written
  const where = { id: journal === undefined ? '' : id, path: journal?.path ?? '' }
  const causes = result.stopped?.cause === 'timeout' ? ((await hooks.causes?.()) ?? []) : []
  const report = applyReport(plan, result, where, false, delivery, causes)
  await outputs.show(report, exitCode)
  if (delivery !== null && delivery.blockers.length > 0) undelivered(call, delivery)
  else if (result.paused !== undefined) paused(call, plan, result.paused, journal)
  else if (exitCode !== EXIT.ok) explain(call, plan, result, journal, causes)
  else if (journal !== undefined)
    note(call, `journal: ${journal.path} (take it back with "${call.context.command} ${waysOf(plan, id).back}")`)
  return exitCode
}

/** Follows what was built to the clusters, with the doctor's eyes; null where the plan builds nothing that delivers. */
async function look({ call, plan, outputs }: Live): Promise<Delivered | null> {
  // An ApplicationSet of others, of which some fields were changed, was not built here.
  const appSet = objectSteps(plan).find(step => step.subject.kind === 'ApplicationSet' && !step.shared)?.subject
  if (appSet === undefined || call.options.wait === false) return null
  const last = plan.steps.findLast(step => step.type === 'wait')
  // What agents have reported has arrived.
  if (last?.signal.signal === 'reported') return null
  const { blockersOf, traceUntilDelivered } = await import('../bootstrap/verify.ts')
  const list = await traceUntilDelivered(call, appSet, call.context.signal)
  const blockers = blockersOf(list)
  if (outputs.isText) {
    const { renderTraceListText } = await import('../../output/trace-list-text.ts')
    const options = renderOptionsOf(call, 'stdout', blockers.length === 0 ? EXIT.ok : EXIT.timeout)
    await writeStream(call.context.stdout, `\n${renderTraceListText(cleanDocument(list), options)}`)
  }
  return { applicationSet: appSet, applications: list.traces.length, blockers }
}

function printStep({ call, outputs, plan }: Live, result: StepResult): void {
  if (!outputs.isText || result.outcome === 'not-tried' || result.outcome === 'not-awaited') return
  const [line] = applyReport(plan, { results: [result], stopped: undefined }, { id: '', path: '' }, false).results
  if (line !== undefined) call.context.stdout.write(`${stepLine(line, false)}\n`)
}
