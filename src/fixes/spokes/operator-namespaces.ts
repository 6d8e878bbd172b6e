import type { Fleet } from '../../fleet/fleet.ts'
import { CLUSTER_CONFIG, holdsCredentials, namespacesIn } from '../../fleet/operator-namespaces.ts'
import { isObject } from '../../raw.ts'
import { edit, listOf, NOT_SEEN } from '../edits.ts'
import type { FixInput, Repair } from '../fix.ts'

/** The Subscription on the hub that tells the operator of Argo CD its namespaces. */
function subscriptionOf(fleet: Fleet) {
  const found = fleet.hub.of('Subscription').all.filter(s => CLUSTER_CONFIG in s.env)
  return found.length === 1 ? found[0] : undefined
}

export const NO_SUBSCRIPTION = `there is not exactly one Subscription that sets ${CLUSTER_CONFIG}`

/** Can the namespaces of the operator be set, that is, does exactly one Subscription set them? */
export function hasSubscription(fleet: Fleet): boolean {
  return subscriptionOf(fleet) !== undefined
}

/** Lets the operator give the Argo CD of a namespace rights on the whole cluster. */
export function allowClusterConfig(input: FixInput, namespace: string): Repair | string {
  const subscription = subscriptionOf(input.fleet)
  if (subscription === undefined) return NO_SUBSCRIPTION
  const env = listOf(input, subscription.subject, 'spec', 'config', 'env')
  if (env === undefined) return NOT_SEEN
  if (holdsCredentials(subscription.env))
    return `other variables of the Subscription hold credentials; set ${CLUSTER_CONFIG} there yourself`
  const told = namespacesIn(subscription.env[CLUSTER_CONFIG] ?? '')
  const value = [...new Set([...told, namespace])].join(',')
  const changed = env.map(e => (isObject(e) && e.name === CLUSTER_CONFIG ? { ...e, value } : e))
  const fields = { spec: { config: { env: changed } } }
  return {
    steps: [edit(input, subscription.subject, fields, 'only there may an Argo CD have rights on the whole cluster')],
  }
}
