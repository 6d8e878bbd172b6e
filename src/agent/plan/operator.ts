import { operatorSubscription } from '../../bootstrap/hub.ts'
import type { Fleet } from '../../fleet/fleet.ts'
import { CLUSTER_CONFIG, holdsCredentials, withNamespace } from '../../fleet/operator-namespaces.ts'
import { subject } from '../../fleet/subject.ts'
import { GITOPS_OPERATOR } from '../../fleet/well-known.ts'
import type { Wait, Want } from '../../plan/make-steps.ts'
import type { ApiVersionOf } from '../../plan/manifests/served.ts'
import { SUBSCRIPTION_VARIABLES, subscriptionVariable } from '../../plan/manifests/subscription.ts'

const SECTION = 'Operator'
/** Deployment of the operator of OpenShift GitOps, in the namespace of its Subscription (agent-mode.md 1.1). */
const OPERATOR = `${GITOPS_OPERATOR}-controller-manager`
export interface OperatorPart {
  readonly wants: readonly (Want | Wait)[]
  /** What a person has to do instead; empty where the plan does it. */
  readonly byHand: string
}

const NOTHING: OperatorPart = { wants: [], byHand: '' }

/**
 * Lets the operator give an instance rights in the whole cluster. Only the one variable that acts is written: the
 * `ARGOCD_PRINCIPAL_*` variables that some descriptions put there are read by nobody (agent-mode.md 1.1, 6.1).
 */
export function operatorPart(fleet: Fleet, version: ApiVersionOf, namespace: string): OperatorPart {
  const subscription = operatorSubscription(fleet)
  if (subscription === undefined) {
    const where = 'on the Deployment of the operator: no Subscription of it was seen'
    return { wants: [], byHand: `see that ${CLUSTER_CONFIG} holds ${namespace} ${where}` }
  }
  const value = withNamespace(subscription.env[CLUSTER_CONFIG], namespace)
  if (value === undefined) return NOTHING
  const byHand = `set ${CLUSTER_CONFIG} so that it holds ${namespace} (${value})`
  if (holdsCredentials(subscription.env)) {
    return { wants: [], byHand: `${byHand} in the Subscription yourself: other variables in it hold credentials` }
  }
  const { namespace: at, name } = subscription.meta
  return {
    byHand: '',
    wants: [
      {
        type: 'object',
        section: SECTION,
        manifest: subscriptionVariable(version, { namespace: at, name, variable: CLUSTER_CONFIG, value }),
        items: [SUBSCRIPTION_VARIABLES],
        shared: true,
        // The list is one value, so that whoever wrote any of it owns all of it; what is in it stays.
        force: true,
        why: `${CLUSTER_CONFIG} lets the operator give the principal the right to watch Applications in the whole cluster`,
        risk: { level: 'low', text: 'OLM restarts the operator, which looks at every ArgoCD again' },
      },
      {
        type: 'wait',
        section: SECTION,
        signal: { signal: 'rolled-out', subject: subject('hub', 'Deployment', at, OPERATOR), mentions: value },
        why: 'the operator reads its variables once, when it starts',
        limitSeconds: 300,
      },
    ],
  }
}
