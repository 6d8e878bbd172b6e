import type { ConfigView } from './documents.ts'
import type { RenderOptions } from './options.ts'
import { oneLine } from './sanitize.ts'
import { table } from './table.ts'

/** The settings that apply, as tables. */
export function renderConfig(config: ConfigView, options: RenderOptions): string {
  return text(config, options, false)
}

/** The same, with the place that each is from. */
export function renderConfigWithOrigin(config: ConfigView, options: RenderOptions): string {
  return text(config, options, true)
}

function text(config: ConfigView, { headers }: RenderOptions, origin: boolean): string {
  const place = (at: { readonly origin: string; readonly where: string }): string[] =>
    origin ? [`${at.origin} (${at.where})`] : []
  const flags = config.flags.map(flag => [flag.flag, oneLine(flag.values.join(', ')), ...place(flag)])
  const suppressions = config.suppressions.map(one => [
    one.check,
    one.object,
    one.cluster,
    one.owner,
    one.expires,
    ...place(one),
    one.reason,
  ])
  const sections = [
    section(['FLAG', 'VALUE', ...(origin ? ['ORIGIN'] : [])], flags, headers),
    section(
      ['CHECK', 'OBJECT', 'CLUSTER', 'OWNER', 'EXPIRES', ...(origin ? ['ORIGIN'] : []), 'REASON'],
      suppressions,
      headers,
    ),
  ].filter(lines => lines !== '')
  return sections.length === 0 ? 'Nothing is set; every flag has its default.\n' : sections.join('\n')
}

function section(head: readonly string[], rows: readonly (readonly string[])[], headers: boolean): string {
  if (rows.length === 0) return ''
  const cells = rows.map(row => row.map(oneLine))
  return table(headers ? [head, ...cells] : cells)
    .map(line => `${line}\n`)
    .join('')
}
