import type { Fleet } from '../../fleet/fleet.ts'
import { applications } from '../../fleet/joins/applications.ts'
import { type Subject, subject, subjectKey } from '../../fleet/subject.ts'
import type { Run } from '../../plan/journal.ts'
import { objectSteps } from '../../plan/plan.ts'
import type { RevertStep } from '../../plan/revert.ts'
import type { Signal } from '../../plan/signal.ts'
import { valueAt } from '../../raw.ts'
import { principalName } from '../hub.ts'
import { agentRemains, RANKS, type Remain, type RemainRank } from '../remains.ts'

/** One thing that the way back does, in order. */
export type RevertItem =
  | { readonly type: 'step'; readonly step: RevertStep }
  /** An object that ACM made of what the run wrote, and that nobody else removes. */
  | { readonly type: 'remain'; readonly remain: Remain }
  | { readonly type: 'wait'; readonly signal: Signal; readonly limitSeconds: number }

const wait = (signal: Signal, limitSeconds = 300): RevertItem => ({ type: 'wait', signal, limitSeconds })
const isKind = (kind: string) => (step: RevertStep) => step.step.subject.kind === kind
/** One that the run made: one that it held stays. */
const isMadeSet = ({ step }: RevertStep): boolean => step.subject.kind === 'ApplicationSet' && step.action === 'create'

/** Applications that an ApplicationSet of the run made: they go with it, while agents still work. */
function drained(fleet: Fleet, steps: readonly RevertStep[]): readonly RevertItem[] {
  return steps.filter(isMadeSet).flatMap(({ action, step }): RevertItem[] => {
    if (action !== 'delete' && action !== 'gone') return []
    const { namespace, name } = step.subject
    const owned = fleet
      .join(applications)
      .all.filter(l => l.owner?.name === name && l.app.meta.namespace === namespace)
      .map(l => l.app.meta.name)
    return owned.length === 0 ? [] : [wait({ signal: 'none-of', namespace, applications: owned }, 600)]
  })
}

/** What ACM made of the GitOpsClusters that go, each rank behind the one that it waits for (agent-mode.md 2.5). */
function cleared(remains: readonly Remain[], ranks: readonly RemainRank[]): readonly RevertItem[] {
  return ranks.flatMap(rank => {
    const own = remains.filter(r => r.rank === rank)
    const items: RevertItem[] = own.map(remain => ({ type: 'remain', remain }))
    // The job of the add-on removes Argo CD from the cluster before the object goes.
    return rank === 'addon' ? [...items, ...own.map(r => wait({ signal: 'deleted', subject: r.subject }, 900))] : items
  })
}

/** What the operator makes of an ArgoCD resource that is no principal any more. */
function operatorWaits(run: Run, steps: readonly RevertStep[]): readonly RevertItem[] {
  return steps.filter(isKind('ArgoCD')).flatMap(({ action, restores, step }): RevertItem[] => {
    if (action === 'leave') return []
    const { namespace, name } = step.subject
    const at = (kind: 'Deployment' | 'StatefulSet', object: string) => subject('hub', kind, namespace, object)
    const before = run.before.get(step.number)
    const changes = before === undefined || before === null ? [] : before.changes
    const wasOn = changes.some(c => valueAt({ x: c.from }, 'x', 'principal', 'enabled') === true)
    const touched = [...restores, ...changes].map(c => c.path).join(' ')
    return [
      ...(touched.includes('argoCDAgent') && !wasOn
        ? [wait({ signal: 'gone', subject: at('Deployment', principalName(name)) })]
        : before === null
          ? [wait({ signal: 'gone', subject: at('Deployment', principalName(name)) })]
          : []),
      ...(touched.includes('.spec.controller')
        ? [wait({ signal: 'exists', subject: at('StatefulSet', `${name}-application-controller`) })]
        : []),
    ]
  })
}

/** Name and namespace of the GitOpsClusters that a run made. */
export function madeRegistrations(run: Run): readonly Subject[] {
  return objectSteps(run.plan)
    .filter(step => step.subject.kind === 'GitOpsCluster' && run.before.get(step.number) === null)
    .map(step => step.subject)
}

/** What ACM made of the GitOpsClusters of a run that go, and that was not there before. */
function remainsOf(
  run: Run,
  steps: readonly RevertStep[],
  fleet: Fleet,
  secrets: readonly Remain[],
): readonly Remain[] {
  const foreign = new Set((run.plan.foreign ?? []).map(subjectKey))
  const isStaying = (goc: Subject): boolean =>
    steps.some(s => s.step.subject.name === goc.name && s.action === 'leave' && isKind('GitOpsCluster')(s))
  const going = madeRegistrations(run).filter(goc => !isStaying(goc))
  const remains = going.flatMap(goc => agentRemains(fleet, goc.namespace, [goc.name]))
  const own = secrets.filter(s => going.some(goc => goc.namespace === s.subject.namespace))
  const all = new Map([...remains, ...own].map(r => [subjectKey(r.subject), r]))
  return [...all.values()].filter(r => !foreign.has(subjectKey(r.subject)))
}

/** What is left of that: ACM may have been at work while its GitOpsCluster went, and one look of it takes minutes. */
export function leftItems(
  run: Run,
  steps: readonly RevertStep[],
  fleet: Fleet,
  secrets: readonly Remain[],
): readonly RevertItem[] {
  return cleared(remainsOf(run, steps, fleet, secrets), RANKS)
}

/**
 * The way back of a run, in the order in which nothing loses what it needs (agent-mode.md 2.5): Applications while agents
 * work, the registration, what ACM made of it, then the principal, and what selected last.
 *
 * @param steps the steps of the run that are taken back, last first
 * @param secrets those of the principal, asked for by name
 */
export function revertItems(
  run: Run,
  steps: readonly RevertStep[],
  fleet: Fleet,
  secrets: readonly Remain[],
): readonly RevertItem[] {
  const ours = remainsOf(run, steps, fleet, secrets)
  const asItem = (step: RevertStep): RevertItem => ({ type: 'step', step })
  const isEarly = (step: RevertStep): boolean => isMadeSet(step) || isKind('GitOpsCluster')(step)
  const isPrincipal = isKind('ArgoCD')
  return [
    ...steps.filter(isMadeSet).map(asItem),
    ...drained(fleet, steps),
    ...steps.filter(isKind('GitOpsCluster')).map(asItem),
    ...cleared(
      ours,
      RANKS.filter(rank => rank !== 'instance'),
    ),
    ...steps.filter(isPrincipal).map(asItem),
    ...operatorWaits(run, steps),
    ...cleared(ours, ['instance']),
    ...steps.filter(step => !isEarly(step) && !isPrincipal(step)).map(asItem),
  ]
}
