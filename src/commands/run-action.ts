import type { Command } from 'commander'
import type { Context } from '../context.ts'
import type { ExitCode } from '../errors.ts'
import type { Call } from './call.ts'
import type { Engine } from './deps.ts'
import { commonFlags } from './flag-values.ts'

type Handler = (call: Call) => Promise<ExitCode>

/** Makes commander's action of a handler; the handler imports its own module when it is run. */
export type Action = (handler: Handler) => (this: Command) => Promise<void>

/** Actions that hand the call to the handler and its exit code to `done`. */
export function actions(context: Context, engine: Engine, done: (code: ExitCode) => void): Action {
  return handler =>
    async function (this: Command) {
      const options = this.optsWithGlobals()
      done(
        await handler({
          context,
          engine,
          options,
          flags: commonFlags(options),
          args: this.args,
          progress: { onText: undefined },
        }),
      )
    }
}
