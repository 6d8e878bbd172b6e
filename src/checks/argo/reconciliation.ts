import { durationOf } from '../../duration.ts'
import type { ClusterView } from '../../fleet/fleet.ts'
import type { Workload } from '../../fleet/records.ts'
import { MINUTE } from '../support.ts'

/** What the application controller is told; in manifests and operator alike it comes from `argocd-cm`. */
const VARIABLE = 'ARGOCD_RECONCILIATION_TIMEOUT'
const KEY = 'timeout.reconciliation'

const AT_LEAST = 15 * MINUTE
/** An Application is looked at after once to twice the period (seen); three missed times are no accident. */
const PERIODS = 6

/** The StatefulSet that reconciles Applications for the Argo CD of a namespace; manifests and operator end its name alike. */
export function applicationController(view: ClusterView, namespace: string): Workload | undefined {
  return view
    .of('StatefulSet')
    .in(namespace)
    .find(s => s.meta.name.endsWith('application-controller'))
}

/**
 * How old `reconciledAt` may be before the application controller of this Argo CD counts as standing still, in milliseconds;
 * undefined where reconciling by the clock is switched off (`timeout.reconciliation: 0`), for then age says nothing.
 * Reads StatefulSet and ConfigMap. Where neither tells, the default of 120 to 180 seconds counts (agent-mode.md 4.6).
 */
export function staleAfter(view: ClusterView | undefined, namespace: string): number | undefined {
  const told =
    (view && applicationController(view, namespace))?.env[VARIABLE] ||
    view?.of('ConfigMap').get(namespace, 'argocd-cm')?.data[KEY] ||
    ''
  const period = durationOf(told)
  if (period === 0) return undefined
  return Math.max(AT_LEAST, (period ?? 0) * PERIODS)
}

/** Kinds that `staleAfter` reads. */
export const RECONCILIATION_KINDS = ['StatefulSet', 'ConfigMap'] as const
