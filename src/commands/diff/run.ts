import { CHECKS } from '../../checks/registry.ts'
import { diagnose } from '../../diagnosis.ts'
import { compareFleets, type State } from '../../diff/compare.ts'
import { differs, type FleetDiff } from '../../diff/fleet-diff.ts'
import { EXIT, type ExitCode, UsageError } from '../../errors.ts'
import { DIFF_VIEW } from '../../output/diff-views.ts'
import type { FleetSource } from '../../source/source.ts'
import { type Call, openSource, reading } from '../call.ts'
import { produce } from '../produce.ts'

/** `fleetctl diff BEFORE [AFTER]`: what changed between two states of a fleet. */
export async function diff(call: Call): Promise<ExitCode> {
  const { options, args } = call
  const [before = '', after] = args
  if (after !== undefined && call.flags.from !== undefined) {
    throw new UsageError('diff takes the second state as an argument or by --from, not both')
  }
  if (before === '-' && (after ?? call.flags.from) === '-') throw new UsageError('only one of the states can be stdin')
  const second = after === undefined ? call : from(call, after)
  return produce(call, {
    view: DIFF_VIEW,
    doing: reading(second),
    run: async (signal): Promise<FleetDiff> => {
      const state = async (source: FleetSource): Promise<State> => ({
        source,
        diagnosis: await diagnose(source, CHECKS, signal),
      })
      const older = await state(await openSource(from({ ...call, options: {} }, before)))
      return compareFleets(older, await state(await openSource(second)))
    },
    exitCode: document => exitCode(document, options.exitCode === true, options.allowIncomplete === true),
    show: { showSymptoms: options.showSymptoms === true },
  })
}

/** The same call with a path to read. */
function from(call: Call, path: string): Call {
  return { ...call, flags: { ...call.flags, from: path } }
}

function exitCode(document: FleetDiff, asked: boolean, allowIncomplete: boolean): ExitCode {
  if (asked && differs(document)) return EXIT.findings
  return document.notCompared.length > 0 && !allowIncomplete ? EXIT.incomplete : EXIT.ok
}
