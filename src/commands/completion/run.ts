import { EXIT, type ExitCode, UsageError } from '../../errors.ts'
import { writeStream } from '../../output/write.ts'
import { didYouMean } from '../../ui/nearest.ts'
import type { Call } from '../call.ts'
import { SCRIPTS } from './scripts.ts'

/** `fleetctl completion SHELL`. */
export async function completion({ args, context }: Call): Promise<ExitCode> {
  const [name = ''] = args
  const script = Object.entries(SCRIPTS).find(([shell]) => shell === name)?.[1]
  const shells = Object.keys(SCRIPTS)
  if (script === undefined) {
    throw new UsageError(
      `no completion for shell "${name}": there are ${shells.join(', ')}${didYouMean(name, shells, '')}`,
    )
  }
  await writeStream(context.stdout, script)
  return EXIT.ok
}
