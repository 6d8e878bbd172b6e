import type { Application } from '../../fleet/records.ts'
import { trigger } from '../edits.ts'
import type { FixInput, FixStep } from '../fix.ts'

/**
 * Starts a sync as its own automation would: with the pruning and the options of its sync policy. In the pull model the
 * operation is carried to the cluster (push-pull.md 1.10).
 *
 * @param more options that the sync policy does not have yet
 */
export function startSync(input: FixInput, app: Application, more: readonly string[] = []): FixStep {
  const { prune } = app.syncPolicy
  const syncOptions = [...new Set([...app.syncPolicy.syncOptions, ...more])]
  const operation = {
    initiatedBy: { username: 'fleetctl' },
    sync: { prune, ...(syncOptions.length === 0 ? {} : { syncOptions }) },
  }
  return trigger(input, app.subject, { operation }, 'nobody tries again by itself')
}
