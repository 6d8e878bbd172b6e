import { makeSwitch, type Switch } from '../../agent/make-agent-plan.ts'
import { type LoadedFleet, loadFleet } from '../../fleet/load.ts'
import { keepObjects, type ObjectReader } from '../../plan/object-reader.ts'
import type { FleetSource } from '../../source/source.ts'
import { type Call, openSource } from '../call.ts'
import { AGENT_KINDS } from './kinds.ts'
import { agentRequest } from './request.ts'

interface MadeSwitch {
  readonly made: Switch
  readonly source: FleetSource
  readonly loaded: LoadedFleet
  readonly reader: ObjectReader
  /** Ends what the reader holds open. */
  close(): void
}

/** A hub that was read, with what its objects are looked up by. */
interface ReadHub {
  readonly source: FleetSource
  readonly loaded: LoadedFleet
  readonly reader: ObjectReader
  close(): void
}

/** Reads the hub. The live one is asked for each object anew: lists do not say who owns which field. */
export async function readHub(call: Call, signal: AbortSignal): Promise<ReadHub> {
  const kept = keepObjects(await openSource(call))
  const loaded = await loadFleet(kept.source, AGENT_KINDS, signal)
  const client = kept.source.type === 'live' ? await (await import('../plan/open-hub.ts')).openHub(call) : undefined
  return { source: kept.source, loaded, reader: client ?? kept.reader, close: () => client?.close() }
}

/** Reads the hub and works the switch out. */
export async function makeFor(call: Call, words: readonly string[], signal: AbortSignal): Promise<MadeSwitch> {
  const request = await agentRequest(call, words)
  const hub = await readHub(call, signal)
  try {
    return { made: await makeSwitch(request, { ...hub, now: new Date() }), ...hub }
  } catch (error) {
    hub.close()
    throw error
  }
}
