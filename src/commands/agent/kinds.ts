import type { KindName } from '../../fleet/kinds.ts'
import { BOOTSTRAP_KINDS } from '../bootstrap/kinds.ts'

/** Kinds that a switch to agents reads: what it writes, what its effects follow from, and what the operator makes. */
export const AGENT_KINDS: ReadonlySet<KindName> = new Set<KindName>([
  ...BOOTSTRAP_KINDS,
  'AddOnDeploymentConfig',
  'AddOnTemplate',
  'ManagedClusterAddOn',
  'ConfigMap',
  'Deployment',
  'ManifestWork',
  'OperatorGroup',
  'Pod',
  'Policy',
  'Role',
  'RoleBinding',
  'Route',
  'Secret',
  'Service',
])
