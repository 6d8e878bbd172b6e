import type { ClusterInfo, SourceInfo } from './checks/report.ts'
import type { Diagnosis } from './diagnosis.ts'
import { deliveredClusters } from './fleet/joins/delivered.ts'
import type { LoadedFleet } from './fleet/load.ts'
import { isoTime } from './iso-time.ts'
import { platformNotes } from './platform-notes.ts'
import type { FleetSource } from './source/source.ts'

/** Where a report's data come from, and what was wrong with them. */
export function sourceInfo(source: FleetSource, { fleet, problems, lost, report }: LoadedFleet): SourceInfo {
  return {
    type: source.type,
    name: source.name,
    now: isoTime(fleet.now),
    problems: [...problems, ...lost.map(l => ({ where: l.subject.cluster, message: `field ignored: ${l.text}` }))],
    notes: [...(report.notes ?? []), ...platformNotes(fleet)],
  }
}

/** The clusters that were read, the hub first, and the spokes that something is delivered to but that were not. */
export function clusterInfos({ fleet, report }: Diagnosis): ClusterInfo[] {
  const read = report.clusters.map(c => ({
    name: c.name,
    role: c.role,
    serverVersion: c.serverVersion ?? '',
    readAt: c.readAt === undefined ? '' : isoTime(c.readAt),
    read: true,
  }))
  const known = new Set(read.map(c => c.name))
  const unread = [...fleet.join(deliveredClusters)]
    .filter(name => !known.has(name))
    .map(name => ({ name, role: 'spoke' as const, serverVersion: '', readAt: '', read: false }))
  return [...read, ...unread]
}
