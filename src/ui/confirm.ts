import type { Context } from '../context.ts'
import { EXIT, FleetctlError } from '../errors.ts'

/** Is there a person at both ends, who may be asked? */
export function canAsk({ stdin, stderr, env }: Context, input: boolean): boolean {
  const ci = env.CI !== undefined && env.CI !== '' && env.CI !== 'false'
  return input && !ci && Reflect.get(stdin, 'isTTY') === true && stderr.isTTY === true
}

/**
 * Asks a yes-or-no question on the terminal.
 *
 * @param flag what to pass where nobody can be asked
 * @throws FleetctlError (6) where nobody can be asked; InterruptedError on Ctrl-C
 */
export async function confirm(context: Context, input: boolean, question: string, flag: string): Promise<boolean> {
  if (!canAsk(context, input)) {
    throw new FleetctlError(
      `not confirmed, nothing was written; pass ${flag} to go on without being asked`,
      EXIT.refused,
    )
  }
  const { askYesNo } = await import('./prompt.ts')
  return askYesNo(question)
}
