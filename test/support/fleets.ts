import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Fleet } from '../../src/fleet/fleet.ts'
import { KIND_NAMES, type KindName } from '../../src/fleet/kinds.ts'
import { type LoadedFleet, loadFleet } from '../../src/fleet/load.ts'
import { isObject } from '../../src/raw.ts'
import { openPath } from '../../src/source/open.ts'
import type { ClusterReport, FleetSource, ObjectSink, SourceReport } from '../../src/source/source.ts'

export const FLEETS = join(dirname(fileURLToPath(import.meta.url)), '..', 'fleets')
export const ALL_KINDS: ReadonlySet<KindName> = new Set(KIND_NAMES)

/** Names of all recorded fleets, sorted. */
export const FLEET_NAMES: readonly string[] = readdirSync(FLEETS)
  .filter(file => file.endsWith('.tgz'))
  .map(file => file.slice(0, -'.tgz'.length))
  .sort()

const unpacked = new Map<string, string>()
process.once('exit', () => {
  for (const folder of unpacked.values()) rmSync(dirname(folder), { recursive: true, force: true })
})

/** Folder of a recorded fleet; one that is kept as an archive is unpacked, and removed when the process ends. */
export function recordedFleet(name: string): string {
  const folder = join(FLEETS, name)
  if (existsSync(folder)) return folder
  const known = unpacked.get(name)
  if (known !== undefined) return known
  const target = mkdtempSync(join(tmpdir(), 'fleetctl-fleet-'))
  unpacked.set(name, join(target, name))
  execFileSync('tar', ['-xzf', `${folder}.tgz`, '-C', target])
  return join(target, name)
}

export type RawObject = Record<string, unknown>

export interface RecordedObject {
  readonly cluster: string
  readonly kind: KindName
  readonly raw: RawObject
  readonly where: string
}

/** A fleet whose raw objects lie in memory: it replays them as often as it is read. */
export class RecordedFleet implements FleetSource {
  readonly type = 'recording'
  readonly name: string
  readonly objects: readonly RecordedObject[]
  readonly report: SourceReport

  constructor(name: string, objects: readonly RecordedObject[], report: SourceReport) {
    this.name = name
    this.objects = objects
    this.report = report
  }

  read(wanted: ReadonlySet<KindName>, sink: ObjectSink): Promise<SourceReport> {
    for (const { cluster, kind, raw, where } of this.objects)
      if (wanted.has(kind)) sink.object(cluster, kind, raw, where)
    const clusters = this.report.clusters.map(
      (c): ClusterReport => ({ ...c, coverage: new Map([...c.coverage].filter(([kind]) => wanted.has(kind))) }),
    )
    return Promise.resolve({ ...this.report, clusters })
  }

  /** The typed fleet of all kinds. */
  load(): Promise<LoadedFleet> {
    return loadFleet(this, ALL_KINDS)
  }
}

/** Reads a recorded fleet from its archive, every kind of it. Not kept: for tests that look at all of them once. */
export async function readRecorded(name: string): Promise<RecordedFleet> {
  const objects: RecordedObject[] = []
  const sink: ObjectSink = {
    object(cluster, kind, raw, where) {
      if (!isObject(raw)) throw new Error(`${name}: ${where} holds no object`)
      objects.push({ cluster, kind, raw, where })
    },
  }
  const source = await openPath(join(FLEETS, `${name}.tgz`))
  const report = await source.read(ALL_KINDS, sink)
  return new RecordedFleet(name, objects, report)
}

const known = new Map<string, Promise<RecordedFleet>>()

/** A recorded fleet, read once per test file. */
export function recorded(name: string): Promise<RecordedFleet> {
  const found = known.get(name)
  if (found !== undefined) return found
  const reading = readRecorded(name)
  known.set(name, reading)
  return reading
}

export async function recordedTyped(name: string): Promise<Fleet> {
  return (await (await recorded(name)).load()).fleet
}
