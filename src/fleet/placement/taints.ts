import type { Taint, Toleration } from '../records.ts'

/**
 * Taints and tolerations as OCM's placement controller judges them (open-cluster-management-io/ocm
 * pkg/placement/plugins/tainttoleration/taint_toleration.go). They differ from those of Kubernetes nodes.
 */
interface TaintView {
  /** The cluster is in the Placement's decision now: then `NoSelectIfNew` does not keep it out. */
  readonly inDecision: boolean
  /** Epoch milliseconds: `tolerationSeconds` counts from the time at which the taint was added. */
  readonly now: number
}

/** What makes the controller call the Placement misconfigured, in its own words; undefined when all tolerations are valid. */
export function tolerationsError(tolerations: readonly Toleration[]): string | undefined {
  for (const { key, operator, value } of tolerations) {
    if (key === '' && operator !== 'Exists') return 'If the key is empty, operator must be Exists.'
    if (operator === 'Exists' && value !== '') return 'If the operator is Exists, the value should be empty.'
  }
  return undefined
}

function sameTaint(taint: Taint, { key, operator, value, effect }: Toleration): boolean {
  if (effect !== '' && effect !== taint.effect) return false
  if (key !== '' && key !== taint.key) return false
  if (operator === 'Exists') return true
  return (operator === '' || operator === 'Equal') && value === taint.value
}

/** When a toleration of the taint ends, in epoch milliseconds; undefined for one without an end. */
function toleratedUntil(taint: Taint, { tolerationSeconds }: Toleration): number | undefined {
  if (tolerationSeconds === undefined) return undefined
  // a taint without a time has Go's zero time, which lies before every deadline that matters
  return taint.timeAdded === undefined ? Number.NEGATIVE_INFINITY : taint.timeAdded + tolerationSeconds * 1000
}

function tolerates(taint: Taint, toleration: Toleration, now: number): boolean {
  if (!sameTaint(taint, toleration)) return false
  const until = toleratedUntil(taint, toleration)
  return until === undefined || now < until
}

/** The first taint that keeps a cluster out of a decision, or undefined. */
export function blockingTaint(
  taints: readonly Taint[],
  tolerations: readonly Toleration[],
  view: TaintView,
): Taint | undefined {
  return taints.find(taint => {
    if (taint.effect === 'PreferNoSelect') return false
    if (taint.effect === 'NoSelectIfNew' && view.inDecision) return false
    return !tolerations.some(toleration => tolerates(taint, toleration, view.now))
  })
}

/** `key=value:effect`, or `key:effect`, as `kubectl taint` writes it. */
function taintText({ key, value, effect }: Taint): string {
  return `${value === '' ? key : `${key}=${value}`}:${effect}`
}

/** Why a blocking taint is not tolerated, naming the toleration that nearly fits where there is one. */
export function taintDetail(taint: Taint, tolerations: readonly Toleration[], now: number): string {
  const name = `taint ${taintText(taint)}`
  for (const toleration of tolerations) {
    const until = sameTaint(taint, toleration) ? toleratedUntil(taint, toleration) : undefined
    if (until === undefined || now < until) continue
    const ended = Number.isFinite(until) ? `ended at ${new Date(until).toISOString()}` : 'has ended'
    return `${name} is no longer tolerated: its toleration of ${toleration.tolerationSeconds} s ${ended}`
  }
  const near = tolerations.find(toleration => toleration.key === taint.key)
  if (near !== undefined) {
    const asked = near.operator === 'Exists' ? near.key : `${near.key}=${near.value}`
    const effect = near.effect === '' ? '' : `:${near.effect}`
    return `${name} is not tolerated: the toleration for that key is for ${asked}${effect}`
  }
  if (taint.effect === 'NoSelectIfNew') {
    return `${name} is not tolerated and keeps out clusters that are not in the decision already`
  }
  return `${name} is not tolerated`
}
