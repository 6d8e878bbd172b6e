import { kubectlName } from '../plan/object.ts'
import type { ApplyReport, RevertReport, StepReport } from '../plan/report.ts'
import { oneLine } from './sanitize.ts'
import type { View } from './view.ts'

/** `placement.cluster.open-cluster-management.io/demo created`, with what kubectl appends to a dry run. */
export function stepLine({ subject, outcome, text }: StepReport, dryRun: boolean): string {
  const why = text === '' || ['created', 'configured', 'unchanged', 'deleted'].includes(outcome) ? '' : ` (${text})`
  if (subject === null) return oneLine(`${outcome} ${text}`)
  return oneLine(`${kubectlName(subject)} ${outcome}${why}${dryRun ? ' (server dry run)' : ''}`)
}

function lines(report: { readonly results: readonly StepReport[]; readonly dryRun: boolean }): string {
  return report.results.map(result => `${stepLine(result, report.dryRun)}\n`).join('')
}

/** A report of what was written. Its text is what is printed step by step while it happens. */
export const APPLY_VIEW: View<ApplyReport> = {
  what: 'a plan that is applied',
  forms: { text: async () => lines, wide: async () => lines },
  rows: report => report.results,
  rowKind: 'StepResult',
  names: report => report.results.flatMap(result => (result.subject === null ? [] : [result.subject])),
}

export const REVERT_VIEW: View<RevertReport> = {
  what: 'a run that is taken back',
  forms: { text: async () => lines, wide: async () => lines },
  rows: report => report.results,
  rowKind: 'StepResult',
  names: report => report.results.flatMap(result => (result.subject === null ? [] : [result.subject])),
}
