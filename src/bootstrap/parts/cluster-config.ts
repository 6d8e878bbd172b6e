import type { Want } from '../../plan/make-steps.ts'
import { subscriptionVariable } from '../../plan/manifests/subscription.ts'
import type { Blueprint } from '../blueprint.ts'
import { OPERATOR_PACKAGE } from '../hub.ts'

/** Namespaces in which the operator gives an Argo CD rights on the whole cluster (agent-mode.md 1.1). */
export const CLUSTER_CONFIG = 'ARGOCD_CLUSTER_CONFIG_NAMESPACES'
/** What the operator's own definition says; a value of the Subscription replaces it. */
const BY_DEFAULT = 'openshift-gitops'

/** What the operator is told, and by which Subscription. */
interface Told {
  readonly subscription: { readonly namespace: string; readonly name: string } | undefined
  /** Undefined where nothing is set and the operator's own value holds. */
  readonly value: string | undefined
  /** May the Argo CD of the plan have rights on the whole cluster? Undefined where it cannot be told. */
  readonly isAllowed: boolean | undefined
}

/** The list is trimmed, and `*` counts in the first place only. */
function allows(value: string, namespace: string): boolean {
  const names = value.split(',').map(name => name.trim())
  return names[0] === '*' || names.includes(namespace)
}

/** Reads what the operator of the hub is told about the namespace of the plan's Argo CD. */
export function toldOperator({ fleet, argoNamespace }: Blueprint): Told {
  const found = fleet.hub.of('Subscription').all.find(s => s.packageName === OPERATOR_PACKAGE)
  if (found === undefined) {
    // The default instance has its rights however the operator came there.
    return { subscription: undefined, value: undefined, isAllowed: argoNamespace === BY_DEFAULT ? true : undefined }
  }
  const value = found.env[CLUSTER_CONFIG]
  return { subscription: found.meta, value, isAllowed: allows(value ?? BY_DEFAULT, argoNamespace) }
}

/** A principal lists Applications in the whole cluster; outside the operator's list it crashes after a minute. */
export function clusterConfigPart(blueprint: Blueprint): readonly Want[] {
  const { subscription, value, isAllowed } = toldOperator(blueprint)
  const { hub, argoNamespace } = blueprint
  if (subscription === undefined || isAllowed !== false) return []
  const { namespace, name } = subscription
  const wanted = [value ?? BY_DEFAULT, argoNamespace].filter(part => part !== '').join(',')
  return [
    {
      type: 'object',
      section: 'Principal',
      manifest: subscriptionVariable(hub.version, { namespace, name, variable: CLUSTER_CONFIG, value: wanted }),
      shared: true,
      why: `lets the Argo CD of ${argoNamespace} have rights on the whole cluster: its principal lists Applications everywhere`,
      risk: { level: 'low', text: 'the operator restarts and looks at every Argo CD instance; none of them restarts' },
    },
  ]
}
