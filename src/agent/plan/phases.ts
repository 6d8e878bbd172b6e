import type { PhaseKey } from '../agent-plan.ts'
import { HOLD, RELEASE } from './hold.ts'

/** A step of the procedure, before it is known which objects it comes to (agent-mode.md 2.3 to 2.5). */
export interface Phase {
  readonly key: PhaseKey
  readonly title: string
  readonly effect: string
  /** Signals in words, for a step whose objects are not chosen yet. */
  readonly signals: readonly string[]
  readonly revert: string
}

/** Headings of a plan, by the phase that they belong to. */
const PHASE_OF: Readonly<Record<string, PhaseKey>> = {
  [HOLD]: 'hold',
  Operator: 'operator',
  Clusters: 'selection',
  Placement: 'selection',
  'Argo CD on the clusters': 'rights',
  Principal: 'principal',
  Registration: 'registration',
  Agents: 'agents',
  Applications: 'applications',
  [RELEASE]: 'release',
}

export function phaseOf(section: string): PhaseKey {
  return PHASE_OF[section] ?? 'applications'
}

export const PHASE_KEYS: readonly PhaseKey[] = [
  'hold',
  'operator',
  'selection',
  'rights',
  'principal',
  'registration',
  'agents',
  'applications',
  'release',
]

/** Phases that only some hubs need. */
export const PASSING: ReadonlySet<PhaseKey> = new Set<PhaseKey>(['hold', 'release'])

interface Names {
  readonly argo: string
  readonly controllerStays: boolean
  readonly dedicated: boolean
}

export function phases({ argo, controllerStays, dedicated }: Names): readonly Phase[] {
  const controller = controllerStays
    ? 'the controller restarts and goes on'
    : 'the StatefulSet of the controller is deleted within a second'
  return [
    {
      key: 'hold',
      title: 'ApplicationSets that the switch concerns are held',
      effect: 'what a template or Placement changes meanwhile is not carried out; new Applications are still made',
      signals: ['each has spec.syncPolicy.applicationsSync: create-only'],
      revert: 'puts the former policy back',
    },
    {
      key: 'operator',
      title: 'the operator gives the instance rights in the whole cluster',
      effect: 'OLM rolls out the operator, which looks at every ArgoCD again; nothing of Argo CD restarts',
      signals: ['the Deployment of the operator is rolled out with the new value'],
      revert: 'puts the former value back, or takes spec.config away where there was none',
    },
    {
      key: 'selection',
      title: 'a Placement without the hub decides about the agents',
      effect: 'nothing but the decision',
      signals: ['the Placement decides on the clusters'],
      revert: 'deletes what was made, and puts the former fields back',
    },
    {
      key: 'rights',
      title: 'the agents may read, and the Argo CD of the clusters may write',
      effect: 'a Policy makes the bindings on each cluster, before anything is synced there',
      signals: ['the Policy is compliant on every cluster'],
      revert: 'deletes the Policy; the bindings stay on the clusters',
    },
    {
      key: 'principal',
      title: dedicated ? 'a second Argo CD becomes the principal' : 'the Argo CD of the hub becomes the principal',
      effect: dedicated
        ? 'the operator makes the new instance; the one that is there is not touched'
        : `${controller}; server and repo-server restart, and their Redis goes through the principal, which crash-loops until the next step brings its certificates: the user interface suffers meanwhile`,
      signals: [
        ...(controllerStays || dedicated ? [] : [`StatefulSet ${argo}-application-controller is gone`]),
        `Deployments ${argo}-server and ${argo}-repo-server are rolled out with the Redis of the principal`,
        `Deployment ${argo}-agent-principal is there`,
      ],
      revert: dedicated
        ? 'deletes the ArgoCD resource; the operator removes the instance'
        : 'takes back exactly the fields that were set; the operator removes the principal and brings back what was there within half a minute',
    },
    {
      key: 'registration',
      title: 'a GitOpsCluster registers the clusters as agents',
      effect:
        'ACM makes CA, certificates and key of the principal, a Policy and an add-on for each cluster, and a cluster secret for each agent; the principal starts',
      signals: ['the GitOpsCluster is Ready', 'the principal is rolled out'],
      revert:
        'deletes the GitOpsCluster, and then, in this order, its Policy, the add-ons, the ManifestWorks and cluster secrets, and its AddOnTemplate: deleting it alone leaves them all',
    },
    {
      key: 'agents',
      title: 'the agents arrive',
      effect: 'each cluster installs OpenShift GitOps and the agent, which takes several minutes',
      signals: ['add-on gitops-addon is Available on every cluster', 'the Policy of the GitOpsCluster is compliant'],
      revert: 'nothing of its own: the add-ons take it away with them',
    },
    {
      key: 'applications',
      title: 'Applications name their cluster',
      effect: 'the principal hands each Application to the agent that its destination.name names',
      signals: ['each Application is Synced and its status was written by argocd-agent'],
      revert: 'deletes the ApplicationSet first of all, while the agents still work; they delete what it delivered',
    },
    {
      key: 'release',
      title: 'the ApplicationSets go on',
      effect: 'what has changed meanwhile is carried out now',
      signals: ['each has its former policy'],
      revert: 'nothing of its own',
    },
  ]
}
