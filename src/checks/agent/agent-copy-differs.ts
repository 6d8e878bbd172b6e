import { inputsOf } from '../../fleet/fleet.ts'
import { principals } from '../../fleet/joins/agents.ts'
import { IN_CLUSTER_SERVER } from '../../fleet/joins/applications.ts'
import type { Application } from '../../fleet/records.ts'
import { subject } from '../../fleet/subject.ts'
import type { Check, Evidence } from '../check.ts'
import { fact } from '../support.ts'
import { AGENT_INPUTS, agentDeployments, managedAgentApps, notAgentHub } from './agent-support.ts'

function differences(hub: Application, copy: Application): Evidence[] {
  const found: Evidence[] = []
  const compare = (path: string, wanted: string, is: string): void => {
    if (wanted !== is) found.push(fact(copy, path, `${is || 'absent'}, the hub says ${wanted || 'nothing'}`))
  }
  compare('.spec.project', hub.project, copy.project)
  for (const [i, source] of hub.sources.entries()) {
    compare(`.spec.source[${i}].repoURL`, source.repoURL, copy.sources[i]?.repoURL ?? '')
    compare(`.spec.source[${i}].path`, source.path, copy.sources[i]?.path ?? '')
    compare(`.spec.source[${i}].chart`, source.chart, copy.sources[i]?.chart ?? '')
    compare(`.spec.source[${i}].targetRevision`, source.targetRevision, copy.sources[i]?.targetRevision ?? '')
  }
  // The principal makes every destination the spoke itself (agent-mode.md 4.1, H7).
  const { server, name, namespace } = copy.destination
  if (name !== 'in-cluster' && server !== IN_CLUSTER_SERVER)
    found.push(fact(copy, '.spec.destination', `server=${server || '-'} name=${name || '-'}`))
  compare('.spec.destination.namespace', hub.destination.namespace, namespace)
  const kept = (app: Application): boolean => app.meta.finalizers.some(f => f.startsWith('resources-finalizer'))
  if (kept(hub) && !kept(copy)) found.push(fact(copy, '.metadata.finalizers', 'absent: a deletion leaves the workload'))
  const policy = ({ syncPolicy: p }: Application): string =>
    `enabled=${p.automated} prune=${p.prune} selfHeal=${p.selfHeal}`
  compare('.spec.syncPolicy.automated', policy(hub), policy(copy))
  return found
}

export const agentCopyDiffers: Check = {
  code: 'FLT0845',
  slug: 'agent-copy-differs',
  title: 'Agents carry out what the hub says',
  severity: 'warning',
  category: 'agent',
  models: ['agent'],
  needs: { hub: ['ArgoCD', 'Application'], spoke: ['Application'] },
  uses: inputsOf(AGENT_INPUTS, { spoke: ['Deployment'] }),
  docs: {
    why: 'The agent brings its copy of an Application back to what the hub says within a second, also after a change by hand on the spoke. A copy that differs was changed on the hub while the agent was away, or on the spoke while it did not look.',
    remedy: 'See that the agent is connected; when it connects anew it compares all copies.',
    sources: ['agent-mode 4.1, 4.4'],
  },
  notApplicable: notAgentHub,
  *run(fleet) {
    for (const { argo, settings } of fleet.join(principals)) {
      // Without destination-based mapping names and projects are other ones on the spoke.
      if (!settings.destinationBasedMapping) continue
      const { namespace } = argo.meta
      for (const link of managedAgentApps(fleet)) {
        if (link.argoNamespace !== namespace || link.app.meta.deleting !== undefined) continue
        const view = fleet.spokes.get(link.cluster)
        const { meta } = link.app
        const copies = view?.of('Application').all.filter(a => a.meta.name === meta.name) ?? []
        const copy = copies.find(a => a.meta.namespace === meta.namespace) ?? copies[0]
        if (view === undefined || copy === undefined || copy.meta.deleting !== undefined) continue
        const found = differences(link.app, copy)
        if (found.length === 0) continue
        yield {
          subject: copy.subject,
          message: `Application "${meta.name}" on cluster "${link.cluster}" is not what the hub says (${found.map(f => f.path).join(', ')}).`,
          evidence: found.slice(0, 6),
          effect: 'the cluster gets something else than the hub shows',
          fix: 'see that the agent is connected; restart it to compare all copies',
          because: [
            { subject: argo.subject },
            ...agentDeployments(view).map(d => ({ subject: d.subject })),
            { subject: subject('hub', 'ManagedCluster', '', link.cluster) },
          ],
          through: [link.app.subject],
          breaks: false,
        }
      }
    }
  },
}
