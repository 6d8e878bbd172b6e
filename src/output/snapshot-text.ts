import { EXIT } from '../errors.ts'
import type { SnapshotReport } from '../snapshot/report.ts'
import { count } from './layout.ts'
import type { RenderOptions } from './options.ts'
import { oneLine } from './sanitize.ts'
import { table } from './table.ts'

const GAPS_SHOWN = 10

/** What was recorded, a row for each cluster, then what was not. */
export function renderSnapshot(report: SnapshotReport, options: RenderOptions): string {
  return text(report, options, GAPS_SHOWN)
}

/** With all that was not recorded. */
export function renderSnapshotWide(report: SnapshotReport, options: RenderOptions): string {
  return text(report, options, report.gaps.length)
}

function text(report: SnapshotReport, options: RenderOptions, most: number): string {
  const { source, path, clusters, gaps } = report
  const head = options.headers ? [['CLUSTER', 'ROLE', 'VERSION', 'KINDS', 'OBJECTS', 'NOT RECORDED']] : []
  const rows = clusters.map(({ name, role, serverVersion, read, kinds, objects }) => {
    const missing = gaps.filter(gap => gap.cluster === name).length
    const rest = read ? (missing === 0 ? '<none>' : count(missing, 'kind')) : 'everything'
    return [name, role, serverVersion || '<unknown>', String(kinds), String(objects), rest]
  })
  const shown = gaps.slice(0, most)
  const more = gaps.length - shown.length
  const lines = [
    `Recorded ${oneLine(source.type)} ${oneLine(source.name)} to ${oneLine(path)}${report.redacted ? ', redacted' : ''}.`,
    ...table([...head, ...rows]),
    ...shown.map(({ cluster, resource, reason }) =>
      oneLine(
        `Not recorded: ${reason.includes(resource || cluster) ? '' : `${resource || 'everything'} on ${cluster}: `}${reason}`,
      ),
    ),
    ...(more > 0 ? [`and ${more} more (-o wide lists them)`] : []),
    ...(report.mapping === '' ? [] : [`What stands for what is in ${oneLine(report.mapping)}: keep it to yourself.`]),
    ...(report.kept.length === 0 ? [] : [`Names that could not be replaced: ${oneLine(report.kept.join(', '))}.`]),
    ...(gaps.some(({ reason }) => reason.includes('forbidden'))
      ? [`See which rights are missing with ${options.command} rbac can-i --for snapshot`]
      : []),
    ...(options.exitCode === EXIT.incomplete
      ? ['Exit code 3: the snapshot is good, but not everything could be read (--allow-incomplete accepts that).']
      : []),
    `Read it with ${options.command} doctor --from ${oneLine(path)}`,
  ]
  return lines.map(line => `${line}\n`).join('')
}
