import { durationOf } from '../../duration.ts'
import type { ClusterView } from '../../fleet/fleet.ts'
import { MINUTE } from '../support.ts'

/** What the application controller is told; in manifests and operator alike it comes from `argocd-cm`. */
const VARIABLE = 'ARGOCD_RECONCILIATION_TIMEOUT'
const KEY = 'timeout.reconciliation'

const AT_LEAST = 15 * MINUTE
/** An Application is looked at after once to twice the period (seen); three missed times are no accident. */
const PERIODS = 6

/**
 * How old `reconciledAt` may be before the application controller of this Argo CD counts as standing still, in milliseconds;
 * undefined where reconciling by the clock is switched off (`timeout.reconciliation: 0`), for then age says nothing.
 * Reads StatefulSet and ConfigMap. Where neither tells, the default of 120 to 180 seconds counts (agent-mode.md 4.6).
 */
export function staleAfter(view: ClusterView | undefined, namespace: string): number | undefined {
  const controller = view
    ?.of('StatefulSet')
    .in(namespace)
    .find(s => s.meta.name.endsWith('application-controller'))
  const told = controller?.env[VARIABLE] || view?.of('ConfigMap').get(namespace, 'argocd-cm')?.data[KEY] || ''
  const period = durationOf(told)
  if (period === 0) return undefined
  return Math.max(AT_LEAST, (period ?? 0) * PERIODS)
}

/** Kinds that `staleAfter` reads. */
export const RECONCILIATION_KINDS = ['StatefulSet', 'ConfigMap'] as const
