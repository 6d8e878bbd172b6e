import { AVAILABLE, clusters, isTrue } from '../../fleet/joins/clusters.ts'
import { groupBy } from '../../fleet/maps.ts'
import type { Check } from '../check.ts'
import { count, fact } from '../support.ts'
import { waitsForAgent, waitText } from '../work-agent.ts'

export const workAgentSilent: Check = {
  code: 'FLT0007',
  slug: 'work-agent-silent',
  title: 'The work agent of every cluster takes up its ManifestWorks',
  severity: 'error',
  category: 'clusters',
  models: ['pull'],
  needs: { hub: ['ManagedCluster', 'ManifestWork'] },
  docs: {
    why: 'Registration and work can run in agents of their own. When only the work agent is down the cluster stays Available and its add-ons stay green; nothing but the ManifestWorks shows it: new ones have neither condition nor finalizer, changed ones have an `observedGeneration` behind, deleted ones hang without a `Deleting` condition. Several at once mean the agent, one alone means that ManifestWork.',
    remedy:
      'On the cluster look at the Deployment `klusterlet-work-agent` (or `klusterlet-agent` in singleton mode) in `open-cluster-management-agent`, its log and its rights on the hub.',
    sources: ['push-pull 1.11', 'seen on running controllers: 1.11'],
  },
  *run(fleet) {
    const { byName } = fleet.join(clusters)
    for (const [name, works] of groupBy(fleet.hub.of('ManifestWork').all, w => w.meta.namespace)) {
      const waiting = works.filter(w => waitsForAgent(fleet.now, w))
      const cluster = byName.get(name)
      // One of several is the matter of that ManifestWork (manifestwork-not-applied).
      if (cluster === undefined || waiting.length === 0 || (waiting.length === 1 && works.length > 1)) continue
      if (cluster.meta.deleting !== undefined) continue
      yield {
        subject: cluster.subject,
        message: `The work agent of cluster "${name}" does not react: ${count(waiting.length, 'ManifestWork')} of ${works.length} wait for it${isTrue(cluster, AVAILABLE) ? ', while the cluster says that it is available' : ''}.`,
        evidence: waiting.slice(0, 10).map(w => fact(w, '.status.conditions', waitText(fleet.now, w))),
        effect: 'changes do not reach the cluster, deletions do not happen, and reported health is frozen',
        fix: `on ${name}: oc -n open-cluster-management-agent get deploy,pods; restart the work agent`,
        because: [{ subject: cluster.subject, codes: ['FLT0001', 'FLT0002', 'FLT0003', 'FLT0006'] }],
        clusters: [name],
      }
    }
  },
}
