import {
  allowsNamespace,
  CLUSTER_CONFIG,
  CLUSTER_CONFIG_DEFAULT,
  holdsCredentials,
  withNamespace,
} from '../../fleet/operator-namespaces.ts'
import type { Subscription } from '../../fleet/records.ts'
import type { Want } from '../../plan/make-steps.ts'
import { SUBSCRIPTION_VARIABLES, subscriptionVariable } from '../../plan/manifests/subscription.ts'
import type { Blueprint } from '../blueprint.ts'
import { operatorSubscription } from '../hub.ts'

/** What the operator is told, and by which Subscription. */
interface Told {
  readonly subscription: Subscription | undefined
  /** Undefined where nothing is set and the operator's own value holds. */
  readonly value: string | undefined
  /** May the Argo CD of the plan have rights on the whole cluster? Undefined where it cannot be told. */
  readonly isAllowed: boolean | undefined
}

/** Reads what the operator of the hub is told about the namespace of the plan's Argo CD. */
export function toldOperator({ fleet, argoNamespace }: Blueprint): Told {
  const found = operatorSubscription(fleet)
  if (found === undefined) {
    // The default instance has its rights however the operator came there.
    return {
      subscription: undefined,
      value: undefined,
      isAllowed: argoNamespace === CLUSTER_CONFIG_DEFAULT ? true : undefined,
    }
  }
  const value = found.env[CLUSTER_CONFIG]
  return { subscription: found, value, isAllowed: allowsNamespace(value, argoNamespace) }
}

/** A principal lists Applications in the whole cluster; outside the operator's list it crashes after a minute. */
export function clusterConfigPart(blueprint: Blueprint): readonly Want[] {
  const { subscription, value, isAllowed } = toldOperator(blueprint)
  const { hub, argoNamespace } = blueprint
  const wanted = withNamespace(value, argoNamespace)
  if (subscription === undefined || isAllowed !== false || wanted === undefined) return []
  if (holdsCredentials(subscription.env)) return []
  const { namespace, name } = subscription.meta
  return [
    {
      type: 'object',
      section: 'Principal',
      manifest: subscriptionVariable(hub.version, { namespace, name, variable: CLUSTER_CONFIG, value: wanted }),
      items: [SUBSCRIPTION_VARIABLES],
      shared: true,
      why: `lets the Argo CD of ${argoNamespace} have rights on the whole cluster: its principal lists Applications everywhere`,
      risk: { level: 'low', text: 'the operator restarts and looks at every Argo CD instance; none of them restarts' },
    },
  ]
}
