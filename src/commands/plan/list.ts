import { API_VERSION } from '../../checks/report.ts'
import { EXIT, type ExitCode } from '../../errors.ts'
import { subjectText } from '../../fleet/subject.ts'
import { oneLine } from '../../output/sanitize.ts'
import { table } from '../../output/table.ts'
import type { View } from '../../output/view.ts'
import { findRun, journalFolder, listRuns, type Run } from '../../plan/journal.ts'
import { objectSteps, writes } from '../../plan/plan.ts'
import { type RunState, runState } from '../../plan/run-state.ts'
import type { Call } from '../call.ts'
import { produce } from '../produce.ts'

interface RunSummary {
  readonly id: string
  readonly title: string
  readonly hub: string
  readonly startedAt: string
  readonly state: RunState
  readonly written: number
  readonly planned: number
}

interface RunList {
  readonly apiVersion: typeof API_VERSION
  readonly kind: 'RunList'
  readonly runs: readonly RunSummary[]
}

interface RunReport extends RunSummary {
  readonly apiVersion: typeof API_VERSION
  readonly kind: 'Run'
  readonly steps: readonly {
    readonly number: number
    readonly object: string
    readonly state: string
    /** Fields that were changed, with their former values. */
    readonly fields: readonly { readonly path: string; readonly from: unknown; readonly to: unknown }[]
  }[]
}

function summaryOf(run: Run): RunSummary {
  return {
    id: run.id,
    title: run.plan.title,
    hub: run.plan.target.name,
    startedAt: run.startedAt,
    state: runState(run),
    written: run.written.size,
    planned: writes(run.plan).length,
  }
}

const LIST_VIEW: View<RunList> = {
  what: 'plan list',
  forms: {
    text: async () => (list, options) => {
      if (list.runs.length === 0) return 'No run has written anything yet.\n'
      const header = options.headers ? [['RUN', 'STATE', 'WRITTEN', 'HUB', 'TITLE']] : []
      const rows = list.runs.map(r => [r.id, r.state, `${r.written}/${r.planned}`, oneLine(r.hub), oneLine(r.title)])
      return `${table([...header, ...rows]).join('\n')}\n`
    },
  },
  rows: list => list.runs,
  rowKind: 'RunSummary',
  names: list => list.runs.map(run => ({ group: '', kind: 'run', name: run.id })),
}

const RUN_VIEW: View<RunReport> = {
  what: 'plan show',
  forms: {
    text: async () => (run, options) => {
      const head = `Run ${run.id}: ${oneLine(run.title)}, hub ${oneLine(run.hub)}, ${run.state}`
      const rows = run.steps.map(step => [String(step.number), step.state, oneLine(step.object)])
      const header = options.headers ? [['STEP', 'STATE', 'OBJECT']] : []
      return `${[head, '', ...table([...header, ...rows])].join('\n')}\n`
    },
  },
  rows: run => run.steps,
  rowKind: 'RunStep',
  names: run => [{ group: '', kind: 'run', name: run.id }],
}

/** `fleetctl plan list`. */
export async function planList(call: Call): Promise<ExitCode> {
  return produce(call, {
    view: LIST_VIEW,
    doing: 'Reading the journals',
    run: async (): Promise<RunList> => ({
      apiVersion: API_VERSION,
      kind: 'RunList',
      runs: listRuns(journalFolder(call.context.env)).map(summaryOf),
    }),
    exitCode: () => EXIT.ok,
  })
}

function stepState(run: Run, number: number, action: string): string {
  const reverted = run.reverted.get(number)
  if (reverted !== undefined) return `reverted (${reverted})`
  const written = run.written.get(number)
  if (written !== undefined) return written.outcome
  if (run.failed.has(number)) return 'failed'
  if (run.before.has(number)) return 'begun'
  return action === 'unchanged' || run.isDone ? 'unchanged' : 'not done'
}

/** `fleetctl plan show RUN`. */
export async function planShow(call: Call): Promise<ExitCode> {
  return produce(call, {
    view: RUN_VIEW,
    doing: 'Reading the journal',
    run: async (): Promise<RunReport> => {
      const run = findRun(journalFolder(call.context.env), call.args[0] ?? '')
      return {
        apiVersion: API_VERSION,
        kind: 'Run',
        ...summaryOf(run),
        steps: objectSteps(run.plan).map(step => ({
          number: step.number,
          object: subjectText(step.subject),
          state: stepState(run, step.number, step.action),
          fields: (run.before.get(step.number)?.changes ?? []).map(c => ({
            path: c.path,
            from: c.from ?? null,
            to: c.to ?? null,
          })),
        })),
      }
    },
    exitCode: () => EXIT.ok,
  })
}
