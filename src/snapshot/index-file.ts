import { KIND_NAMES, KINDS, type KindName } from '../fleet/kinds.ts'
import type { ClusterReport, Coverage } from '../source/source.ts'
import { VERSION } from '../version.ts'
import type { ListPart } from './list-file.ts'

/** What was written of one kind. */
export interface WrittenKind {
  readonly apiVersion: string
  readonly parts: readonly ListPart[]
}

/** Says of a recording that it was made by `fleetctl snapshot`, so that it may take the place of an earlier one. */
const RECORDED_BY = `fleetctl ${VERSION}`

/** A document for YAML: fields that are undefined are left out. */
type Entry = Readonly<Record<string, unknown>>

/**
 * The `index.yaml` of a recorded cluster: every kind that it serves, with what is known of it. A kind that is not in it was
 * not served.
 */
export function indexOf(
  cluster: ClusterReport,
  written: ReadonlyMap<KindName, WrittenKind>,
  fleet: { readonly spokesNamed: boolean; readonly isRedacted: boolean },
): Entry {
  const isLost = cluster.coverage.size === 0 && cluster.otherwise.state === 'refused'
  return {
    cluster: cluster.name,
    ...(cluster.readAt === undefined ? {} : { recordedAt: new Date(cluster.readAt).toISOString() }),
    ...(cluster.serverVersion === undefined ? {} : { serverVersion: cluster.serverVersion }),
    recordedBy: RECORDED_BY,
    ...(fleet.isRedacted ? { redacted: true } : {}),
    ...(cluster.role === 'hub' && fleet.spokesNamed ? { spokesNamed: true } : {}),
    ...(isLost && cluster.otherwise.state === 'refused' ? { error: cluster.otherwise.reason } : {}),
    resources: isLost ? [] : KIND_NAMES.flatMap(kind => entriesOf(kind, cluster, written.get(kind))),
  }
}

function entriesOf(kind: KindName, cluster: ClusterReport, written: WrittenKind | undefined): readonly Entry[] {
  const coverage = cluster.coverage.get(kind) ?? cluster.otherwise
  if (coverage.state === 'not-served') return []
  const { group, plural, versions, namespaced } = KINDS[kind]
  const preferred = `${group === '' ? '' : `${group}/`}${versions[0]}`
  const head = { resource: plural, apiVersion: written?.apiVersion || preferred, kind, namespaced }
  if (coverage.state !== 'read') return [{ ...head, ...gap(coverage) }]
  const [first, ...more] = written?.parts ?? []
  const rest = { ...(first === undefined ? { count: 0 } : filed(first)), ...gap(coverage), ...scope(coverage) }
  return [{ ...head, ...rest }, ...more.map(part => ({ ...head, ...filed(part) }))]
}

const filed = ({ count, file }: ListPart): Entry => ({ count, file })

function gap(coverage: Coverage): Entry {
  switch (coverage.state) {
    case 'refused':
      return { error: coverage.reason }
    case 'not-recorded':
      return { notRecorded: coverage.reason }
    case 'read':
      return coverage.complete ? {} : { incomplete: coverage.reason ?? 'only a part of it could be read' }
    case 'not-served':
      return {}
  }
}

function scope(coverage: Coverage): Entry {
  if (coverage.state !== 'read' || coverage.within === undefined) return {}
  return { within: [...coverage.within].sort() }
}
