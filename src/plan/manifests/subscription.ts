import type { Manifest } from '../object.ts'
import type { ApiVersionOf } from './served.ts'

/**
 * One variable of an operator's Subscription. OLM takes `spec.config.env` as a whole, so the engine puts the variables
 * that are there beside it (make-steps.ts): the list that is sent is never shorter than the one that is there.
 */
export function subscriptionVariable(
  version: ApiVersionOf,
  input: { readonly namespace: string; readonly name: string; readonly variable: string; readonly value: string },
): Manifest {
  const { namespace, name, variable, value } = input
  return {
    apiVersion: version('Subscription'),
    kind: 'Subscription',
    metadata: { name, namespace },
    spec: { config: { env: [{ name: variable, value }] } },
  }
}
