import { hostname } from 'node:os'
import { EXIT, FleetctlError } from '../errors.ts'
import { subject } from '../fleet/subject.ts'
import { KubeError } from '../kube/errors.ts'
import { type RawObject, textAt, valueAt } from '../raw.ts'
import type { ClusterClient } from './cluster-client.ts'
import type { Manifest } from './object.ts'

const DURATION_SECONDS = 15
const RENEW_MS = 5_000

/** Where runs exclude each other. */
interface LeasePlace {
  readonly namespace: string
  readonly name: string
}

export interface HeldLease {
  /** Aborted when the lease was lost to another run. */
  readonly lost: AbortSignal
  release(): Promise<void>
}

/** `host_pid_random`: on its own host a holder that has died is told at once. */
export function holderId(random: string): string {
  return `${hostname()}_${process.pid}_${random}`
}

/** A holder of this host whose process is gone: killed, it could not give the lease back. */
function isDead(holder: string): boolean {
  const match = /^(.*)_(\d+)_[^_]*$/.exec(holder)
  if (match === null || match[1] !== hostname()) return false
  try {
    process.kill(Number(match[2]), 0)
    return false
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'ESRCH'
  }
}

/** Kubernetes' MicroTime. */
function microTime(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, -1)}000Z`
}

function manifestOf(place: LeasePlace, holder: string, now: number): Manifest {
  return {
    apiVersion: 'coordination.k8s.io/v1',
    kind: 'Lease',
    metadata: { name: place.name, namespace: place.namespace },
    spec: { holderIdentity: holder, leaseDurationSeconds: DURATION_SECONDS, renewTime: microTime(now) },
  }
}

function identity(lease: RawObject): { readonly uid: string; readonly resourceVersion: string } {
  return { uid: textAt(lease, 'metadata', 'uid'), resourceVersion: textAt(lease, 'metadata', 'resourceVersion') }
}

function expiryOf(lease: RawObject): number {
  const renewed = Date.parse(textAt(lease, 'spec', 'renewTime'))
  const seconds = valueAt(lease, 'spec', 'leaseDurationSeconds')
  return Number.isNaN(renewed) ? 0 : renewed + (typeof seconds === 'number' ? seconds : DURATION_SECONDS) * 1000
}

interface Acquire {
  readonly holder: string
  readonly signal: AbortSignal
  now(): number
  sleep(ms: number, signal: AbortSignal): Promise<void>
}

function refused(place: LeasePlace, holder: string): FleetctlError {
  return new FleetctlError(
    `refused, nothing was written: another run is at work on this hub (Lease ${place.namespace}/${place.name}, held by ${holder}); wait until it has ended`,
    EXIT.refused,
  )
}

/** One attempt: the lease with its new holder, or undefined where somebody else was faster. */
async function attempt(client: ClusterClient, place: LeasePlace, seen: RawObject | undefined, options: Acquire) {
  const at = subject('hub', 'Lease', place.namespace, place.name)
  const manifest = manifestOf(place, options.holder, options.now())
  try {
    if (seen === undefined) return await client.create(at, manifest)
    return await client.apply(at, manifest, { force: true, expect: identity(seen) })
  } catch (error) {
    if (!(error instanceof KubeError)) throw error
    if (error.failure === 'conflict') return undefined
    if (error.failure !== 'forbidden') throw error
    throw new FleetctlError(
      `refused, nothing was written: you may not write Lease ${place.namespace}/${place.name}, by which runs exclude each other (need: get, create, patch and delete on leases.coordination.k8s.io in ${place.namespace})`,
      EXIT.refused,
      { cause: error },
    )
  }
}

/**
 * Takes the lease, or refuses: one that is held and renewed is another run at work; one whose time is over, or whose
 * process has died, is taken over.
 *
 * @throws FleetctlError (6) while another run holds it
 */
export async function takeLease(client: ClusterClient, place: LeasePlace, options: Acquire): Promise<HeldLease> {
  const at = subject('hub', 'Lease', place.namespace, place.name)
  let renewed = ''
  for (;;) {
    options.signal.throwIfAborted()
    const seen = await client.look(at)
    if (seen.state === 'unknown') {
      throw new FleetctlError(
        `refused, nothing was written: Lease ${place.namespace}/${place.name}, by which runs exclude each other, cannot be read: ${seen.reason}`,
        EXIT.refused,
      )
    }
    const there = seen.state === 'present' ? seen.object : undefined
    const holder = textAt(there, 'spec', 'holderIdentity')
    const left = there === undefined ? 0 : expiryOf(there) - options.now()
    if (there === undefined || left <= 0 || isDead(holder)) {
      const taken = await attempt(client, place, there, options)
      if (taken !== undefined) return hold(client, place, taken, options)
      continue
    }
    const now = textAt(there, 'spec', 'renewTime')
    // Seen to be renewed, its holder lives.
    if (renewed !== '' && renewed !== now) throw refused(place, holder)
    renewed = now
    await options.sleep(Math.min(left, 1_000), options.signal)
  }
}

/** Renews the lease until it is released. */
function hold(client: ClusterClient, place: LeasePlace, taken: RawObject, options: Acquire): HeldLease {
  const at = subject('hub', 'Lease', place.namespace, place.name)
  const lost = new AbortController()
  const uid = textAt(taken, 'metadata', 'uid')
  let renewedAt = options.now()
  let isReleased = false
  const renew = async (): Promise<void> => {
    try {
      const seen = await client.look(at)
      if (isReleased) return
      const isOurs = seen.state === 'present' && textAt(seen.object, 'spec', 'holderIdentity') === options.holder
      if (!isOurs) {
        lost.abort(
          new FleetctlError(
            `stopped: another run has taken Lease ${place.namespace}/${place.name} of this hub`,
            EXIT.partlyWritten,
          ),
        )
        return
      }
      await client.apply(at, manifestOf(place, options.holder, options.now()), {
        force: true,
        expect: identity(seen.object),
      })
      renewedAt = options.now()
    } catch (error) {
      // The hub may be away for a while; nothing can be written in that time, either.
      if (!(error instanceof KubeError)) throw error
      if (options.now() - renewedAt > 10 * DURATION_SECONDS * 1000) lost.abort(error)
    }
  }
  const timer = setInterval(() => void renew(), RENEW_MS)
  timer.unref()
  return {
    lost: lost.signal,
    async release() {
      isReleased = true
      clearInterval(timer)
      try {
        await client.remove(at, { uid })
      } catch (error) {
        // It runs out by itself.
        if (!(error instanceof KubeError)) throw error
      }
    },
  }
}
