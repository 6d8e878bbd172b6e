import type { KindName } from '../fleet/kinds.ts'
import type { Subject } from '../fleet/subject.ts'
import type { RawObject } from '../raw.ts'
import type { Manifest } from './object.ts'
import type { ObjectReader } from './object-reader.ts'

interface ApplyManifest {
  /** Take over fields that other managers own. */
  readonly force?: boolean
  /** The server checks, admits and answers, and keeps nothing. */
  readonly dryRun?: boolean
  /** Only this very object in this very state; a conflict otherwise. */
  readonly expect?: { readonly uid: string; readonly resourceVersion: string }
}

/** A right that the user needs, as an access review asks for it. */
export interface Access {
  readonly verb: string
  readonly group: string
  readonly resource: string
  /** `status`, `join`, …; empty for the resource itself. */
  readonly subresource: string
  readonly namespace: string
  readonly name: string
}

/** All that a plan does to a cluster. Errors are KubeErrors, so an absent object and a forbidden one are never mixed up. */
export interface ClusterClient extends ObjectReader {
  /** `hub`, or a ManagedCluster's name. */
  readonly cluster: string
  /** Context or address, for people. */
  readonly name: string
  /** The object as it is now, with its managedFields. */
  look(subject: Subject): ReturnType<ObjectReader['look']>
  /** Server-side apply under fleetctl's name, with strict validation; gives the object as it is then. */
  apply(subject: Subject, manifest: Manifest, options?: ApplyManifest): Promise<RawObject>
  /** Merge patch, with strict validation: for fields of others that are to go. */
  patch(subject: Subject, patch: RawObject, options?: Omit<ApplyManifest, 'force'>): Promise<RawObject>
  /** Creates an object, and fails with a conflict where one of its name is there: of two, one wins. */
  create(subject: Subject, manifest: Manifest): Promise<RawObject>
  /** Removes fields from this very object in this very state, and leaves everything else, an emptied map too. */
  takeOut(
    subject: Subject,
    fields: readonly (readonly string[])[],
    expect: { readonly uid: string; readonly resourceVersion: string },
  ): Promise<void>
  /** Deletes this very object, and what it owns with it. */
  remove(subject: Subject, expect: { readonly uid: string; readonly resourceVersion?: string }): Promise<void>
  list(
    kind: KindName,
    options: { readonly namespace: string; readonly labelSelector?: string },
  ): Promise<readonly RawObject[]>
  /** May the user do it? Undefined where the server does not say. */
  allowed(access: Access): Promise<boolean | undefined>
  /** Ends all connections. */
  close(): void
}
