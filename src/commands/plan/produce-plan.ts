import { EXIT, type ExitCode, UsageError } from '../../errors.ts'
import { toJson } from '../../output/json.ts'
import { renderPlanDiff, renderPlanText } from '../../output/plan-text.ts'
import { planView } from '../../output/plan-view.ts'
import { cleanDocument } from '../../output/sanitize.ts'
import { writeFileAtomically, writeStream } from '../../output/write.ts'
import { exportFiles, LAYOUTS } from '../../plan/export-files.ts'
import { deletingCommand } from '../../plan/export-readme.ts'
import { filesForGit } from '../../plan/for-git.ts'
import type { ObjectReader } from '../../plan/object-reader.ts'
import { openGates, type Plan } from '../../plan/plan.ts'
import { writeExport } from '../../plan/write-export.ts'
import { startProgress } from '../../ui/progress.ts'
import { type Call, note, reading } from '../call.ts'
import { textOption } from '../flag-values.ts'
import { produce } from '../produce.ts'
import type { ApplyHooks } from './apply-live.ts'
import { renderOptionsOf } from './show-document.ts'

/** A plan, with what its objects are read by. */
export interface MadePlan {
  readonly plan: Plan
  readonly reader: ObjectReader
  /** Ends what the reader holds open. */
  close(): void
}

type MakePlan = (signal: AbortSignal) => Promise<MadePlan>

/** Does the command only show, save or export its plan? Without a live hub there is nothing else to do. */
function showsOnly({ flags, options }: Call): boolean {
  const writesFiles = options.export !== undefined || options.planOut !== undefined
  return flags.from !== undefined || writesFiles || options.dryRun === 'client'
}

/** Makes a plan and does with it what the flags say: show, save, export, or apply to the live hub. */
export async function runPlan(
  call: Call,
  make: MakePlan,
  hooksFor: (plan: Plan) => ApplyHooks = () => ({}),
): Promise<ExitCode> {
  checkFlags(call)
  if (showsOnly(call)) return producePlan(call, make)
  // Formats are understood before anything is read.
  const { outputsFor } = await import('./show-document.ts')
  const { APPLY_VIEW } = await import('../../output/apply-view.ts')
  const { isText } = await outputsFor(call, APPLY_VIEW)
  const progress = await startProgress(call, reading(call))
  let plan: Plan
  try {
    const made = await make(call.context.signal)
    made.close()
    plan = made.plan
  } finally {
    progress.stop()
  }
  if (isText) {
    const render = call.options.diff === true ? renderPlanDiff : renderPlanText
    const text = render(cleanDocument(plan), renderOptionsOf(call, 'stdout', EXIT.ok))
    await writeStream(call.context.stdout, `${text}\n`)
  }
  const { applyLive } = await import('./apply-live.ts')
  return applyLive(call, plan, undefined, hooksFor(plan))
}

function checkFlags({ options, flags }: Call): void {
  if (options.layout !== undefined && options.export === undefined) {
    throw new UsageError('--layout needs --export, the folder to write to')
  }
  if (options.export === '' || options.planOut === '') throw new UsageError('--export and --plan-out need a value')
  if (flags.from !== undefined && options.dryRun === 'server') {
    throw new UsageError('--dry-run=server needs a live hub; a recording has no server')
  }
}

/** Makes a plan, saves and exports it as asked, and shows it. Nothing is written to a cluster. */
async function producePlan(call: Call, make: MakePlan): Promise<ExitCode> {
  const folder = textOption(call.options, 'export')
  const file = textOption(call.options, 'planOut')
  return produce(call, {
    view: planView(call.options.diff === true),
    doing: reading(call),
    run: async signal => {
      const { plan, reader, close } = await make(signal)
      try {
        if (file !== undefined) {
          await writeFileAtomically(file, toJson(plan), call.context.cwd)
          note(call, `saved the plan in ${file}`)
        }
        if (folder !== undefined) await exportPlan(call, plan, reader, folder)
      } finally {
        close()
      }
      return plan
    },
    // Files for Git are for review: what is dangerous stands in their README, and nothing has happened yet.
    exitCode: plan => (folder !== undefined || openGates(plan).length === 0 ? EXIT.ok : EXIT.refused),
  })
}

async function exportPlan(call: Call, plan: Plan, reader: ObjectReader, folder: string): Promise<void> {
  const layout = LAYOUTS.find(name => name === call.options.layout) ?? 'flat'
  const files = exportFiles(plan, layout, await filesForGit(plan, reader))
  const { files: written, left } = await writeExport(folder, files, call.context.cwd)
  note(call, `wrote ${written.length === 1 ? '1 file' : `${written.length} files`} to ${folder}`)
  const deleting = deletingCommand(plan)
  if (deleting !== undefined) note(call, `deletions are not exported; on the live hub this deletes: ${deleting}`)
  if (left.length > 0) note(call, `left from an earlier export, no part of this plan: ${left.join(', ')}`)
}
