import type { ArgoCD, Base } from '../../fleet/records.ts'
import { ROOT_POLICY } from '../addons/policy-support.ts'
import type { Check } from '../check.ts'
import { fact } from '../support.ts'

/** Settings with which an agent ends at its start (argocd-agent cmd/argocd-agent/agent.go). */
function fault(agent: NonNullable<ArgoCD['agent']>): { readonly text: string; readonly fix: string } | undefined {
  if (!agent.enabled) return undefined
  if (agent.mode === 'autonomous' && agent.destinationBasedMapping)
    return {
      text: 'destination-based mapping is not supported for autonomous agents',
      fix: 'set destinationBasedMapping.enabled: false',
    }
  if (agent.createNamespace && !agent.destinationBasedMapping)
    return {
      text: 'namespaces cannot be created when destination-based mapping is off',
      fix: 'set destinationBasedMapping.enabled: true, or createNamespace: false',
    }
  if (!['', 'managed', 'autonomous'].includes(agent.mode))
    return { text: `mode "${agent.mode}" is unknown`, fix: 'set client.mode to managed or autonomous' }
  return undefined
}

export const agentSettingsRefused: Check = {
  code: 'FLT0833',
  slug: 'agent-settings-refused',
  title: 'Agents have settings with which they start',
  severity: 'error',
  category: 'agent',
  models: ['agent'],
  needs: { hub: ['Policy'] },
  uses: { spoke: ['ArgoCD'] },
  docs: {
    why: 'Some combinations are accepted by the API and refused by the agent at its start: destination-based mapping in autonomous mode, creation of namespaces without that mapping, an unknown mode.',
    remedy: 'Correct the agent block of the ArgoCD, in the Policy of the GitOpsCluster where that enforces it.',
    sources: ['agent-mode 5 (23, 25, 26)'],
  },
  *run(fleet) {
    const all: { of: Base; path: string; agent: NonNullable<ArgoCD['agent']>; cluster: string }[] = []
    // Copies of a policy in the namespaces of clusters say the same as the original.
    for (const policy of fleet.hub.of('Policy').all.filter(p => !(ROOT_POLICY in p.meta.labels)))
      for (const object of policy.objects)
        if (object.argocd?.agent !== undefined)
          all.push({
            of: policy,
            path: `ArgoCD ${object.name} .spec.argoCDAgent.agent`,
            agent: object.argocd.agent,
            cluster: '',
          })
    for (const [cluster, view] of fleet.spokes)
      for (const argo of view.of('ArgoCD').all)
        if (argo.agent !== undefined)
          all.push({ of: argo, path: '.spec.argoCDAgent.agent', agent: argo.agent, cluster })
    for (const { of, path, agent, cluster } of all) {
      const wrong = fault(agent)
      if (wrong === undefined) continue
      yield {
        subject: of.subject,
        message: `${of.subject.kind} "${of.meta.name}"${cluster === '' ? '' : ` on cluster "${cluster}"`} gives an agent settings with which it does not start: ${wrong.text}.`,
        evidence: [
          fact(of, `${path}.client.mode`, agent.mode || 'empty'),
          fact(
            of,
            `${path}.destinationBasedMapping`,
            `enabled=${agent.destinationBasedMapping} createNamespace=${agent.createNamespace}`,
          ),
        ],
        effect: 'the agent ends at each start; nothing is delivered and no status comes back',
        fix: wrong.fix,
        because:
          cluster === '' ? [] : fleet.hub.of('Policy').all.map(p => ({ subject: p.subject, codes: ['FLT0833'] })),
        ...(cluster === '' ? {} : { clusters: [cluster] }),
      }
    }
  },
}
