import { inputsOf } from '../../fleet/fleet.ts'
import { applications } from '../../fleet/joins/applications.ts'
import { placements } from '../../fleet/joins/placements.ts'
import type { KindName } from '../../fleet/kinds.ts'
import { WRITTEN_KINDS } from '../../plan/object-reader.ts'

/** Kinds that a bootstrap reads: those that it writes, and those from which their effect follows. */
export const BOOTSTRAP_KINDS: ReadonlySet<KindName> = new Set<KindName>([
  ...WRITTEN_KINDS,
  ...(inputsOf(applications, placements).hub ?? []),
  'MulticlusterApplicationSetReport',
  'CustomResourceDefinition',
  'ClusterServiceVersion',
])
