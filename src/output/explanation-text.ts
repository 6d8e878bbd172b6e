import type { Explanation } from './documents.ts'
import { wrap } from './layout.ts'
import type { RenderOptions } from './options.ts'

/** The prose of a check as paragraphs under headings. */
export function renderExplanation(check: Explanation, options: RenderOptions): string {
  const { style, width } = options
  const paragraph = (text: string) =>
    text.split('\n').flatMap(line => (/^ /.test(line) ? [`  ${line}`] : wrap(line, width, '  ')))
  const section = (title: string, text: string) => (text === '' ? [] : ['', style.bold(title), ...paragraph(text)])
  const models = check.models.length === 0 ? 'all' : check.models.join(', ')
  const lines = [
    `${style.bold(check.code)} ${check.slug}   ${check.severity}, ${check.category}, models: ${models}`,
    ...paragraph(`Holds when: ${check.title}.`),
    ...section('Why', check.why),
    ...section('Fix', check.remedy),
    ...section('By machine', byMachine(check, options.command)),
    ...section('Reads', reads(check)),
    ...section('Sources', check.sources.join('\n')),
  ]
  return lines.map(line => `${line}\n`).join('')
}

function byMachine({ code, machineFix }: Explanation, command: string): string {
  if (machineFix === null) return ''
  const { does, risk, safe } = machineFix
  return [
    `${command} doctor fix ${code} (shows a plan first): ${does}.`,
    `What it risks: ${risk}.`,
    ...(safe ? ['It is part of --all-safe.'] : ['It is no part of --all-safe.']),
  ].join('\n')
}

function reads({ reads: { hub, spoke } }: Explanation): string {
  const parts = [hub.length > 0 ? `hub: ${hub.join(', ')}` : '', spoke.length > 0 ? `spokes: ${spoke.join(', ')}` : '']
  return parts.filter(part => part !== '').join('; ')
}
