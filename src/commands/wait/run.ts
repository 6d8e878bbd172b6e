import { type ExitCode, UsageError } from '../../errors.ts'
import { WAIT_VIEW } from '../../output/views.ts'
import { parseGoal, type WaitKind } from '../../wait/goals.ts'
import { waitExitCode } from '../../wait/result.ts'
import { type Call, reading } from '../call.ts'
import { listOption, textOption } from '../flag-values.ts'
import { produce } from '../produce.ts'
import { namespaceFlag } from '../trace/namespace.ts'
import { intervalFlag } from '../watching/flags.ts'
import { parseTargets } from './targets.ts'
import { type Asked, judgeOnce, waitLive } from './waiting.ts'

const LONGEST_WAIT_MS = 5 * 60_000

const DEFAULT_GOAL: Readonly<Record<WaitKind, string>> = {
  app: 'healthy',
  appset: 'healthy',
  placement: 'ready',
  gitopscluster: 'ready',
  fleet: 'healthy',
}

/** `fleetctl wait`: waits until objects have what is asked; of a recording it says whether they have it. */
export async function wait(call: Call): Promise<ExitCode> {
  const asked = askedOf(call)
  const isLive = call.flags.from === undefined
  return produce(call, {
    view: WAIT_VIEW,
    doing: isLive ? `Waiting for ${call.args.join(' ')}` : reading(call),
    limited: !isLive,
    run: (signal, progress) => (isLive ? waitLive(call, asked, signal, progress) : judgeOnce(call, asked, signal)),
    exitCode: waitExitCode,
  })
}

/** @throws UsageError for a combination that makes no sense */
function askedOf(call: Call): Asked {
  const { args, options, flags } = call
  const spokes = [...new Set(listOption(options, 'spoke'))]
  const { kind, targets } = parseTargets(args, namespaceFlag(options), spokes)
  const goal = parseGoal(
    kind,
    textOption(options, 'for') ?? DEFAULT_GOAL[kind],
    textOption(options, 'quorum'),
    targets.length,
  )
  const failFast = options.failFast === true
  const grace = options.grace
  const interval = intervalFlag(options)
  if (flags.from !== undefined) {
    const wrong = [
      ['--fail-fast', failFast],
      ['--grace', grace !== undefined],
      ['--interval', interval !== undefined],
    ].find(([, is]) => is)
    if (wrong !== undefined)
      throw new UsageError(`${wrong[0]} is for waiting; a recording given by --from is judged once`)
  }
  return {
    goal,
    targets,
    timeoutMs: typeof options.timeout === 'number' ? options.timeout : LONGEST_WAIT_MS,
    graceMs: typeof grace === 'number' ? grace : 0,
    failFast,
    interval,
  }
}
