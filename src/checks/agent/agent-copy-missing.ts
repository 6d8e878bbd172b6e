import { inputsOf } from '../../fleet/fleet.ts'
import { principals } from '../../fleet/joins/agents.ts'
import { missing, subject } from '../../fleet/subject.ts'
import type { Check } from '../check.ts'
import { ago, fact, olderThan, SECOND } from '../support.ts'
import { AGENT_INPUTS, agentDeployments, managedAgentApps, notAgentHub } from './agent-support.ts'

/** Faults of an Application, or of its template, by which no agent takes it up. */
const OFF_ITS_WAY: readonly string[] = ['FLT0824', 'FLT0825', 'FLT0846', 'FLT0847']
/** Copies reach a connected agent within a second (seen). */
const SENT_WITHIN = 15 * SECOND

export const agentCopyMissing: Check = {
  code: 'FLT0807',
  slug: 'agent-copy-missing',
  title: 'Every managed agent Application is on its spoke',
  severity: 'error',
  category: 'agent',
  models: ['agent'],
  needs: { hub: ['ArgoCD', 'Application'], spoke: ['Application'] },
  uses: inputsOf(AGENT_INPUTS, { spoke: ['Deployment'] }),
  whole: { spoke: ['Application'] },
  docs: {
    why: 'The principal sends an Application to the agent that its `destination.name` names. A copy that is not there was never sent, or was deleted: by a change of the mapping, of the project or of the destination. The hub keeps showing the last status.',
    remedy: 'Look for the fault of the principal, the project or the agent; the copy comes back within seconds.',
    sources: ['agent-mode 4.1, 5 (34-38)'],
  },
  notApplicable: notAgentHub,
  *run(fleet) {
    for (const link of managedAgentApps(fleet)) {
      const view = fleet.spokes.get(link.cluster)
      const { namespace, name, created, deleting } = link.app.meta
      if (view === undefined || deleting !== undefined || !olderThan(fleet.now, created, SENT_WITHIN)) continue
      if (view.of('Application').all.some(a => a.meta.name === name)) continue
      const at = missing(subject(link.cluster, 'Application', namespace, name))
      yield {
        subject: at,
        message: `Application "${name}" is not on cluster "${link.cluster}", although its agent should carry it out.`,
        evidence: [
          fact(at, '', 'does not exist'),
          fact(
            link.app,
            '.status',
            `still ${link.app.sync || 'empty'}/${link.app.health || 'empty'}, reconciled ${ago(fleet.now, link.app.reconciledAt)}`,
          ),
        ],
        effect: 'the workload is not there; what the hub shows is old',
        fix: 'see whether the agent is connected and the principal maps the Application to it',
        because: [
          { subject: link.app.subject, codes: OFF_ITS_WAY },
          ...(link.appSet === undefined ? [] : [{ subject: link.appSet.appSet.subject, codes: OFF_ITS_WAY }]),
          ...fleet
            .join(principals)
            .filter(p => p.argo.meta.namespace === link.argoNamespace)
            .map(p => ({ subject: p.argo.subject })),
          { subject: subject('hub', 'AppProject', link.argoNamespace, link.app.project) },
          ...agentDeployments(view).map(d => ({ subject: d.subject })),
          { subject: subject('hub', 'ManagedCluster', '', link.cluster) },
        ],
        through: [link.app.subject],
      }
    }
  },
}
