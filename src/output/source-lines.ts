import type { ClusterInfo, SourceInfo } from '../checks/report.ts'
import { labelled } from './finding-block.ts'
import { count } from './layout.ts'
import type { RenderOptions } from './options.ts'
import { oneLine } from './sanitize.ts'

const CLUSTERS_SHOWN = 6
const PROBLEMS_SHOWN = 5

/** `Doctor   recording lab   clusters hub v1.34.2, bm v1.34.2, sno (not read)   as of 2026-08-11T10:20:30Z`. */
export function sourceLine(
  { source, clusters }: { source: SourceInfo; clusters: readonly ClusterInfo[] },
  wide: boolean,
): string {
  const most = wide ? clusters.length : CLUSTERS_SHOWN
  const names = clusters.slice(0, most).map(clusterText).join(', ')
  const more = clusters.length > most ? ` and ${clusters.length - most} more` : ''
  const unread = clusters.slice(most).filter(cluster => !cluster.read).length
  const rest = unread > 0 ? ` (${unread} of them not read)` : ''
  const as = source.now === '' ? '' : `, as of ${source.now}`
  return oneLine(`${source.type} ${source.name}: ${names === '' ? 'no clusters' : names}${more}${rest}${as}`)
}

function clusterText({ name, serverVersion, read }: ClusterInfo): string {
  if (!read) return `${name} (not read)`
  return serverVersion === '' ? name : `${name} ${serverVersion}`
}

/** How the source was understood, where that was not plain. */
export function noteLines({ notes }: SourceInfo, options: RenderOptions): string[] {
  return notes.flatMap(note => labelled('Note', oneLine(note), options))
}

/** What could not be read, a few lines of it; all of it in `wide`. */
export function problemLines({ problems }: SourceInfo, options: RenderOptions, wide: boolean): string[] {
  if (problems.length === 0) return []
  const shown = wide ? problems : problems.slice(0, PROBLEMS_SHOWN)
  const more = problems.length - shown.length
  return [
    `${options.style.yellow('Incomplete')}   ${count(problems.length, 'part')} of the source could not be read`,
    ...shown.flatMap(problem => {
      const line = problem.line === undefined ? '' : `:${problem.line}`
      return labelled('Unread', `${oneLine(problem.where)}${line}: ${oneLine(problem.message)}`, options)
    }),
    ...(more > 0 ? labelled('Unread', `and ${more} more (-o wide lists them)`, options) : []),
  ]
}
