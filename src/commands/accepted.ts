import { UsageError } from '../errors.ts'
import { didYouMean } from '../ui/nearest.ts'
import type { Call } from './call.ts'
import { listOption } from './flag-values.ts'

/**
 * Dangers that the flags accept, by their codes.
 *
 * @param known codes that the command takes
 * @throws UsageError for a code that is none of them
 */
export function acceptedBy({ options }: Call, known: readonly string[]): ReadonlySet<string> {
  const accepted = listOption(options, 'accept')
  const unknown = accepted.find(code => !known.includes(code))
  if (unknown !== undefined)
    throw new UsageError(`--accept knows no danger "${unknown}"${didYouMean(unknown, known, `: ${known.join(', ')}`)}`)
  return new Set([...accepted, ...(options.forceConflicts === true ? ['conflicts'] : [])])
}
