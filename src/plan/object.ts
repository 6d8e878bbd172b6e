import { KINDS, type KindName, kindOf } from '../fleet/kinds.ts'
import type { StringMap } from '../fleet/records.ts'
import { type Subject, subject } from '../fleet/subject.ts'

/** Metadata that fleetctl sets. What a server sets (uid, resourceVersion, times, managedFields) is never part of a manifest. */
interface ManifestMeta {
  readonly name: string
  readonly namespace?: string
  readonly labels?: StringMap
  readonly annotations?: StringMap
}

/** An object, or some fields of one, as fleetctl wants it: what is sent in a server-side apply and written to Git. */
export interface Manifest {
  readonly apiVersion: string
  readonly kind: string
  readonly metadata: ManifestMeta
  readonly [field: string]: unknown
}

/** The kind of a manifest. Every manifest is of a kind of the chain: the builders make no others. */
export function kindOfManifest(manifest: { readonly apiVersion: string; readonly kind: string }): KindName {
  const kind = kindOf(manifest.apiVersion, manifest.kind)
  if (kind === undefined) throw new Error(`no kind of the chain: ${manifest.apiVersion} ${manifest.kind}`)
  return kind
}

/** A manifest as an object of a cluster. */
export function subjectOf(cluster: string, manifest: Manifest): Subject {
  return subject(cluster, kindOfManifest(manifest), manifest.metadata.namespace ?? '', manifest.metadata.name)
}

/** `placement.cluster.open-cluster-management.io/demo`, as kubectl names an object in what it prints. */
export function kubectlName({ group, kind, name }: Subject): string {
  return `${kind.toLowerCase()}${group === '' ? '' : `.${group}`}/${name}`
}

/** `group/version` of a kind; the version alone for the core group. */
export function apiVersion(kind: KindName, version: string): string {
  const { group } = KINDS[kind]
  return group === '' ? version : `${group}/${version}`
}
