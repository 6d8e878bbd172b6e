import { KINDS, type KindName } from '../fleet/kinds.ts'

/** A kind as one API server serves it. */
export interface Resource {
  readonly group: string
  readonly version: string
  readonly plural: string
  readonly kind: string
  readonly namespaced: boolean
}

export interface ObjectName {
  /** Empty for cluster-scoped kinds. */
  readonly namespace: string
  readonly name: string
}

/** `plural.group`, or the plural alone for the core group. */
export function resourceText(r: Resource): string {
  return r.group === '' ? r.plural : `${r.plural}.${r.group}`
}

/** `group/version`, or the version alone for the core group. */
export function apiVersionOf(r: Resource): string {
  return r.group === '' ? r.version : `${r.group}/${r.version}`
}

/** A kind in the version that we prefer, for servers whose discovery says nothing. */
export function preferredResource(kind: KindName): Resource {
  const { group, plural, versions, namespaced } = KINDS[kind]
  return { group, version: versions[0] ?? 'v1', plural, kind, namespaced }
}

/** Path of a collection (no name), or of one object. */
export function resourcePath(r: Resource, { namespace, name }: ObjectName): string {
  const root = r.group === '' ? `/api/${r.version}` : `/apis/${r.group}/${r.version}`
  const inside = r.namespaced && namespace !== '' ? `/namespaces/${encodeURIComponent(namespace)}` : ''
  return `${root}${inside}/${r.plural}${name === '' ? '' : `/${encodeURIComponent(name)}`}`
}
