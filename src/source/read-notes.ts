import type { ClusterLayout } from './layout.ts'
import { printable } from './printable.ts'
import type { ClusterReport, SourceProblem } from './source.ts'

/** What the reader took for granted about the clusters. `managedClusters`: their names, as the hub holds them. */
export function clusterNotes(
  clusters: readonly ClusterLayout[],
  managedClusters: ReadonlySet<string>,
  source: string,
): string[] {
  const [hub, ...spokes] = clusters
  if (hub === undefined) return []
  const what = hub.folder === '' ? source : printable(hub.folder)
  if (managedClusters.size === 0) return [`${what} is taken for the hub, though it holds no ManagedClusters`]
  const notes: string[] = []
  if (spokes.length > 0 && !/(^|\/)hub$/.test(hub.folder))
    notes.push(`${what} is taken for the hub: it holds the ManagedClusters`)
  for (const spoke of spokes) {
    if (!managedClusters.has(spoke.name))
      notes.push(`${printable(spoke.folder)} is taken for a spoke, but the hub has no ManagedCluster of that name`)
  }
  return notes
}

/**
 * A hub serves ManagedClusters. What is taken for it and does not is a spoke whose hub is not in the source: nearly every check is
 * skipped there, so without this problem a spoke alone would look healthy.
 */
export function noHubProblem(
  [layout]: readonly ClusterLayout[],
  [hub]: readonly ClusterReport[],
  source: string,
): SourceProblem | undefined {
  if (layout === undefined || hub === undefined) return undefined
  if ((hub.coverage.get('ManagedCluster') ?? hub.otherwise).state !== 'not-served') return undefined
  return {
    where: layout.folder === '' ? source : printable(layout.folder),
    message: 'no hub: it serves no ManagedClusters; pass the folder that holds the hub too, or the hub itself',
  }
}
