import { API_VERSION, type SourceInfo } from '../checks/report.ts'
import { type KindName, resourceName } from '../fleet/kinds.ts'
import type { ClusterReport } from '../source/source.ts'
import { VERSION } from '../version.ts'
import type { Recorded } from './record.ts'
import type { SnapshotTarget } from './target.ts'

/** Something that a snapshot does not hold although a run would have looked at it. */
interface SnapshotGap {
  readonly cluster: string
  /** `plural.group`; empty for a whole cluster. */
  readonly resource: string
  readonly reason: string
}

/** What was recorded, and what was not. */
export interface SnapshotReport {
  readonly apiVersion: typeof API_VERSION
  readonly kind: 'SnapshotReport'
  readonly version: string
  readonly startedAt: string
  readonly finishedAt: string
  readonly source: { readonly type: SourceInfo['type']; readonly name: string }
  readonly path: string
  readonly format: 'folder' | 'archive'
  readonly redacted: boolean
  /** File that says what stands for what; empty where nothing was replaced. */
  readonly mapping: string
  /** Names that stayed as they are although they tell something, since standard objects have the same. */
  readonly kept: readonly string[]
  readonly clusters: readonly {
    readonly name: string
    readonly role: 'hub' | 'spoke'
    readonly serverVersion: string
    /** False for a spoke of which nothing could be read. */
    readonly read: boolean
    readonly kinds: number
    readonly objects: number
  }[]
  readonly gaps: readonly SnapshotGap[]
}

interface SnapshotFacts {
  readonly startedAt: string
  readonly source: SnapshotReport['source']
  readonly target: SnapshotTarget
  readonly mapping: string
  readonly kept: readonly string[]
}

/** What was recorded and what is missing, as `-o json` gives it. */
export function snapshotReport({ report, clusters }: Recorded, facts: SnapshotFacts): SnapshotReport {
  return {
    apiVersion: API_VERSION,
    kind: 'SnapshotReport',
    version: VERSION,
    startedAt: facts.startedAt,
    finishedAt: new Date().toISOString(),
    source: facts.source,
    path: facts.target.name,
    format: facts.target.format,
    redacted: facts.mapping !== '',
    mapping: facts.mapping,
    kept: facts.kept,
    clusters: clusters.map(({ report: { name, role, serverVersion = '', ...cluster }, counts }) => ({
      name,
      role,
      serverVersion,
      read: !isLost(cluster),
      kinds: [...cluster.coverage.values()].filter(c => c.state === 'read').length,
      objects: [...counts.values()].reduce((sum, n) => sum + n, 0),
    })),
    gaps: report.clusters.flatMap(gapsOf),
  }
}

/** Was the cluster not reached at all? */
function isLost({ coverage, otherwise }: Pick<ClusterReport, 'coverage' | 'otherwise'>): boolean {
  return otherwise.state === 'refused' && [...coverage.values()].every(c => c.state === 'refused')
}

function gapsOf(cluster: ClusterReport): SnapshotGap[] {
  const { name, coverage, otherwise } = cluster
  if (isLost(cluster) && otherwise.state === 'refused')
    return [{ cluster: name, resource: '', reason: otherwise.reason }]
  const gap = (kind: KindName, reason: string): SnapshotGap => ({ cluster: name, resource: resourceName(kind), reason })
  return [...coverage].flatMap(([kind, c]) => {
    if (c.state === 'refused') return [gap(kind, c.reason)]
    return c.state === 'read' && !c.complete ? [gap(kind, c.reason ?? 'only a part of it could be read')] : []
  })
}
