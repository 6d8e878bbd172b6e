import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { ClusterClient } from '../../plan/cluster-client.ts'
import { type HeldLease, holderId, takeLease } from '../../plan/lease.ts'
import type { Plan } from '../../plan/plan.ts'

/** Time as plans wait in it. */
export const CLOCK = {
  now: (): number => Date.now(),
  sleep: (ms: number, signal: AbortSignal): Promise<void> => sleep(ms, undefined, { signal }),
}

/** Takes a Lease for this run, so that no other run of its kind writes to the hub. */
export function excludeOthers(
  client: ClusterClient,
  place: NonNullable<Plan['exclusive']>,
  signal: AbortSignal,
): Promise<HeldLease> {
  return takeLease(client, place, { ...CLOCK, holder: holderId(randomBytes(3).toString('hex')), signal })
}
