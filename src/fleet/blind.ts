import type { Fleet } from './fleet.ts'
import { kindCalled, resourceName } from './kinds.ts'
import type { Subject } from './subject.ts'

/** Why nothing can be said of an object from its absence: its cluster, or its kind there, could not be read. */
export function blindTo(fleet: Fleet, { cluster, kind }: Subject): string | undefined {
  const name = kindCalled(kind)
  if (name === undefined) return undefined
  const view = cluster === 'hub' ? fleet.hub : fleet.spokes.get(cluster)
  if (view === undefined) return `cluster ${cluster} was not read`
  const coverage = view.coverage(name)
  return coverage.state === 'refused' || coverage.state === 'not-recorded'
    ? `${resourceName(name)}: ${coverage.reason}`
    : undefined
}
