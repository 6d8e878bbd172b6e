import { subjectText } from '../fleet/subject.ts'
import { groupBlockers, sourceText } from '../wait/blockers-text.ts'
import type { WaitResult } from '../wait/result.ts'
import { duration } from './age.ts'
import { wrap } from './layout.ts'
import type { RenderOptions } from './options.ts'

/** Objects of one reason that are listed by name; `wide` lists them all. */
const MOST = 5

/** One line of how it ended, then what blocks, objects of one cause together. */
export function renderWait(result: WaitResult, options: RenderOptions): string {
  return text(result, options, MOST)
}

/** The same with every object by name. */
export function renderWaitWide(result: WaitResult, options: RenderOptions): string {
  return text(result, options, Number.POSITIVE_INFINITY)
}

function text(result: WaitResult, options: RenderOptions, most: number): string {
  const { blockers, source } = result
  const lines = [headline(result, options)]
  if (result.message !== '') lines.push(...wrap(result.message, options.width, '  ', '  '))
  for (const group of groupBlockers(blockers)) {
    lines.push('')
    for (const b of group.blockers.slice(0, most)) {
      const from = sourceText(b, source.now)
      const seen = from === '' ? '' : options.style.dim(`  (${from})`)
      const who = b.subject.name === '' ? `the ${b.subject.kind}s of the hub` : subjectText(b.subject)
      lines.push(`${state(b.state, options)} ${who}${seen}`)
    }
    if (group.blockers.length > most) lines.push(`${' '.repeat(8)}and ${group.blockers.length - most} more`)
    lines.push(...wrap(group.reason, options.width, '  ', '  '))
    if (group.code !== '') lines.push(`  More     ${options.command} explain ${group.code}`)
  }
  return lines.map(line => `${line}\n`).join('')
}

function headline(result: WaitResult, { style }: RenderOptions): string {
  const { target, met, total, required, outcome } = result
  const what = [target.kind, ...target.names].join(' ')
  const needed = required === total || total === 0 ? '' : `, ${required} needed`
  const tally = `${met} of ${total}${needed}`
  const after = duration(Date.parse(result.finishedAt) - Date.parse(result.startedAt))
  switch (outcome) {
    case 'met':
      return `${what} ${style.green(result.for)}: ${tally}`
    case 'timeout':
      return `${what} ${style.red(`not ${result.for}`)}: ${tally}; timed out after ${after}`
    case 'failed':
      return `${what} ${style.red(`not ${result.for}`)}: ${tally}; it will not come by itself`
    case 'unreachable':
      return `${what} ${style.red(`not ${result.for}`)}: ${tally} when the hub was last read`
    case 'unknown':
      return `${what} ${style.yellow('unknown')}: ${tally}; the rest cannot be seen`
    default:
      return `${what} ${style.red(`not ${result.for}`)}: ${tally}`
  }
}

function state(of: 'waiting' | 'failed' | 'unknown', { style }: RenderOptions): string {
  const padded = of.padEnd(7)
  return of === 'failed' ? style.red(padded) : style.yellow(padded)
}
