import { UsageError } from '../../errors.ts'
import { IN_CLUSTER_SERVER } from '../../fleet/joins/applications.ts'
import { PULL_LABEL, PULL_NAMESPACE, PULL_TARGET, SKIP_RECONCILE } from '../../fleet/labels.ts'
import type { ApplicationSet } from '../../fleet/records.ts'
import { pullMetadata } from '../../plan/manifests/application-set.ts'
import type { Manifest } from '../../plan/object.ts'
import { type RawObject, textAt, valueAt } from '../../raw.ts'
import type { Target } from '../choices.ts'

/** What a template is to have, and what is to go from it. */
interface Conversion {
  readonly manifest: Manifest
  readonly removes: readonly (readonly string[])[]
}

const METADATA = ['spec', 'template', 'metadata'] as const
const DESTINATION = ['spec', 'template', 'spec', 'destination'] as const
/** Generators whose parameters are `name` and `server` of a cluster (push-pull.md 1.8). */
const NAMED = new Set(['clusterDecisionResource', 'clusters'])

const PULL_MARKS: readonly (readonly string[])[] = [
  [...METADATA, 'labels', PULL_LABEL],
  [...METADATA, 'annotations', PULL_TARGET],
  [...METADATA, 'annotations', PULL_NAMESPACE],
  [...METADATA, 'annotations', SKIP_RECONCILE],
]

/** @throws UsageError for a template that fleetctl cannot turn without knowing more */
function checkTemplate(appSet: ApplicationSet, destinationName: string | undefined): void {
  const { namespace, name } = appSet.meta
  if (appSet.hasTemplatePatch) {
    throw new UsageError(
      `ApplicationSet ${namespace}/${name} has a templatePatch, which may set the destination itself; change it by hand`,
    )
  }
  const isNamed = appSet.generatorTypes.length === 1 && appSet.generatorTypes.every(type => NAMED.has(type))
  if (!isNamed && destinationName === undefined) {
    throw new UsageError(
      `ApplicationSet ${namespace}/${name} has generators of which the name of the cluster is not known (${appSet.generatorTypes.join(', ')}); say it with --destination-name, such as {{metadata.labels.name}}`,
    )
  }
}

/**
 * What turns the template of an ApplicationSet into one of another delivery.
 *
 * @param raw the ApplicationSet as the cluster gave it
 * @param destinationName template of the cluster's name, where the generator does not tell
 * @param spokeNamespace pull: namespace of Argo CD on the clusters
 * @throws UsageError where that cannot be told from the template
 */
export function convert(
  appSet: ApplicationSet,
  raw: RawObject,
  target: Target,
  {
    destinationName,
    spokeNamespace,
  }: { readonly destinationName?: string | undefined; readonly spokeNamespace: string },
): Conversion {
  checkTemplate(appSet, destinationName)
  const cluster = destinationName ?? (appSet.goTemplate ? '{{.name}}' : '{{name}}')
  const server = appSet.goTemplate ? '{{.server}}' : '{{server}}'
  const destination: Record<Target, Record<string, string>> = {
    agent: { name: cluster },
    push: { server },
    // The Argo CD that reconciles it runs on the cluster itself.
    pull: { server: IN_CLUSTER_SERVER },
  }
  const marks = target === 'pull' ? { metadata: pullMetadata(cluster, spokeNamespace) } : {}
  const gone = [[...DESTINATION, target === 'agent' ? 'server' : 'name'], ...(target === 'pull' ? [] : PULL_MARKS)]
  const { namespace, name } = appSet.meta
  return {
    manifest: {
      apiVersion: textAt(raw, 'apiVersion'),
      kind: 'ApplicationSet',
      metadata: { name, namespace },
      spec: { template: { ...marks, spec: { destination: destination[target] } } },
    },
    removes: gone.filter(keys => valueAt(raw, ...keys) !== undefined),
  }
}
