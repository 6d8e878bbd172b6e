import type { Subject } from '../../fleet/subject.ts'
import { KubeError } from '../../kube/errors.ts'
import { awaitSignal, type Patience } from '../../plan/awaiting.ts'
import type { ClusterClient } from '../../plan/cluster-client.ts'
import type { Journal } from '../../plan/journal.ts'
import { applyRevert, type RevertResult } from '../../plan/revert.ts'
import { signalText } from '../../plan/signal.ts'
import { textAt } from '../../raw.ts'
import type { RevertItem } from './items.ts'

/** What became of one item of a way back. */
export interface ItemResult {
  readonly subject: Subject | null
  readonly outcome: RevertResult['outcome'] | 'reached' | 'not-reached'
  readonly text: string
  /** For a step of the run: the fields that were put back, and those that were left. */
  readonly revert: RevertResult | undefined
}

export interface CarryOut {
  readonly client: ClusterClient
  readonly journal: Journal
  readonly patience: Omit<Patience, 'limitMs' | 'onChange'>
  limitMs(seconds: number): number
  onResult(result: ItemResult): void
  onWait(text: string, blockers: readonly string[]): void
}

async function removeRemain(item: Extract<RevertItem, { type: 'remain' }>, client: ClusterClient): Promise<ItemResult> {
  const { subject } = item.remain
  const result = (outcome: ItemResult['outcome'], text = ''): ItemResult => ({
    subject,
    outcome,
    text,
    revert: undefined,
  })
  const seen = await client.look(subject)
  if (seen.state === 'unknown') return result('failed', seen.reason)
  if (seen.state !== 'present') return result('gone')
  // ACM writes some of them anew while it still works, so the uid is the one of now.
  await client.remove(subject, { uid: textAt(seen.object, 'metadata', 'uid') })
  return result('deleted')
}

async function reach(item: Extract<RevertItem, { type: 'wait' }>, options: CarryOut): Promise<ItemResult> {
  const text = signalText(item.signal)
  const state = await awaitSignal(options.client, item.signal, {
    ...options.patience,
    limitMs: options.limitMs(item.limitSeconds),
    onChange: blockers => options.onWait(text, blockers),
  })
  const said = state.holds ? text : `${text}: ${state.blockers.join('; ')}`
  return { subject: null, outcome: state.holds ? 'reached' : 'not-reached', text: said, revert: undefined }
}

async function one(item: RevertItem, options: CarryOut): Promise<ItemResult> {
  const { client, journal, patience } = options
  if (item.type === 'wait') return reach(item, options)
  if (item.type === 'remain') return removeRemain(item, client)
  const [revert] = await applyRevert([item.step], { client, journal, signal: patience.signal }, () => {})
  const { subject } = item.step.step
  if (revert === undefined) return { subject, outcome: 'not-tried', text: '', revert }
  return { subject, outcome: revert.outcome, text: revert.text || item.step.text, revert }
}

/** Goes the way back, and stops at the first thing that fails or does not come: the rest still needs it. */
export async function carryOutRevert(items: readonly RevertItem[], options: CarryOut): Promise<readonly ItemResult[]> {
  const results: ItemResult[] = []
  let isStopped = false
  for (const item of items) {
    options.patience.signal.throwIfAborted()
    let result: ItemResult
    const subject = item.type === 'step' ? item.step.step.subject : item.type === 'remain' ? item.remain.subject : null
    if (isStopped) result = { subject, outcome: 'not-tried', text: '', revert: undefined }
    else {
      try {
        result = await one(item, options)
      } catch (error) {
        if (!(error instanceof KubeError)) throw error
        if (error.failure === 'aborted') throw options.patience.signal.reason ?? error
        result = { subject, outcome: 'failed', text: error.reason, revert: undefined }
      }
    }
    isStopped ||= result.outcome === 'failed' || result.outcome === 'not-reached'
    results.push(result)
    options.onResult(result)
  }
  return results
}
