import { subject } from '../fleet/subject.ts'
import { listAt, textAt, valueAt } from '../raw.ts'
import type { ClusterClient } from './cluster-client.ts'
import { managerNames } from './managed-fields.ts'
import type { Signal } from './signal.ts'
import { blocked, conditionOf, conditionText, HOLDS, notSeen, type SignalState } from './signal-state.ts'

function numberAt(value: unknown, ...keys: readonly string[]): number {
  const number = valueAt(value, ...keys)
  return typeof number === 'number' ? number : 0
}

/** As `kubectl rollout status` judges it: the newest generation was seen, and all replicas are of its template and available. */
export async function rolledOut(
  client: ClusterClient,
  signal: Extract<Signal, { signal: 'rolled-out' }>,
): Promise<SignalState> {
  const seen = await client.look(signal.subject)
  if (seen.state !== 'present') return blocked(notSeen(seen, 'it is not there'))
  const { object } = seen
  const template = JSON.stringify(valueAt(object, 'spec', 'template') ?? {})
  if (!template.includes(signal.mentions)) return blocked(`its template does not hold ${signal.mentions} yet`)
  if (numberAt(object, 'status', 'observedGeneration') < numberAt(object, 'metadata', 'generation')) {
    return blocked('its controller has not seen the change yet')
  }
  const wanted = valueAt(object, 'spec', 'replicas')
  const replicas = typeof wanted === 'number' ? wanted : 1
  const updated = numberAt(object, 'status', 'updatedReplicas')
  const ready = numberAt(
    object,
    'status',
    textAt(object, 'kind') === 'StatefulSet' ? 'readyReplicas' : 'availableReplicas',
  )
  const old = numberAt(object, 'status', 'replicas') - updated
  if (updated < replicas || ready < replicas || old > 0) {
    return blocked(
      `${updated} of ${replicas} replicas are updated, ${ready} available${old > 0 ? `, ${old} old left` : ''}`,
    )
  }
  return HOLDS
}

/** Has the router admitted the Route and given it a host? */
export async function routed(
  client: ClusterClient,
  signal: Extract<Signal, { signal: 'routed' }>,
): Promise<SignalState> {
  const seen = await client.look(signal.subject)
  if (seen.state !== 'present') return blocked(notSeen(seen, 'the Route is not there'))
  const refused = listAt(seen.object, 'status', 'ingress')
    .flatMap(ingress => listAt(ingress, 'conditions'))
    .find(c => textAt(c, 'type') === 'Admitted' && textAt(c, 'status') === 'False')
  if (refused !== undefined) return blocked(`not admitted: ${textAt(refused, 'message') || textAt(refused, 'reason')}`)
  return textAt(seen.object, 'spec', 'host') === '' ? blocked('it has no host yet') : HOLDS
}

/** Is the add-on available on every cluster of the signal? */
export async function addon(client: ClusterClient, signal: Extract<Signal, { signal: 'addon' }>): Promise<SignalState> {
  const blockers: string[] = []
  for (const cluster of signal.clusters) {
    const seen = await client.look(subject('hub', 'ManagedClusterAddOn', cluster, signal.addon))
    if (seen.state !== 'present') blockers.push(notSeen(seen, `${cluster} has none yet`))
    else if (conditionOf(seen.object, 'Available')?.status !== 'True') {
      blockers.push(`${cluster}: ${conditionText(seen.object, 'Available')}`)
    }
  }
  return blockers.length === 0 ? HOLDS : blocked(...blockers)
}

/** The hand of an agent's status in an Application: the principal writes it under this name (agent-mode.md 4.1, H9). */
const PRINCIPAL_MANAGER = 'argocd-agent'

/** Has an agent reported each Application, and is it Synced there? The hub copy alone says nothing about the cluster. */
export async function reported(
  client: ClusterClient,
  signal: Extract<Signal, { signal: 'reported' }>,
): Promise<SignalState> {
  const blockers: string[] = []
  for (const name of signal.applications) {
    const seen = await client.look(subject('hub', 'Application', signal.namespace, name))
    if (seen.state !== 'present') blockers.push(notSeen(seen, `${name} is not there`))
    else if (!managerNames(seen.object).includes(PRINCIPAL_MANAGER)) blockers.push(`no agent has reported ${name} yet`)
    else if (textAt(seen.object, 'status', 'sync', 'status') !== 'Synced') {
      blockers.push(`${name} is ${textAt(seen.object, 'status', 'sync', 'status') || 'without status'}`)
    }
  }
  return blockers.length === 0 ? HOLDS : blocked(...blockers)
}
