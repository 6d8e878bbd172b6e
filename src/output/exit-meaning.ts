import type { Severity } from '../checks/check.ts'
import { EXIT, type ExitCode } from '../errors.ts'

/** What the exit code of a doctor run says, as the last line of its text. */
export function doctorExitMeaning(
  code: ExitCode,
  { failOn, incomplete, narrowed }: { failOn: Severity; incomplete: boolean; narrowed: boolean },
): string {
  const finding = narrowed ? 'finding that counts' : 'finding'
  const threshold = failOn === 'error' ? 'an error' : `${failOn === 'info' ? 'an info' : 'a warning'} or worse`
  if (code === EXIT.findings) return `Exit code 1: at least one ${finding} is ${threshold}.`
  if (code === EXIT.incomplete)
    return 'Exit code 3: no such finding, but not everything could be seen, so health is unknown.'
  const allowed = incomplete ? '; not everything could be seen, and --allow-incomplete accepts that' : ''
  return `Exit code 0: no ${finding} is ${threshold}${allowed}.`
}

/** The same for traces. */
export function traceExitMeaning(code: ExitCode): string {
  if (code === EXIT.findings) return 'Exit code 1: the chain is broken.'
  if (code === EXIT.incomplete) return 'Exit code 3: not every hop could be seen.'
  return 'Exit code 0: no broken hop.'
}
