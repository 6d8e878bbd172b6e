import { atLeast } from '../bootstrap/hub.ts'
import { count } from '../output/layout.ts'
import type { SetUpVerdict } from './agent-plan.ts'
import type { SetUp } from './choices.ts'
import type { FrozenApplication } from './frozen.ts'
import type { AgentHub } from './hub.ts'

/** Whether each set-up fits the hub (agent-mode.md 2.2). `wouldFreeze`: what the documented one would stop. */
export function verdictsOn(hub: AgentHub, wouldFreeze: readonly FrozenApplication[]): readonly SetUpVerdict[] {
  const { facts } = hub
  if (facts.flavour === 'upstream') {
    return [
      { setup: 'documented', fits: 'no', text: "it needs ACM's GitOps add-on, which this hub does not have" },
      { setup: 'hybrid', fits: 'no', text: "it needs ACM's GitOps add-on, which this hub does not have" },
      { setup: 'dedicated', fits: 'no', text: "it needs ACM's GitOps add-on, which this hub does not have" },
      { setup: 'upstream', fits: 'yes', text: 'the chart ocm/argocd-agent-addon is made for this hub; by hand' },
    ]
  }
  const { version } = facts.operator
  const hybrid = atLeast(version, 1, 21)
  const dedicated = atLeast(version, 1, 20)
  const seen = version === '' ? 'the version of OpenShift GitOps was not seen' : `OpenShift GitOps is ${version}`
  return [
    {
      setup: 'documented',
      fits: wouldFreeze.length === 0 ? 'yes' : 'no',
      text:
        wouldFreeze.length === 0
          ? 'no Application needs the controller of the hub'
          : `${count(wouldFreeze.length, 'Application')} would freeze`,
    },
    {
      setup: 'hybrid',
      fits: hybrid === undefined ? 'unknown' : hybrid ? 'yes' : 'no',
      text: `it takes OpenShift GitOps 1.21 (Argo CD 3.4) and ACM 2.17; ${seen}`,
    },
    {
      setup: 'dedicated',
      fits: dedicated === undefined ? 'unknown' : dedicated ? 'yes' : 'no',
      text: `it takes OpenShift GitOps 1.20; ${seen}. ACM does not describe it`,
    },
    { setup: 'upstream', fits: 'no', text: 'its GitOpsCluster (v1alpha1) and that of ACM exclude each other' },
  ]
}

/** The set-up for this hub, with the reason. */
export function recommend(
  hub: AgentHub,
  wouldFreeze: readonly FrozenApplication[],
): { readonly setup: SetUp; readonly reason: string } {
  const { facts, argo } = hub
  if (facts.flavour === 'upstream') {
    return { setup: 'upstream', reason: 'the hub runs upstream Open Cluster Management' }
  }
  if (argo?.principal?.enabled === true) {
    const setup = argo.controllerEnabled ? 'hybrid' : 'documented'
    return { setup, reason: 'the hub is a principal in this set-up already' }
  }
  if (wouldFreeze.length === 0) {
    return { setup: 'documented', reason: 'nothing on this hub needs its controller, and ACM describes this set-up' }
  }
  const what = `${count(wouldFreeze.length, 'Application')} need${wouldFreeze.length === 1 ? 's' : ''} the controller of the hub`
  if (atLeast(facts.operator.version, 1, 21) === false) {
    return {
      setup: 'dedicated',
      reason: `${what}, and OpenShift GitOps ${facts.operator.version} cannot run it beside a principal`,
    }
  }
  const unsure = facts.operator.version === '' ? '; check first that OpenShift GitOps is 1.21 or newer' : ''
  return { setup: 'hybrid', reason: `${what}, which goes on in this set-up${unsure}` }
}
