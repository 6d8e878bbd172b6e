import { isObject, type RawObject, valueAt } from '../raw.ts'
import type { Manifest } from './object.ts'
import type { ObjectReader } from './object-reader.ts'
import { objectSteps, type Plan } from './plan.ts'
import { merge, wishOf } from './values.ts'

/** Keeps Argo CD from dropping what a file does not name, and from deleting an object that belongs to others. */
const SHARED_OPTIONS = { 'argocd.argoproj.io/sync-options': 'ServerSideApply=true,Prune=false,Delete=false' }

/** What a file of a ManagedCluster holds besides its labels: without it a client-side apply could end its acceptance. */
function clusterFields(actual: RawObject): RawObject {
  const hubAcceptsClient = valueAt(actual, 'spec', 'hubAcceptsClient')
  return typeof hubAcceptsClient === 'boolean' ? { spec: { hubAcceptsClient } } : {}
}

function withoutKeys(object: RawObject, [key, ...rest]: readonly string[]): RawObject {
  if (key === undefined || object[key] === undefined) return object
  const { [key]: inner, ...others } = object
  return rest.length === 0 || !isObject(inner) ? others : { ...others, [key]: withoutKeys(inner, rest) }
}

/**
 * An object of others as a file for Git: whole, so that applying the file loses nothing. Of a ManagedCluster only what is
 * wanted of it: the rest (labels of its version, taints, addresses) changes by itself and would be put back from Git.
 */
function wholeFor(manifest: Manifest, actual: RawObject, removes: readonly (readonly string[])[]): Manifest {
  const wish = manifest.kind === 'ManagedCluster' ? clusterFields(actual) : wishOf(actual)
  const base = removes.reduce(withoutKeys, wish)
  const merged = merge(merge(base, manifest), { metadata: { annotations: SHARED_OPTIONS } })
  const { apiVersion, kind, metadata } = manifest
  if (!isObject(merged)) return manifest
  const { apiVersion: _v, kind: _k, metadata: whole, ...rest } = merged
  // What is merged over metadata keeps its shape.
  return { apiVersion, kind, metadata: { ...metadata, ...(whole as Manifest['metadata']) }, ...rest }
}

/**
 * Files of objects that belong to others as well, by the number of the step. They are read for the files alone and are no
 * part of the plan: an object of others may hold what is nobody's business in a saved plan.
 */
export async function filesForGit(plan: Plan, reader: ObjectReader): Promise<ReadonlyMap<number, Manifest>> {
  const files = new Map<number, Manifest>()
  for (const { number, subject, manifest, shared, removes = [] } of objectSteps(plan)) {
    // The whole of a Secret would be its data.
    const seen = shared && manifest.kind !== 'Secret' ? await reader.look(subject) : undefined
    if (seen?.state === 'present') files.set(number, wholeFor(manifest, seen.object, removes))
  }
  return files
}
