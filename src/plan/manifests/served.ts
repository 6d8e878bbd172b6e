import { KINDS, type KindName } from '../../fleet/kinds.ts'
import { apiVersion } from '../object.ts'

/** Which API version of a kind a manifest is written in: one that the cluster serves. */
export type ApiVersionOf = (kind: KindName) => string

/** The version that fleetctl prefers, for clusters of which nothing is known. */
export const preferredApiVersion: ApiVersionOf = kind => apiVersion(kind, KINDS[kind].versions[0] ?? 'v1')
