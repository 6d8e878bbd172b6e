import type { Manifest } from '../object.ts'
import type { PolicyTemplate } from './policy.ts'
import type { ApiVersionOf } from './served.ts'

/**
 * Objects that the work agent makes and keeps on a cluster. It may write whatever the hub puts here, and takes the objects
 * away with the ManifestWork (push-pull.md 1.11, 6.3).
 */
export function manifestWork(
  version: ApiVersionOf,
  input: { readonly cluster: string; readonly name: string; readonly objects: readonly PolicyTemplate[] },
): Manifest {
  return {
    apiVersion: version('ManifestWork'),
    kind: 'ManifestWork',
    metadata: { name: input.name, namespace: input.cluster },
    spec: { workload: { manifests: [...input.objects] } },
  }
}
