import { listed } from '../../bootstrap/names.ts'
import { UsageError } from '../../errors.ts'
import type { Fleet } from '../../fleet/fleet.ts'
import { clusters as clustersJoin } from '../../fleet/joins/clusters.ts'
import { type Registrar, registration } from '../../fleet/joins/registration.ts'
import type { ManagedCluster } from '../../fleet/records.ts'
import { didYouMean } from '../../ui/nearest.ts'

/** The GitOpsCluster that registers agents. @throws UsageError where there is none, or several */
export function agentRegistrar(fleet: Fleet, wanted: string | undefined): Registrar {
  const all = fleet
    .join(registration)
    .all.filter(r => r.writes === 'agent' && (wanted ?? r.goc.meta.name) === r.goc.meta.name)
  const [only, ...more] = all
  if (only === undefined) {
    throw new UsageError('no GitOpsCluster registers agents on this hub; switch it first with "agent enable"')
  }
  if (more.length > 0) {
    throw new UsageError(
      `several GitOpsClusters register agents: ${listed(all.map(r => r.goc.meta.name))}; name one with --gitopscluster`,
    )
  }
  return only
}

/** @throws UsageError for one that is not there */
export function managedCluster(fleet: Fleet, name: string): ManagedCluster {
  const { byName } = fleet.join(clustersJoin)
  const found = byName.get(name)
  if (found !== undefined) return found
  const known = [...byName.keys()].sort()
  throw new UsageError(
    `there is no managed cluster "${name}"${didYouMean(name, known, `; the hub has ${listed(known)}`)}`,
  )
}
