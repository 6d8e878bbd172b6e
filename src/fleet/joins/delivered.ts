import { defineJoin, inputsOf } from '../fleet.ts'
import { applications } from './applications.ts'
import { clusters } from './clusters.ts'
import { works } from './works.ts'

/** Managed clusters, other than the hub, that something is delivered to: the spokes that matter to checks. */
export const deliveredClusters = defineJoin<ReadonlySet<string>>(inputsOf(applications, works, clusters), fleet => {
  const names = new Set<string>()
  // A typo in a target, or a hand-made cluster secret, makes no managed cluster that could have been read.
  const managed = fleet.join(clusters).byName
  const add = (name: string): void => {
    if (managed.size === 0 || managed.has(name)) names.add(name)
  }
  for (const link of fleet.join(applications).all) if (link.cluster !== '' && link.model !== 'local') add(link.cluster)
  for (const work of fleet.join(works).all) add(work.cluster)
  return new Set([...names].sort())
})
