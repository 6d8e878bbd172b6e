import type { Manifest } from '../object.ts'
import type { ApiVersionOf } from './served.ts'

/** Variables of an operator that OLM installed. A server takes the list as one value, so the ones that are there come along. */
export function subscriptionEnv(
  version: ApiVersionOf,
  input: { readonly namespace: string; readonly name: string; readonly env: readonly unknown[] },
): Manifest {
  return {
    apiVersion: version('Subscription'),
    kind: 'Subscription',
    metadata: { name: input.name, namespace: input.namespace },
    spec: { config: { env: [...input.env] } },
  }
}
