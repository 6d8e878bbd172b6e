import type { FleetDiff } from '../diff/fleet-diff.ts'
import type { View } from './view.ts'

export const DIFF_VIEW: View<FleetDiff> = {
  what: 'diff',
  forms: {
    text: async () => (await import('./diff-text.ts')).renderDiff,
    wide: async () => (await import('./diff-text.ts')).renderDiffWide,
  },
  rows: diff => [...diff.changes, ...diff.findings],
  rowKind: 'FleetChange',
  names: diff => diff.changes.map(change => change.subject),
}
