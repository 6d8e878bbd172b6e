import { defineJoin } from '../fleet.ts'
import { indexBy, pushTo } from '../maps.ts'
import type { ApplicationSetReport, ReportEntry } from '../records.ts'

/** `.app` of a report entry: `<ApplicationSet namespace>/<Application>/<cluster>/<ManifestWork>` (push-pull.md 1.13). */
interface EntryLink {
  readonly report: ApplicationSetReport
  readonly entry: ReportEntry
  /** `namespace/name` of the hub Application; empty for an entry that only search knows. */
  readonly appKey: string
  readonly workName: string
  /** `cluster/name` of that ManifestWork. */
  readonly workKey: string
}

interface Reports {
  /** By `namespace/name`, equal to that of the ApplicationSet. */
  readonly byAppSet: ReadonlyMap<string, ApplicationSetReport>
  readonly entries: readonly EntryLink[]
  readonly byApp: ReadonlyMap<string, readonly EntryLink[]>
}

export const reports = defineJoin<Reports>({ hub: ['MulticlusterApplicationSetReport'] }, fleet => {
  const all = fleet.hub.of('MulticlusterApplicationSetReport').all
  const entries: EntryLink[] = []
  const byApp = new Map<string, EntryLink[]>()
  for (const report of all) {
    for (const entry of report.entries) {
      const [namespace, name, , work] = entry.app.split('/')
      const appKey = namespace === undefined || name === undefined ? '' : `${namespace}/${name}`
      const workName = work ?? ''
      const link = { report, entry, appKey, workName, workKey: `${entry.cluster}/${workName}` }
      entries.push(link)
      if (appKey !== '') pushTo(byApp, appKey, link)
    }
  }
  return { byAppSet: indexBy(all, r => `${r.meta.namespace}/${r.meta.name}`), entries, byApp }
})
