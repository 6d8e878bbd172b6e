import { type Fleet, inputsOf } from '../../fleet/fleet.ts'
import { registration, registrationKey } from '../../fleet/joins/registration.ts'
import { type Subject, subject } from '../../fleet/subject.ts'
import { PROXY_ADDON } from '../../fleet/well-known.ts'
import { type Problem, type ProblemKind, problems } from '../argo/problems.ts'
import type { Cause, Inputs } from '../check.ts'
import { clashes } from './clashes.ts'

/** What checks on the state of Applications need and use: the hub's Applications always, the spokes where they were read. */
export const PROBLEM_NEEDS: Inputs = { hub: ['Application'] }
export const PROBLEM_USES: Inputs = inputsOf(problems, {
  hub: ['ManagedServiceAccount', 'ManagedClusterAddOn', 'AppProject'],
})

/** Problems of these kinds, gathered per ApplicationSet where all its Applications have them. */
interface Gathered {
  readonly subject: Subject
  readonly shared: boolean
  readonly list: readonly Problem[]
  readonly first: Problem
}

export function gather(fleet: Fleet, kinds: readonly ProblemKind[]): Gathered[] {
  const { shared, single } = fleet.join(problems)
  const result: Gathered[] = []
  for (const { appSet, kind, list } of shared) {
    const first = list[0]
    if (first !== undefined && kinds.includes(kind))
      result.push({ subject: appSet.appSet.subject, shared: true, list, first })
  }
  for (const p of single)
    if (kinds.includes(p.kind)) result.push({ subject: p.of.app.subject, shared: false, list: [p], first: p })
  return result
}

/** What an Application is called in a sentence, with the place where it is reconciled. */
export function appText({ of }: Problem): string {
  return `Application "${of.app.meta.name}"${of.at === 'hub' ? '' : ` on cluster "${of.at}"`}`
}

/** Subject and message head of gathered problems: the ApplicationSet where all share it, else the one Application. */
export function head({ shared, list, first }: Gathered): string {
  const set = first.of.appSet?.appSet.meta.name
  return shared && set !== undefined ? `All ${list.length} Applications of ApplicationSet "${set}"` : appText(first)
}

/** What two Applications that overwrite each other look like. */
const MADE_BY_CLASH: ReadonlySet<ProblemKind> = new Set(['fights', 'out-of-sync'])

/** What Argo CD says of a destination that is no cluster of its own. */
const NO_CLUSTER: ReadonlySet<ProblemKind> = new Set(['cluster-unknown', 'cluster-ambiguous'])

/** Problems that an AppProject, or the Argo CD of the hub being switched off, can bring about: all others tell their own cause. */
const FROM_ABOVE: ReadonlySet<ProblemKind> = new Set([
  'other',
  'failed',
  'gave-up',
  'not-started',
  'out-of-sync',
  'progressing',
  'unhealthy',
  'unknown',
  'project-missing',
  'project-denies',
  'agent-namespace',
  'cluster-unknown',
  'sync-window',
])

/**
 * Faults upstream that would explain a problem: of the registration and credentials for push, of the project, of the template
 * and of the Argo CD that reconciles it.
 */
export function problemCauses(fleet: Fleet, { of, kind }: Problem): Cause[] {
  const list: Cause[] = []
  const { hub, at, app } = of
  const clash = fleet.join(clashes).byApp.get(app)
  if (clash !== undefined && MADE_BY_CLASH.has(kind)) list.push({ subject: clash.subject, codes: ['FLT0510'] })
  if (hub !== undefined) {
    const { argoNamespace, cluster } = hub
    if (hub.appSet !== undefined) list.push({ subject: hub.appSet.appSet.subject, codes: ['FLT0304'] })
    if (FROM_ABOVE.has(kind)) list.push({ subject: subject('hub', 'AppProject', argoNamespace, app.project) })
    if (NO_CLUSTER.has(kind)) list.push({ subject: hub.app.subject, codes: ['FLT0406', 'FLT0407', 'FLT0414'] })
    if (at === 'hub' && !of.copied) {
      for (const s of hub.secrets) list.push({ subject: s.subject })
      for (const r of fleet.join(registration).of.get(registrationKey(argoNamespace, cluster)) ?? []) {
        list.push(
          { subject: subject('hub', 'ManagedServiceAccount', cluster, r.msa) },
          { subject: r.goc.subject, codes: ['FLT0206', 'FLT0212'] },
        )
      }
      list.push(
        { subject: subject('hub', 'ManagedClusterAddOn', cluster, PROXY_ADDON) },
        { subject: subject('hub', 'ManagedCluster', '', cluster) },
      )
    }
    if (hub.model !== 'pull' && FROM_ABOVE.has(kind))
      for (const argo of fleet.hub.of('ArgoCD').in(argoNamespace)) list.push({ subject: argo.subject })
  }
  if (at !== 'hub' && FROM_ABOVE.has(kind))
    list.push({ subject: subject(at, 'AppProject', app.meta.namespace, app.project) })
  return list
}

/** The Applications behind problems, as objects that a way leads through. */
export function appsOf(list: readonly Problem[]): Subject[] {
  return list.flatMap(({ of }) => (of.hub === undefined ? [of.app.subject] : [of.app.subject, of.hub.app.subject]))
}
