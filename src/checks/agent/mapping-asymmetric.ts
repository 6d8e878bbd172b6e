import type { Fleet } from '../../fleet/fleet.ts'
import { inputsOf } from '../../fleet/fleet.ts'
import { principals } from '../../fleet/joins/agents.ts'
import type { ArgoCD, Base } from '../../fleet/records.ts'
import type { Check } from '../check.ts'
import { fact, names } from '../support.ts'
import { AGENT_INPUTS, agentRegistrars, notAgentHub } from './agent-support.ts'

interface Side {
  readonly where: Base
  readonly path: string
  readonly settings: NonNullable<ArgoCD['agent']>
  readonly clusters: readonly string[]
}

/** What the agents are told: by the Policy of each GitOpsCluster, and by the ArgoCD on the spoke where that was read. */
function agentSides(fleet: Fleet, principal: Parameters<typeof agentRegistrars>[1]): Side[] {
  const sides: Side[] = []
  for (const r of agentRegistrars(fleet, principal)) {
    const clusters = [...(r.decided?.clusters ?? [])]
    const policy = fleet.hub.of('Policy').get(r.goc.meta.namespace, `${r.goc.meta.name}-argocd-policy`)
    for (const object of policy?.objects ?? []) {
      if (policy !== undefined && object.argocd?.agent?.enabled) {
        sides.push({
          where: policy,
          path: `ArgoCD ${object.name} .spec.argoCDAgent.agent.destinationBasedMapping.enabled`,
          settings: object.argocd.agent,
          clusters,
        })
      }
    }
    for (const cluster of clusters) {
      for (const argo of fleet.spokes.get(cluster)?.of('ArgoCD').all ?? []) {
        if (argo.agent?.enabled)
          sides.push({
            where: argo,
            path: '.spec.argoCDAgent.agent.destinationBasedMapping.enabled',
            settings: argo.agent,
            clusters: [cluster],
          })
      }
    }
  }
  return sides
}

export const mappingAsymmetric: Check = {
  code: 'FLT0803',
  slug: 'mapping-asymmetric',
  title: 'Principal and managed agents agree on destination-based mapping',
  severity: 'error',
  category: 'agent',
  models: ['agent'],
  needs: { hub: ['ArgoCD', 'GitOpsCluster'] },
  uses: inputsOf(AGENT_INPUTS, { hub: ['Policy'], spoke: ['ArgoCD'] }),
  docs: {
    why: 'Destination-based mapping must be on for both sides or off for both. When it is switched off on the principal, that sends a DELETE for every Application at the reconnect of the agents: copies and workloads are gone within two seconds, while the hub goes on saying Synced and Healthy. Autonomous agents never use it.',
    remedy:
      'Set `spec.argoCDAgent.principal.destinationBasedMapping` to what the agents use (ACM: true). The Applications come back within seconds.',
    sources: ['agent-mode 2.6, 8 (A07)', 'seen on running controllers: 2.6'],
  },
  notApplicable: notAgentHub,
  *run(fleet) {
    for (const principal of fleet.join(principals)) {
      const { argo, settings } = principal
      const other = agentSides(fleet, principal).filter(
        s =>
          s.settings.mode !== 'autonomous' && s.settings.destinationBasedMapping !== settings.destinationBasedMapping,
      )
      if (other.length === 0) continue
      const clusters = [...new Set(other.flatMap(s => s.clusters))].sort()
      yield {
        subject: argo.subject,
        message: `Destination-based mapping is ${settings.destinationBasedMapping ? 'on' : 'off'} for principal "${argo.meta.name}" and ${settings.destinationBasedMapping ? 'off' : 'on'} for the agents of ${names(clusters)}.`,
        evidence: [
          fact(argo, '.spec.argoCDAgent.principal.destinationBasedMapping', settings.destinationBasedMapping),
          ...other.slice(0, 6).map(s => fact(s.where, s.path, s.settings.destinationBasedMapping)),
        ],
        effect: settings.destinationBasedMapping
          ? 'live resources of the agents cannot be shown'
          : 'the principal has the agents delete their Applications with their workloads; the hub goes on saying Synced and Healthy',
        fix: `set spec.argoCDAgent.principal.destinationBasedMapping: ${!settings.destinationBasedMapping}`,
        clusters,
      }
    }
  },
}
