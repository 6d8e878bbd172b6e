import { KINDS } from '../fleet/kinds.ts'
import { CLUSTER_SET_LABEL } from '../fleet/labels.ts'
import type { Access } from './cluster-client.ts'
import { kindOfManifest } from './object.ts'
import type { ObjectStep, Plan } from './plan.ts'
import { writes } from './plan.ts'

const CLUSTER = 'cluster.open-cluster-management.io'

/** Checked by admission webhooks, beside the rights on the objects themselves (push-pull.md 6.3). */
function subresources({ manifest, changes, action }: ObjectStep): readonly Access[] {
  const sets = { verb: 'create', group: CLUSTER, resource: 'managedclustersets', namespace: '' }
  if (manifest.kind === 'ManagedClusterSetBinding' && action === 'create') {
    return [{ ...sets, subresource: 'bind', name: manifest.metadata.name }]
  }
  const label = changes.find(change => change.keys.at(-1) === CLUSTER_SET_LABEL)
  if (manifest.kind !== 'ManagedCluster' || label === undefined) return []
  // Whoever moves a cluster needs the right on the old set and on the new one.
  return [label.from, label.to]
    .filter(name => typeof name === 'string' && name !== '')
    .map(name => ({ ...sets, subresource: 'join', name: String(name) }))
}

function ownAccess(step: ObjectStep): readonly Access[] {
  const { group, plural } = KINDS[kindOfManifest(step.manifest)]
  const { namespace, name } = step.subject
  const of = (verb: string, named = name): Access => ({
    verb,
    group,
    resource: plural,
    subresource: '',
    namespace,
    name: named,
  })
  if (step.action === 'delete') return [of('get'), of('delete')]
  // A server-side apply is a patch; where the object is not there it is a creation as well, which knows no name.
  return step.action === 'create' ? [of('get'), of('patch'), of('create', '')] : [of('get'), of('patch')]
}

/** Rights that a step needs. */
export function accessFor(step: ObjectStep): readonly Access[] {
  return step.action === 'unchanged' ? [] : [...ownAccess(step), ...subresources(step)]
}

/** `create managedclustersets/bind "demo"`, as a person reads it. */
export function accessText({ verb, group, resource, subresource, namespace, name }: Access): string {
  const what = `${resource}${subresource === '' ? '' : `/${subresource}`}${group === '' ? '' : `.${group}`}`
  return `${verb} ${what}${name === '' ? '' : ` "${name}"`}${namespace === '' ? '' : ` in ${namespace}`}`
}

/** Rights that the whole plan needs, each once. */
export function permissionsOf(plan: Plan): readonly { readonly step: ObjectStep; readonly access: Access }[] {
  const seen = new Set<string>()
  return writes(plan).flatMap(step =>
    accessFor(step).flatMap(access => {
      const key = accessText(access)
      if (seen.has(key)) return []
      seen.add(key)
      return [{ step, access }]
    }),
  )
}
