import { TimeoutError } from '../errors.ts'

interface Deadline {
  /** Aborted by the user's signal or by the time limit, with the error to show as its reason. */
  readonly signal: AbortSignal
  /** The work's result, or the abort's reason as soon as there is one, whether the work listens to the signal or not. */
  race<T>(work: Promise<T>): Promise<T>
  stop(): void
}

/**
 * @param ms time limit of the whole command in milliseconds; 0 is none
 */
export function deadline(user: AbortSignal, ms: number): Deadline {
  const controller = new AbortController()
  const onUser = () => controller.abort(user.reason)
  if (user.aborted) onUser()
  user.addEventListener('abort', onUser, { once: true })
  const timer =
    ms > 0
      ? setTimeout(() => {
          controller.abort(
            new TimeoutError(`the command took longer than --timeout ${ms / 1000}s; nothing is reported`),
          )
        }, ms)
      : undefined
  const { signal } = controller
  return {
    signal,
    race: work =>
      new Promise((resolve, reject) => {
        const onAbort = () => reject(signal.reason)
        if (signal.aborted) onAbort()
        signal.addEventListener('abort', onAbort, { once: true })
        // What the work says after the abort is nobody's concern any more.
        work.then(resolve, error => reject(signal.aborted ? signal.reason : error))
      }),
    stop: () => {
      clearTimeout(timer)
      user.removeEventListener('abort', onUser)
    },
  }
}
