import { defineJoin } from '../fleet.ts'
import { groupBy, indexBy } from '../maps.ts'
import type { Application, ManifestStatus, ManifestWork } from '../records.ts'

export const HUB_APP_NAMESPACE = 'apps.open-cluster-management.io/hub-application-namespace'
export const HUB_APP_NAME = 'apps.open-cluster-management.io/hub-application-name'
export const HOSTING_APPSET = 'apps.open-cluster-management.io/hosting-applicationset'
export const WORK_FINALIZER = 'cluster.open-cluster-management.io/manifest-work-cleanup'

/** A ManifestWork that carries an Application (push-pull.md 1.10), with the Application inside and what the spoke says of it. */
export interface WorkLink {
  readonly work: ManifestWork
  /** The namespace of a ManifestWork is its ManagedCluster. */
  readonly cluster: string
  /** `namespace/name` of the hub Application that it was made from. */
  readonly appKey: string
  /** `namespace/name` of the ApplicationSet, or empty. */
  readonly appSetKey: string
  readonly payload: Application | undefined
  readonly status: ManifestStatus | undefined
}

interface Works {
  readonly all: readonly WorkLink[]
  readonly byApp: ReadonlyMap<string, readonly WorkLink[]>
  readonly byAppSet: ReadonlyMap<string, readonly WorkLink[]>
  readonly byCluster: ReadonlyMap<string, readonly WorkLink[]>
  /** By `cluster/name`. */
  readonly byName: ReadonlyMap<string, WorkLink>
  /** By `cluster|namespace/name` of the Application on the spoke. */
  readonly byPayload: ReadonlyMap<string, readonly WorkLink[]>
}

/** Key of an Application on a spoke, by which its ManifestWork is found. */
export function payloadKey(cluster: string, namespace: string, name: string): string {
  return `${cluster}|${namespace}/${name}`
}

/** `<Application>-<first five characters of its uid>`: the name of the ManifestWork of a hub Application, in both flavours. */
export function workName(app: Application): string {
  return `${app.meta.name}-${app.meta.uid.slice(0, 5)}`
}

/** Is it the name of the ManifestWork of that Application? The same as a comparison with `workName`, without making it. */
export function isWorkName(name: string, { meta }: Application): boolean {
  const prefix = meta.name.length
  return (
    name.length === prefix + 1 + Math.min(5, meta.uid.length) &&
    name[prefix] === '-' &&
    name.startsWith(meta.name) &&
    meta.uid.startsWith(name.slice(prefix + 1))
  )
}

/**
 * The status of the Application inside a ManifestWork. Not by index (the Namespace comes first since ACM 2.15) and not by
 * resource alone: `resourceMeta.resource` is empty where the spoke lacks the CRD (push-pull.md 1.10).
 */
function applicationStatus(work: ManifestWork, payload: Application | undefined): ManifestStatus | undefined {
  return work.manifestStatuses.find(
    m =>
      m.group === 'argoproj.io' &&
      (m.resource === 'applications' || m.kind === 'Application') &&
      (payload === undefined || m.name === payload.meta.name),
  )
}

export const works = defineJoin<Works>({ hub: ['ManifestWork'] }, fleet => {
  const all: WorkLink[] = []
  for (const work of fleet.hub.of('ManifestWork').all) {
    const { annotations } = work.meta
    const name = annotations[HUB_APP_NAME]
    if (name === undefined) continue
    const payload = work.applications[0]
    all.push({
      work,
      cluster: work.meta.namespace,
      appKey: `${annotations[HUB_APP_NAMESPACE] ?? ''}/${name}`,
      appSetKey: annotations[HOSTING_APPSET] ?? '',
      payload,
      status: applicationStatus(work, payload),
    })
  }
  return {
    all,
    byApp: groupBy(all, w => w.appKey),
    byAppSet: groupBy(all, w => w.appSetKey),
    byCluster: groupBy(all, w => w.cluster),
    byName: indexBy(all, w => `${w.cluster}/${w.work.meta.name}`),
    byPayload: groupBy(
      all.filter(w => w.payload !== undefined),
      w => payloadKey(w.cluster, w.payload?.meta.namespace ?? '', w.payload?.meta.name ?? ''),
    ),
  }
})
