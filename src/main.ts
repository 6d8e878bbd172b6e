import { CommanderError } from 'commander'
import { normalizeArguments } from './commands/arguments.ts'
import type { Engine } from './commands/deps.ts'
import { engine } from './commands/engine.ts'
import { type Context, processContext } from './context.ts'
import { EXIT, FleetctlError } from './errors.ts'
import { buildProgram } from './program.ts'

/**
 * Runs one command line to its end. The only place that catches.
 *
 * @returns the exit code
 */
export async function run(context: Context, using: Engine = engine): Promise<number> {
  let exitCode: number = EXIT.ok
  try {
    const program = buildProgram({
      context,
      engine: using,
      done: code => {
        exitCode = code
      },
    })
    if (context.argv[0] === '__complete') {
      const { complete } = await import('./commands/completion/complete.ts')
      return await complete(program, context, using)
    }
    await program.parseAsync(normalizeArguments(context.argv), { from: 'user' })
    return exitCode
  } catch (error) {
    // Help and version are exits of commander's too.
    if (error instanceof CommanderError && error.exitCode === 0) return EXIT.ok
    const { explainError } = await import('./ui/error-line.ts')
    context.stderr.write(await explainError(error, context))
    return error instanceof FleetctlError ? error.exitCode : EXIT.internal
  }
}

/** Entry of the binary. */
export async function main(): Promise<void> {
  const context = processContext()
  const exitCode = await run(context)
  // A stream that could not take the result has set its own.
  process.exitCode ??= exitCode
  // Work that was interrupted, or that came too late for a completion, may still hold the process.
  const stopped = exitCode === EXIT.interrupted || exitCode === EXIT.terminated || exitCode === EXIT.timeout
  if (stopped || context.argv[0] === '__complete') process.exit()
}
