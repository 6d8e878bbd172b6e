import { commandOf } from '../../bootstrap/command.ts'
import { writeBootstrapFile } from '../../bootstrap/config-file.ts'
import { makeBootstrapPlan, type PlanInput } from '../../bootstrap/make-plan.ts'
import { GATE_CODES, type Part } from '../../bootstrap/part-names.ts'
import type { Settings } from '../../bootstrap/settings.ts'
import { EXIT, type ExitCode, UsageError } from '../../errors.ts'
import { loadFleet } from '../../fleet/load.ts'
import { cleanDocument } from '../../output/sanitize.ts'
import { writeStream } from '../../output/write.ts'
import { keepObjects } from '../../plan/object-reader.ts'
import { shellLine } from '../../plan/shell.ts'
import { canAsk } from '../../ui/confirm.ts'
import { acceptedBy } from '../accepted.ts'
import { type Call, openSource } from '../call.ts'
import { type MadePlan, runPlan } from '../plan/produce-plan.ts'
import { renderOptionsOf } from '../plan/show-document.ts'
import { fileSettings, gatherSettings } from './gather.ts'
import { BOOTSTRAP_KINDS } from './kinds.ts'
import { type BootstrapStep, MODEL_STEPS } from './steps.ts'

/** `fleetctl bootstrap -f FILE`: the model stands in the file. */
export async function bootstrapFromFile(call: Call): Promise<ExitCode> {
  const file = await fileSettings(call)
  const step = MODEL_STEPS.find(s => s.name === file.model)
  if (step !== undefined) return runStep(call, step, await gatherSettings(call, step, file))
  if (Object.keys(file).length === 0 && mayAsk(call)) return runWizard(call, undefined, {})
  const models = MODEL_STEPS.map(s => s.name).join(', ')
  throw new UsageError(
    Object.keys(file).length === 0
      ? `nothing says what to set up; use "bootstrap push|pull|agent" with flags, or -f FILE`
      : `the file names no model; add spec.model (${models}), or use "bootstrap push|pull|agent -f FILE"`,
  )
}

/** `fleetctl bootstrap push|pull|agent` and its parts. */
export async function bootstrapStep(call: Call, step: BootstrapStep): Promise<ExitCode> {
  const settings = await gatherSettings(call, step, await fileSettings(call))
  const lacks =
    step.parts.includes('placement') &&
    step.parts.includes('appset') &&
    (settings.repoUrl === undefined || settings.path === undefined)
  if (lacks && call.options.printConfig !== true && mayAsk(call)) return runWizard(call, step, settings)
  return runStep(call, step, settings)
}

/** Is there a person to ask, who has not asked to be left alone? */
function mayAsk(call: Call): boolean {
  return call.options.yes !== true && canAsk(call.context, call.flags.input)
}

/** Asks for what is missing, says how the same is said without being asked, and goes on as if it had been said. */
async function runWizard(call: Call, step: BootstrapStep | undefined, given: Settings): Promise<ExitCode> {
  const { askForSettings } = await import('../../bootstrap/wizard.ts')
  const { terminalAsker } = await import('../../ui/prompt.ts')
  const kept = keepObjects(await openSource(call))
  const loaded = await loadFleet(kept.source, BOOTSTRAP_KINDS, call.context.signal)
  const input = { loaded, source: kept.source, reader: kept.reader, now: new Date() }
  const settings = await askForSettings(loaded.fleet, given, step?.model, terminalAsker, async where => {
    call.context.stderr.write(`${await selectionText(call, where, input)}\n`)
  })
  const chosen = step ?? MODEL_STEPS.find(s => s.name === settings.model)
  if (chosen === undefined) throw new UsageError('no model was chosen')
  const { model: _, ...rest } = settings
  const words = commandOf(['bootstrap', chosen.name], rest)
  call.context.stderr.write(
    `\nThe same without questions:\n  ${call.context.command} ${shellLine(words)}\nor as a file for "bootstrap -f":\n\n${writeBootstrapFile({ model: chosen.model ?? 'pull', ...rest })}\n`,
  )
  return runStep(call, chosen, rest)
}

/** What the Placement would select with the clusters that were chosen so far, or why it cannot be made so. */
async function selectionText(call: Call, settings: Settings, input: PlanInput): Promise<string> {
  const { placementLines } = await import('../../output/plan-text.ts')
  const parts = new Set<Part>(['clusterset', 'binding', 'placement'])
  try {
    const plan = await makeBootstrapPlan(
      { words: ['bootstrap'], parts, model: undefined, settings, accepted: new Set() },
      input,
    )
    const { placements } = cleanDocument(plan).preview
    const options = renderOptionsOf(call, 'stdout', EXIT.ok)
    return placements.flatMap(placement => placementLines(placement, options)).join('\n')
  } catch (error) {
    // The plan itself says it again, where it can be mended by other settings.
    if (error instanceof UsageError) return `  ${error.message}`
    throw error
  }
}

async function runStep(call: Call, step: BootstrapStep, settings: Settings): Promise<ExitCode> {
  const model = step.model ?? settings.model
  if (call.options.printConfig === true) {
    await writeStream(
      call.context.stdout,
      writeBootstrapFile({ ...(model === undefined ? {} : { model }), ...settings }),
    )
    return EXIT.ok
  }
  return runPlan(call, signal => planStep(call, step, settings, signal))
}

/** Parts of the step: the add-on that installs Argo CD is a field of the GitOpsCluster. */
function partsOf(step: BootstrapStep, settings: Settings): ReadonlySet<Part> {
  const parts = new Set(step.parts)
  if (step.name === 'spoke-gitops' && settings.spokeGitops === 'addon') parts.add('gitopscluster')
  return parts
}

async function planStep(call: Call, step: BootstrapStep, settings: Settings, signal: AbortSignal): Promise<MadePlan> {
  const accepted = acceptedBy(call, GATE_CODES)
  const kept = keepObjects(await openSource(call))
  const loaded = await loadFleet(kept.source, BOOTSTRAP_KINDS, signal)
  // The live hub is asked for each object anew: lists do not say who owns which field.
  const client = kept.source.type === 'live' ? await (await import('../plan/open-hub.ts')).openHub(call) : undefined
  const reader = client ?? kept.reader
  const close = (): void => client?.close()
  try {
    const words = ['bootstrap', step.name]
    const model = step.model ?? settings.model
    const request = { words, parts: partsOf(step, settings), model, settings, accepted }
    const plan = await makeBootstrapPlan(request, { loaded, source: kept.source, reader, now: new Date() })
    return { plan, reader, close }
  } catch (error) {
    close()
    throw error
  }
}
