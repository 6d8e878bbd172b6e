import { parsesTrue } from '../../fleet/joins/applications.ts'
import { PULL_LABEL, PULL_TARGET, SKIP_RECONCILE } from '../../fleet/labels.ts'
import type { StringMap } from '../../fleet/records.ts'

/** The marks of a pull Application that these lack (push-pull.md 1.9, 1.10). @param target what the target annotation is to say */
export function lackingMarks(
  labels: StringMap,
  annotations: StringMap,
  target: string,
): { labels: StringMap; annotations: StringMap } {
  return {
    labels: parsesTrue(labels[PULL_LABEL]) ? {} : { [PULL_LABEL]: 'true' },
    annotations: {
      ...((annotations[PULL_TARGET] ?? '') === '' ? { [PULL_TARGET]: target } : {}),
      ...(parsesTrue(annotations[SKIP_RECONCILE]) ? {} : { [SKIP_RECONCILE]: 'true' }),
    },
  }
}
