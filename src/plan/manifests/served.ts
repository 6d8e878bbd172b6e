import type { KindName } from '../../fleet/kinds.ts'

/** Which API version of a kind a manifest is written in: one that the cluster serves. */
export type ApiVersionOf = (kind: KindName) => string
