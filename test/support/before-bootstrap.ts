import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'
import { CLUSTER_SET_LABEL } from '../../src/fleet/labels.ts'
import { isObject, type RawObject, textAt } from '../../src/raw.ts'
import { recordedFleet } from './fleets.ts'

/** What a bootstrap makes, and what controllers make of that. */
const MADE = new Set([
  'Application',
  'ApplicationSet',
  'GitOpsCluster',
  'ManifestWork',
  'MulticlusterApplicationSetReport',
  'Placement',
  'PlacementBinding',
  'PlacementDecision',
  'ManagedClusterSetBinding',
  'Policy',
])

function without(object: RawObject, keys: readonly string[]): RawObject {
  return Object.fromEntries(Object.entries(object).filter(([key]) => !keys.includes(key)))
}

function bare(object: RawObject): RawObject | undefined {
  const kind = textAt(object, 'kind')
  if (MADE.has(kind)) return undefined
  if (kind === 'ManagedClusterSet') {
    return ['default', 'global'].includes(textAt(object, 'metadata', 'name')) ? object : undefined
  }
  const metadata = isObject(object.metadata) ? object.metadata : {}
  const labels = isObject(metadata.labels) ? metadata.labels : {}
  if (kind === 'Secret' && labels['argocd.argoproj.io/secret-type'] === 'cluster') return undefined
  if (kind === 'ManagedCluster') {
    return { ...object, metadata: { ...metadata, labels: without(labels, [CLUSTER_SET_LABEL]) } }
  }
  if (kind !== 'ArgoCD' || !isObject(object.spec)) return object
  return { ...object, spec: without(object.spec, ['argoCDAgent', 'controller', 'sourceNamespaces']) }
}

/** Every object that was recorded of the hub of a fleet. */
export function hubObjects(fleet: string): readonly RawObject[] {
  const folder = join(recordedFleet(fleet), 'hub')
  return readdirSync(folder)
    .filter(file => file !== 'index.yaml')
    .flatMap(file => {
      const list: unknown = parse(readFileSync(join(folder, file), 'utf8'))
      const items = isObject(list) && Array.isArray(list.items) ? list.items : []
      return items.filter(isObject)
    })
}

/**
 * The hub of a recorded fleet as it was before anybody set up delivery: its clusters are in no set, and what a bootstrap
 * makes is not there. Made from the recording by leaving out; nothing is added.
 */
export function hubBeforeBootstrap(fleet: string): readonly RawObject[] {
  return hubObjects(fleet)
    .map(bare)
    .filter(object => object !== undefined)
}
