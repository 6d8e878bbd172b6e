import type { Check } from '../../checks/check.ts'
import { type Diagnosis, examine, kindsFor } from '../../diagnosis.ts'
import { EXIT, type ExitCode, FleetctlError, UsageError } from '../../errors.ts'
import type { Choice } from '../../fixes/choose.ts'
import { FIX_GATES } from '../../fixes/gate-codes.ts'
import { fixOf } from '../../fixes/lookup.ts'
import { makeFixPlan } from '../../fixes/make-fix-plan.ts'
import { inputsOf } from '../../fleet/fleet.ts'
import { applications } from '../../fleet/joins/applications.ts'
import { placements } from '../../fleet/joins/placements.ts'
import type { KindName } from '../../fleet/kinds.ts'
import { loadFleet } from '../../fleet/load.ts'
import { keepObjects } from '../../plan/object-reader.ts'
import { didYouMean } from '../../ui/nearest.ts'
import { acceptedBy } from '../accepted.ts'
import { type Call, openSource } from '../call.ts'
import { textOption } from '../flag-values.ts'
import { type MadePlan, runPlan } from '../plan/produce-plan.ts'
import { selectCodes } from './selection.ts'

/** `fleetctl doctor fix CODE… [NAME…]` and `fleetctl doctor fix --all-safe`. */
export async function doctorFix(call: Call): Promise<ExitCode> {
  const all = await call.engine.checks()
  const choice = chosen(call, all)
  for (const code of choice.codes) refuseWithoutFix(code, all)
  const accepted = acceptedBy(call, FIX_GATES)
  const checks = choice.allSafe ? all : all.filter(check => choice.codes.includes(check.code))
  return runPlan(call, signal => planFixes(call, { choice, checks, accepted }, signal))
}

/** Is it meant as a check, and not as the name of an object? */
function isCode(argument: string, checks: readonly Check[]): boolean {
  return /^FLT[\d*]+$/i.test(argument) || checks.some(check => check.slug === argument)
}

function chosen(call: Call, checks: readonly Check[]): Choice {
  const { args, options } = call
  const codes = args.filter(argument => isCode(argument, checks))
  const names = args.filter(argument => !isCode(argument, checks))
  const allSafe = options.allSafe === true
  if (allSafe && codes.length > 0) throw new UsageError('pass either codes or --all-safe')
  if (!allSafe && codes.length === 0) {
    const [first] = args
    const known = checks.flatMap(check => [check.code, check.slug])
    throw new UsageError(
      first === undefined
        ? 'nothing says what to mend; pass a code, such as FLT0102, or --all-safe'
        : `no check is called "${first}"${didYouMean(first, known, '; "fleetctl doctor list" lists them all')}`,
    )
  }
  const namespace = options.allNamespaces === true ? undefined : textOption(options, 'namespace')
  return { codes: codes.length === 0 ? [] : selectCodes(codes, checks, 'CODE'), allSafe, namespace, names }
}

/** @throws UsageError with the remedy in words, where no machine mends the fault */
function refuseWithoutFix(code: string, checks: readonly Check[]): void {
  const check = checks.find(c => c.code === code)
  if (check === undefined || fixOf(code) !== undefined) return
  const remedy = check.docs.remedy.replaceAll(/\s+/g, ' ').trim()
  throw new UsageError(`${code} ${check.slug} has no machine fix; by hand: ${remedy}`)
}

interface Wanted {
  readonly choice: Choice
  readonly checks: readonly Check[]
  readonly accepted: ReadonlySet<string>
}

/** Kinds of which whole objects are needed: those that the fixes of these checks write. */
function writtenBy(checks: readonly Check[]): ReadonlySet<KindName> {
  return new Set(checks.flatMap(check => fixOf(check.code)?.kinds ?? []))
}

/** Kinds from which the effect of a fix on Placements and Applications follows, and which version of a kind is served. */
const PREVIEWED: readonly KindName[] = [
  ...(inputsOf(applications, placements).hub ?? []),
  'Namespace',
  'CustomResourceDefinition',
]

async function planFixes(call: Call, { choice, checks, accepted }: Wanted, signal: AbortSignal): Promise<MadePlan> {
  const written = writtenBy(checks)
  const kept = keepObjects(await openSource(call), written)
  const loaded = await loadFleet(kept.source, new Set([...kindsFor(checks), ...written, ...PREVIEWED]), signal)
  const diagnosis = examine(loaded, checks)
  refuseUnseen(choice, diagnosis)
  // The live hub is asked for each object anew: lists do not say who owns which field.
  const client = kept.source.type === 'live' ? await (await import('../plan/open-hub.ts')).openHub(call) : undefined
  const close = (): void => client?.close()
  const reader = client ?? kept.reader
  try {
    const request = {
      choice,
      words: wordsOf(choice),
      accepted,
      forFiles: textOption(call.options, 'export') !== undefined,
    }
    const plan = await makeFixPlan(request, { diagnosis, kept, reader, now: new Date() })
    return { plan, reader, close }
  } catch (error) {
    close()
    throw error
  }
}

/** @throws FleetctlError (3) where none of the checks could see what it looks at: nothing found means nothing then */
function refuseUnseen({ codes }: Choice, { run }: Diagnosis): void {
  const unseen = run.unknown.filter(check => codes.includes(check.code))
  const [first] = unseen
  if (first === undefined || run.found.some(f => codes.includes(f.check.code))) return
  throw new FleetctlError(
    `cannot tell whether there is something to mend: ${first.code} ${first.slug} could not be evaluated (${first.reason})`,
    EXIT.incomplete,
  )
}

function wordsOf({ codes, allSafe, namespace, names }: Choice): readonly string[] {
  return [
    ...['doctor', 'fix', ...codes],
    ...(allSafe ? ['--all-safe'] : []),
    ...(namespace === undefined ? [] : ['-n', namespace]),
    ...names,
  ]
}
