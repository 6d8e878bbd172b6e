import type { ItemResult } from '../../agent/revert/carry-out.ts'
import type { RevertItem } from '../../agent/revert/items.ts'
import { EXIT, type ExitCode } from '../../errors.ts'
import { subjectText } from '../../fleet/subject.ts'
import { oneLine } from '../../output/sanitize.ts'
import type { RevertReport } from '../../plan/report.ts'
import { signalText } from '../../plan/signal.ts'

/** How many objects the way back changes. */
export const changes = (items: readonly RevertItem[]): number =>
  items.filter(
    i => i.type === 'remain' || (i.type === 'step' && (i.step.action === 'delete' || i.step.action === 'restore')),
  ).length

/** One item as it is shown before anything is done. */
export function itemText(item: RevertItem): string {
  if (item.type === 'wait') return `  wait     until ${signalText(item.signal)}`
  if (item.type === 'remain')
    return `  delete   ${subjectText(item.remain.subject)} (ACM made it, and nobody else removes it)`
  const { action, step, text, restores, leaves } = item.step
  const fields = [
    ...restores.map(
      c => `\n             ${c.path}: back to ${c.from === undefined ? 'nothing' : oneLine(JSON.stringify(c.from))}`,
    ),
    ...leaves.map(({ path, why }) => `\n             ${path}: left, ${oneLine(why)}`),
  ]
  return `  ${action.padEnd(8)} ${oneLine(`${subjectText(step.subject)} (${text})`)}${fields.join('')}`
}

/** What is going to become of an item, for a dry run. */
export function plannedResult(item: RevertItem): ItemResult {
  if (item.type === 'wait')
    return { subject: null, outcome: 'not-tried', text: signalText(item.signal), revert: undefined }
  if (item.type === 'remain') return { subject: item.remain.subject, outcome: 'deleted', text: '', revert: undefined }
  const outcome = { delete: 'deleted', restore: 'restored', leave: 'left', gone: 'gone' } as const
  const { step } = item
  const planned = outcome[step.action]
  return {
    subject: step.step.subject,
    outcome: planned,
    text: step.text,
    revert: { step, outcome: planned, text: step.text },
  }
}

/** A step that was taken back, as the report of a revert holds it. */
export function reportOf(
  { subject, outcome, text, revert }: ItemResult,
  number: number,
): RevertReport['results'][number] {
  return {
    number,
    subject,
    outcome,
    text,
    restored: revert?.step.restores.map(change => change.path) ?? [],
    left: revert?.step.leaves ?? [],
  }
}

/** A failure weighs more than a signal that did not come in time. */
export function exitCodeOf(results: readonly ItemResult[]): ExitCode {
  if (results.some(r => r.outcome === 'failed')) return EXIT.partlyWritten
  return results.some(r => r.outcome === 'not-reached') ? EXIT.timeout : EXIT.ok
}
