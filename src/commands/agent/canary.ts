import { randomBytes } from 'node:crypto'
import { CANARY, type CanaryPlan, canaryPlan } from '../../agent/canary.ts'
import { EXIT, FleetctlError, UsageError } from '../../errors.ts'
import { AGENT_VERIFICATION_VIEW } from '../../output/agent-views.ts'
import { renderPlanText } from '../../output/plan-text.ts'
import { cleanDocument } from '../../output/sanitize.ts'
import { writeStream } from '../../output/write.ts'
import { applyPlan } from '../../plan/apply.ts'
import type { ClusterClient } from '../../plan/cluster-client.ts'
import { findRun, Journal, journalFolder, runId } from '../../plan/journal.ts'
import type { HeldLease } from '../../plan/lease.ts'
import type { Plan } from '../../plan/plan.ts'
import { dryRun, forbidden } from '../../plan/preflight.ts'
import { applyRevert, planRevert } from '../../plan/revert.ts'
import { textAt } from '../../raw.ts'
import { confirm } from '../../ui/confirm.ts'
import { type Call, note } from '../call.ts'
import { listOption, textOption } from '../flag-values.ts'
import { CLOCK, excludeOthers } from '../plan/clock.ts'
import { openHub } from '../plan/open-hub.ts'
import { outputsFor, renderOptionsOf } from '../plan/show-document.ts'
import { readHub } from './make.ts'

/** Canaries that are on the hub. */
export interface Canaries {
  /** `namespace/name` by agent. */
  readonly byAgent: ReadonlyMap<string, string>
  /** Takes them away, also when the command was stopped; false where some had to be left, which is said. */
  clear(): Promise<boolean>
}

/** Clearing away has its own time, since the command itself may have been stopped. */
const CLEAR_MS = 30_000

function sourceOf(call: Call) {
  const repoURL = textOption(call.options, 'repoUrl')
  const path = textOption(call.options, 'path')
  const revision = textOption(call.options, 'revision')
  if (repoURL === undefined) {
    if (path !== undefined || revision !== undefined) throw new UsageError('--path and --revision go with --repo-url')
    return {}
  }
  return { source: { repoURL, path: path ?? '.', targetRevision: revision ?? 'HEAD' } }
}

async function made(call: Call, signal: AbortSignal): Promise<CanaryPlan> {
  const hub = await readHub(call, signal)
  try {
    const suffix = randomBytes(3).toString('hex')
    const spokes = [...new Set(listOption(call.options, 'spoke'))]
    return await canaryPlan({ spokes, suffix, ...sourceOf(call) }, { ...hub, now: new Date() })
  } finally {
    hub.close()
  }
}

/** @throws FleetctlError (6) before anything is written */
async function checked(call: Call, client: ClusterClient, plan: Plan): Promise<void> {
  const refusals = [
    ...(await forbidden(client, plan)).map(r => r.text),
    ...(await dryRun(client, plan)).flatMap(r => (r.refusal === undefined ? [] : [r.refusal.text])),
  ]
  const namespaces = new Set(plan.steps.flatMap(s => (s.type === 'object' ? [s.subject.namespace] : [])))
  for (const namespace of namespaces) {
    const access = {
      verb: 'delete',
      group: 'argoproj.io',
      resource: 'applications',
      subresource: '',
      namespace,
      name: '',
    }
    if ((await client.allowed(access)) === false) {
      refusals.push(`you may not delete applications.argoproj.io in ${namespace}, and canaries would stay`)
    }
  }
  const [first] = refusals
  if (first !== undefined) throw new FleetctlError(`refused, nothing was written: ${first}`, EXIT.refused)
  if (call.options.yes === true) return
  const question = `Make ${plan.summary.create} canary Applications on hub ${client.name}, for as long as this takes?`
  if (!(await confirm(call.context, call.flags.input, question, '--yes'))) {
    throw new FleetctlError('not confirmed, nothing was written', EXIT.refused)
  }
}

/** Takes the canaries of a run away, by the way back of its journal. */
async function clearRun(call: Call, id: string): Promise<boolean> {
  const signal = AbortSignal.timeout(CLEAR_MS)
  const client = await openHub({ ...call, context: { ...call.context, signal } })
  const folder = journalFolder(call.context.env)
  try {
    const steps = await planRevert(findRun(folder, id), client)
    const journal = Journal.resume(folder, id, () => new Date())
    try {
      const results = await applyRevert(steps, { client, journal, signal }, () => {})
      let isClear = results.every(r => r.outcome !== 'failed' && r.outcome !== 'not-tried')
      // A canary that somebody has changed is nobody's workload all the same.
      for (const { step } of results.filter(r => r.outcome === 'left' && r.step.step.action === 'create')) {
        const seen = await client.look(step.step.subject)
        if (seen.state !== 'present') continue
        const isOurs = textAt(seen.object, 'metadata', 'labels', CANARY) !== ''
        if (isOurs) await client.remove(step.step.subject, { uid: textAt(seen.object, 'metadata', 'uid') })
        else isClear = false
      }
      if (isClear) journal.takenBack()
      return isClear
    } finally {
      journal.close()
    }
  } finally {
    client.close()
  }
}

/**
 * Sends a canary to each managed agent: planned, checked, confirmed, noted in a journal and written while no other run of
 * agent works on the hub.
 */
export async function sendCanaries(call: Call): Promise<Canaries> {
  if (call.flags.from !== undefined) throw new UsageError('--canary writes to a live hub and cannot go with --from')
  if (call.options.wait === false) throw new UsageError('--canary waits for an answer and cannot go with --no-wait')
  const { isText } = await outputsFor(call, AGENT_VERIFICATION_VIEW)
  const { plan, canaries } = await made(call, call.context.signal)
  if (isText) {
    const text = renderPlanText(cleanDocument(plan), renderOptionsOf(call, 'stdout', EXIT.ok))
    await writeStream(call.context.stdout, `${text}\n`)
  }
  const client = await openHub(call)
  const id = runId(new Date(), randomBytes(3).toString('hex'))
  let lease: HeldLease | undefined
  const clear = async (): Promise<boolean> => {
    let isClear = false
    try {
      isClear = await clearRun(call, id)
    } catch (error) {
      note(call, error instanceof Error ? error.message : 'the hub did not answer')
    }
    await lease?.release()
    client.close()
    if (!isClear) call.context.stderr.write(`canaries are left: ${call.context.command} plan revert ${id}\n`)
    return isClear
  }
  try {
    await checked(call, client, plan)
    if (plan.exclusive !== undefined) {
      lease = await excludeOthers(client, plan.exclusive, call.context.signal)
    }
  } catch (error) {
    client.close()
    throw error
  }
  const context = textOption(call.options, 'context') ?? ''
  const journal = Journal.begin(journalFolder(call.context.env), id, plan, context, () => new Date())
  try {
    const result = await applyPlan(plan, {
      client,
      journal,
      wait: false,
      skip: new Map(),
      patience: {
        ...CLOCK,
        signal: AbortSignal.any([call.context.signal, lease?.lost ?? call.context.signal]),
      },
      limitMs: () => 0,
      onStep: () => {},
      onWait: () => {},
    })
    if (!result.isWritten) {
      throw new FleetctlError(`a canary could not be made: ${result.stopped?.text ?? ''}`, EXIT.partlyWritten)
    }
  } catch (error) {
    journal.close()
    await clear()
    throw error
  }
  journal.close()
  return { byAgent: canaries, clear }
}
