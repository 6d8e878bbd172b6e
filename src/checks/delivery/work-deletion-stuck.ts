import { condition } from '../../fleet/joins/clusters.ts'
import { works } from '../../fleet/joins/works.ts'
import type { Check } from '../check.ts'
import { ago, conditionFact, fact, MINUTE, names, olderThan } from '../support.ts'
import { waitsForAgent } from '../work-agent.ts'
import { clusterCauses, spokeApp } from './pull-support.ts'

const STUCK_AFTER = 10 * MINUTE

export const workDeletionStuck: Check = {
  code: 'FLT0606',
  slug: 'work-deletion-stuck',
  title: 'No ManifestWork hangs in its deletion',
  severity: 'error',
  category: 'delivery',
  models: ['pull'],
  needs: { hub: ['ManifestWork'] },
  uses: { hub: ['ManagedCluster'] },
  docs: {
    why: 'The work agent deletes what a ManifestWork brought and waits until it is gone. The Application on the spoke carries a finalizer that only the local Argo CD removes: with that controller down, a namespace it does not watch, or a sync that never ends, the work hangs, while the hub Application has long gone.',
    remedy:
      'Mend the Argo CD of the spoke, or end the operation that blocks. Stripping the finalizer of the Application on the spoke leaves its workload behind.',
    sources: ['push-pull 1.11', 'seen on running controllers: 1.11/1.14'],
  },
  *run(fleet) {
    for (const link of fleet.join(works).all) {
      const { work } = link
      const { deleting, name } = work.meta
      // An agent that does not react is a finding of its own.
      if (!olderThan(fleet.now, deleting, STUCK_AFTER) || waitsForAgent(fleet.now, work)) continue
      const spoke = spokeApp(link)
      yield {
        subject: work.subject,
        message: `ManifestWork "${name}" in namespace "${link.cluster}" was deleted ${ago(fleet.now, deleting)} and cannot go.`,
        evidence: [
          fact(work, '.metadata.finalizers', names(work.meta.finalizers)),
          ...(condition(work, 'Deleting') === undefined ? [] : [conditionFact(work, 'Deleting')]),
        ],
        effect: `the Application stays on ${link.cluster}`,
        fix: `on ${link.cluster}: see why Application ${spoke === undefined ? '' : `${spoke.namespace}/${spoke.name} `}cannot be deleted (local Argo CD, running operation)`,
        because: [...(spoke === undefined ? [] : [{ subject: spoke }]), ...clusterCauses(link.cluster)],
      }
    }
  },
}
