import type { Want } from '../../plan/make-steps.ts'
import { namespace as namespaceManifest } from '../../plan/manifests/namespace.ts'
import type { Blueprint } from '../blueprint.ts'

/** A namespace for what follows; nothing where it is there already, so that nobody's labels are touched. */
export function homePart({ fleet }: Blueprint, section: string, namespace: string, why: string): readonly Want[] {
  return fleet.hub.of('Namespace').get('', namespace) === undefined
    ? [{ type: 'object', section, manifest: namespaceManifest(namespace), why }]
    : []
}
