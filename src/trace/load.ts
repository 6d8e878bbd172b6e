import { UsageError } from '../errors.ts'
import type { KindName } from '../fleet/kinds.ts'
import { type LoadedFleet, loadFleet } from '../fleet/load.ts'
import { textAt } from '../raw.ts'
import type { FleetSource, ObjectSink, PartReading, SourceReport } from '../source/source.ts'
import { type AppRef, findWay } from './find.ts'
import { firstParts, MOST_PARTS, narrowKinds, secretParts, wayParts } from './parts.ts'

type Handed = Parameters<ObjectSink['object']>

/** Objects that were read so far, to make a fleet of them again and again. */
class Gathered implements ObjectSink {
  readonly #objects: { readonly place: string; readonly handed: Handed }[] = []

  object(...handed: Handed): void {
    const [cluster, kind, raw] = handed
    const [namespace, name] = ['namespace', 'name'].map(key => textAt(raw, 'metadata', key))
    this.#objects.push({ place: `${cluster}/${kind}/${namespace}/${name}`, handed })
  }

  async fleet({ type, name }: FleetSource, report: SourceReport): Promise<LoadedFleet> {
    // In the order of whole lists: what was asked for by name came first.
    this.#objects.sort((a, b) => (a.place < b.place ? -1 : 1))
    const read = (_: ReadonlySet<KindName>, sink: ObjectSink): Promise<SourceReport> => {
      for (const { handed } of this.#objects) sink.object(...handed)
      return Promise.resolve(report)
    }
    return loadFleet({ type, name, read }, new Set())
  }
}

/** A name that may stand in a field selector. */
const NAME = /^[a-z0-9.-]+$/

/**
 * Reads what the trace of one Application needs, by name and label, in at most 25 requests to the hub. Undefined where that
 * does not do: the Application is gone, so that anything may still know of it, or the user may not list over all namespaces.
 *
 * @param onSpokes kinds that are read on the spokes, where there are any
 * @throws KubeError when the hub cannot be reached or does not let the user in
 */
export async function loadForTrace(
  source: FleetSource,
  ref: AppRef,
  onSpokes: ReadonlySet<KindName>,
  signal?: AbortSignal,
): Promise<LoadedFleet | undefined> {
  if (source.parts === undefined || !NAME.test(ref.name)) return undefined
  const reading = await source.parts(signal)
  try {
    return await readWay(source, reading, ref, onSpokes)
  } finally {
    reading.close()
  }
}

async function readWay(
  source: FleetSource,
  reading: PartReading,
  ref: AppRef,
  onSpokes: ReadonlySet<KindName>,
): Promise<LoadedFleet | undefined> {
  const gathered = new Gathered()
  const first = firstParts(ref)
  await reading.read(first, gathered)
  let left = MOST_PARTS - first.length
  const { fleet } = await gathered.fleet(source, reading.report())
  if (!fleet.hub.knows('Application')) return undefined
  const found = tryFind(fleet, ref)
  if (found === undefined) return undefined
  const secrets = secretParts(fleet, found)
  await reading.read(secrets, gathered)
  left -= secrets.length
  // Only the secret may tell which cluster the destination means, or that it is an agent's.
  const known = await gathered.fleet(source, reading.report())
  const way = tryFind(known.fleet, ref)
  if (way === undefined) return undefined
  await reading.read(wayParts(known.fleet, way).slice(0, left), gathered)
  narrowKinds(reading, ref, way, known.fleet)
  return gathered.fleet(source, await reading.finish(onSpokes, gathered))
}

function tryFind(fleet: LoadedFleet['fleet'], ref: AppRef) {
  try {
    return findWay(fleet, ref).way
  } catch (error) {
    // Several of the name, or none: the whole hub can say which.
    if (error instanceof UsageError) return undefined
    throw error
  }
}
