import { kindCalled } from '../fleet/kinds.ts'
import { PLACEMENT_LABEL } from '../fleet/labels.ts'
import { subject } from '../fleet/subject.ts'
import { listAt, textAt } from '../raw.ts'
import { addon, reported, rolledOut, routed } from './awaiting-workloads.ts'
import type { ClusterClient } from './cluster-client.ts'
import type { Signal } from './signal.ts'
import { blocked, conditionOf, conditionText, HOLDS, notSeen, type SignalState } from './signal-state.ts'

async function decidedBy(
  client: ClusterClient,
  signal: { readonly namespace: string; readonly placement: string },
): Promise<ReadonlySet<string>> {
  const decisions = await client.list('PlacementDecision', {
    namespace: signal.namespace,
    labelSelector: `${PLACEMENT_LABEL}=${signal.placement}`,
  })
  return new Set(decisions.flatMap(d => listAt(d, 'status', 'decisions').map(entry => textAt(entry, 'clusterName'))))
}

async function decided(client: ClusterClient, signal: Extract<Signal, { signal: 'decided' }>): Promise<SignalState> {
  const there = await decidedBy(client, signal)
  const missing = signal.clusters.filter(cluster => !there.has(cluster))
  if (missing.length === 0) return HOLDS
  const seen = await client.look(subject('hub', 'Placement', signal.namespace, signal.placement))
  const why =
    seen.state === 'present'
      ? conditionText(seen.object, 'PlacementSatisfied')
      : notSeen(seen, 'the Placement is not there')
  return blocked(`${missing.join(', ')} not decided; ${why}`)
}

/** Since ACM 2.15 there are conditions, before only a phase; both name the clusters in `.status.message`. */
async function registered(
  client: ClusterClient,
  signal: Extract<Signal, { signal: 'registered' }>,
): Promise<SignalState> {
  const seen = await client.look(subject('hub', 'GitOpsCluster', signal.namespace, signal.name))
  if (seen.state !== 'present') return blocked(notSeen(seen, 'the GitOpsCluster is not there'))
  const { object } = seen
  const hasConditions = listAt(object, 'status', 'conditions').length > 0
  const isReady = hasConditions
    ? conditionOf(object, 'Ready')?.status === 'True'
    : textAt(object, 'status', 'phase') === 'successful'
  if (!isReady) {
    const failing = listAt(object, 'status', 'conditions')
      .filter(c => textAt(c, 'status') === 'False')
      .map(c => `${textAt(c, 'type')}: ${textAt(c, 'message')}`)
    if (failing.length > 0) return blocked(...failing)
    const phase = textAt(object, 'status', 'phase')
    if (hasConditions) return blocked(conditionText(object, 'Ready'))
    return blocked(phase === '' ? 'its controller has not reported yet' : `phase is "${phase}"`)
  }
  const named = /Added managed clusters \[([^\]]*)\]/.exec(textAt(object, 'status', 'message'))?.[1]?.split(/[\s,]+/)
  const missing = named === undefined ? [] : signal.clusters.filter(cluster => !named.includes(cluster))
  return missing.length === 0 ? HOLDS : blocked(`${missing.join(', ')} not registered yet`)
}

async function compliant(
  client: ClusterClient,
  signal: Extract<Signal, { signal: 'compliant' }>,
): Promise<SignalState> {
  const seen = await client.look(subject('hub', 'Policy', signal.namespace, signal.policy))
  if (seen.state !== 'present') return blocked(notSeen(seen, 'the Policy is not there'))
  const states = new Map(
    listAt(seen.object, 'status', 'status').map(s => [textAt(s, 'clustername'), textAt(s, 'compliant')]),
  )
  const blockers = signal.clusters
    .filter(cluster => states.get(cluster) !== 'Compliant')
    .map(cluster => `${cluster} is ${states.get(cluster) || 'not reported'}`)
  return blockers.length === 0 ? HOLDS : blocked(...blockers)
}

async function synced(client: ClusterClient, signal: Extract<Signal, { signal: 'synced' }>): Promise<SignalState> {
  const blockers: string[] = []
  for (const name of signal.applications) {
    const seen = await client.look(subject('hub', 'Application', signal.namespace, name))
    if (seen.state !== 'present') blockers.push(notSeen(seen, `${name} is not there`))
    else {
      const state = textAt(seen.object, 'status', 'sync', 'status')
      if (state !== 'Synced') blockers.push(`${name} is ${state || 'without status'}`)
    }
  }
  return blockers.length === 0 ? HOLDS : blocked(...blockers)
}

/** Looks once whether a signal is there. */
async function evaluate(client: ClusterClient, signal: Signal): Promise<SignalState> {
  switch (signal.signal) {
    case 'decided':
      return decided(client, signal)
    case 'undecided': {
      const there = await decidedBy(client, signal)
      const left = signal.clusters.filter(cluster => there.has(cluster))
      return left.length === 0 ? HOLDS : blocked(`${left.join(', ')} still decided`)
    }
    case 'registered':
      return registered(client, signal)
    case 'compliant':
      return compliant(client, signal)
    case 'synced':
      return synced(client, signal)
    case 'rolled-out':
      return rolledOut(client, signal)
    case 'routed':
      return routed(client, signal)
    case 'addon':
      return addon(client, signal)
    case 'reported':
      return reported(client, signal)
    case 'none-of': {
      const left: string[] = []
      for (const name of signal.applications) {
        const seen = await client.look(subject('hub', 'Application', signal.namespace, name))
        if (seen.state === 'present') left.push(`${name} is still there`)
      }
      return left.length === 0 ? HOLDS : blocked(...left)
    }
    case 'renewed': {
      const seen = await client.look(signal.subject)
      if (seen.state !== 'present') return blocked(notSeen(seen, 'it is not there yet'))
      return textAt(seen.object, 'metadata', 'uid') === signal.uid ? blocked('it is still the old one') : HOLDS
    }
    case 'deleted': {
      const seen = await client.look(signal.subject)
      if (seen.state !== 'present') return seen.state === 'unknown' ? blocked(seen.reason) : HOLDS
      // One that is not on its way out was made since.
      if (textAt(seen.object, 'metadata', 'deletionTimestamp') === '') return HOLDS
      const finalizers = listAt(seen.object, 'metadata', 'finalizers').join(', ')
      return blocked(`it is being deleted${finalizers === '' ? '' : `, held by ${finalizers}`}`)
    }
    case 'gone': {
      const seen = await client.look(signal.subject)
      return seen.state === 'absent' || seen.state === 'not-served' ? HOLDS : blocked('it is still there')
    }
    case 'exists': {
      const seen = await client.look(signal.subject)
      return seen.state === 'present' ? HOLDS : blocked(notSeen(seen, 'it is not there'))
    }
    case 'condition': {
      const kind = kindCalled(signal.subject.kind)
      const seen = kind === undefined ? undefined : await client.look(signal.subject)
      if (seen?.state !== 'present') return blocked('the object is not there')
      return conditionOf(seen.object, signal.type)?.status === signal.status
        ? HOLDS
        : blocked(conditionText(seen.object, signal.type))
    }
  }
}

export interface Patience {
  /** Epoch milliseconds of now. */
  now(): number
  sleep(ms: number, signal: AbortSignal): Promise<void>
  readonly signal: AbortSignal
  /** Longest wait for one signal, in milliseconds. */
  readonly limitMs: number
  /** Told what blocks, each time it has changed. */
  onChange(blockers: readonly string[]): void
}

const FIRST_PAUSE_MS = 1_000
const LONGEST_PAUSE_MS = 10_000

/** Waits for a signal. Gives the blockers where it did not come in time; rejects when the user stops it. */
export async function awaitSignal(client: ClusterClient, signal: Signal, patience: Patience): Promise<SignalState> {
  const until = patience.now() + patience.limitMs
  let told = ''
  for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(LONGEST_PAUSE_MS, pause * 1.5)) {
    patience.signal.throwIfAborted()
    const state = await evaluate(client, signal)
    if (state.holds) return state
    const text = state.blockers.join('; ')
    if (text !== told) patience.onChange(state.blockers)
    told = text
    const left = until - patience.now()
    if (left <= 0) return state
    await patience.sleep(Math.min(pause, left), patience.signal)
  }
}
