import type { SnapshotReport } from '../snapshot/report.ts'
import type { View } from './view.ts'

export const SNAPSHOT_VIEW: View<SnapshotReport> = {
  what: 'snapshot',
  forms: {
    text: async () => (await import('./snapshot-text.ts')).renderSnapshot,
    wide: async () => (await import('./snapshot-text.ts')).renderSnapshotWide,
  },
  rows: report => report.clusters,
  rowKind: 'RecordedCluster',
  names: report => report.clusters.map(({ name }) => ({ group: '', kind: 'cluster', name })),
}
