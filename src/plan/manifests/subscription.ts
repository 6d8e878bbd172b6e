import type { Manifest } from '../object.ts'
import type { ApiVersionOf } from './served.ts'

/**
 * One variable of an operator's Subscription. OLM takes `spec.config.env` as a whole, so whoever wants it says so
 * (`items: [SUBSCRIPTION_VARIABLES]`), and the variables that are there are sent along.
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

/** The list of variables, and what tells them apart. */
export const SUBSCRIPTION_VARIABLES = { list: ['spec', 'config', 'env'], by: 'name' } as const
