import { type LoadedFleet, loadFleet } from '../../fleet/load.ts'
import { BOOTSTRAP_KINDS } from '../bootstrap/kinds.ts'
import { type Call, openSource } from '../call.ts'
import { textOption } from '../flag-values.ts'

/** Reads what ties Applications to agents. @param context that a run was begun with, unless a flag names another */
export async function readTies(call: Call, context = ''): Promise<LoadedFleet> {
  const isNamed = textOption(call.options, 'context') !== undefined || context === ''
  const from = isNamed ? call : { ...call, options: { ...call.options, context } }
  return loadFleet(await openSource(from), BOOTSTRAP_KINDS, call.context.signal)
}
