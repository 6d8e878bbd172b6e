import { EXIT } from '../errors.ts'
import { type AccessReport, type LackingRight, resourceOf } from '../rbac/access-report.ts'
import type { RenderOptions } from './options.ts'
import { oneLine } from './sanitize.ts'
import { table } from './table.ts'

/** What the user lacks, a row each, then what that means. */
export function renderAccess(report: AccessReport, options: RenderOptions): string {
  return text(report, options, false)
}

/** With the codes of the checks that need it. */
export function renderAccessWide(report: AccessReport, options: RenderOptions): string {
  return text(report, options, true)
}

function text(report: AccessReport, options: RenderOptions, wide: boolean): string {
  const { missing, unknown, clusters } = report
  const rows = [...missing.map(r => row(r, 'no', wide)), ...unknown.map(r => row(r, 'unknown', wide))]
  const head = options.headers ? [['CLUSTER', 'NAMESPACE', 'VERB', 'RESOURCE', 'ALLOWED', 'CHECKS']] : []
  const lines = rows.length === 0 ? [] : [...table([...head, ...rows]), '']
  for (const { name, reason } of clusters)
    if (reason !== '') lines.push(oneLine(`${name} could not be asked: ${reason}`))
  lines.push(summary(report, options))
  return lines.map(line => `${line}\n`).join('')
}

function row(r: LackingRight, answer: string, wide: boolean): string[] {
  const place = r.namespace === '' ? '<all>' : r.namespace
  const checks = wide ? r.checks.join(',') : String(r.checks.length)
  const what = r.name === '' ? resourceOf(r) : `${resourceOf(r)}/${r.name}`
  return [r.cluster, place, r.verb, what, answer, checks || '<none>']
}

function summary({ for: run, clusters, missing, unknown }: AccessReport, { command, exitCode }: RenderOptions): string {
  const allowed = clusters.reduce((sum, c) => sum + c.allowed, 0)
  if (exitCode === EXIT.ok) return `All ${allowed} rights that ${run} needs are there.`
  const lacking = missing.length + unknown.length
  if (lacking === 0) return `All ${allowed} rights that could be asked about are there.`
  const lack = missing.length === 0 ? 'not known of' : unknown.length === 0 ? 'missing' : 'missing or not known of'
  const checks = new Set([...missing, ...unknown].flatMap(r => r.checks)).size
  const loss = run === 'snapshot' ? 'the snapshot would have gaps' : `${checks} checks could not say all`
  return (
    `${lacking} of ${allowed + lacking} rights that ${run} needs ${lacking === 1 ? 'is' : 'are'} ${lack}; ` +
    `${loss}. See ${command} rbac --for ${run}.`
  )
}
