import { inputsOf } from '../../fleet/fleet.ts'
import { principals } from '../../fleet/joins/agents.ts'
import type { Base } from '../../fleet/records.ts'
import { GITOPS_ADDON_CONFIG } from '../../fleet/well-known.ts'
import type { Check } from '../check.ts'
import { fact, names } from '../support.ts'
import { AGENT_INPUTS, agentRegistrars, notAgentHub } from './agent-support.ts'

interface Told {
  readonly of: Base
  readonly where: string
  readonly address: string
  readonly port: string
  readonly cluster: string
}

export const agentAddressDiffers: Check = {
  code: 'FLT0843',
  slug: 'agent-address-differs',
  title: 'Every agent dials the address that its GitOpsCluster says',
  severity: 'warning',
  category: 'agent',
  models: ['agent'],
  needs: { hub: ['ArgoCD', 'GitOpsCluster', 'Policy', 'AddOnDeploymentConfig'] },
  uses: inputsOf(AGENT_INPUTS, { spoke: ['ArgoCD'] }),
  docs: {
    why: 'Address and port of the principal go from the GitOpsCluster into the Policy and the add-on config of each cluster, and from there into the ArgoCD of the spoke. Where one differs, an agent dials another place: something changed it by hand, or the controller or the Policy does not come through.',
    remedy: 'See that the GitOpsCluster is Ready and the Policy compliant; they write the address anew.',
    sources: ['agent-mode 1.9, 5 (28)'],
  },
  notApplicable: notAgentHub,
  *run(fleet) {
    for (const principal of fleet.join(principals)) {
      for (const { goc, decided } of agentRegistrars(fleet, principal)) {
        if (goc.serverAddress === '' || goc.serverPort === '') continue
        const clusters = [...(decided?.clusters ?? [])].sort()
        const policy = fleet.hub.of('Policy').get(goc.meta.namespace, `${goc.meta.name}-argocd-policy`)
        const told: Told[] = []
        for (const o of policy?.objects ?? []) {
          const agent = o.argocd?.agent
          if (policy !== undefined && agent?.enabled === true)
            told.push({
              of: policy,
              where: `ArgoCD ${o.name} .spec.argoCDAgent.agent.client`,
              address: agent.principalAddress,
              port: agent.principalPort,
              cluster: '',
            })
        }
        for (const cluster of clusters) {
          const config = fleet.hub.of('AddOnDeploymentConfig').get(cluster, GITOPS_ADDON_CONFIG)
          const { ARGOCD_AGENT_SERVER_ADDRESS: address, ARGOCD_AGENT_SERVER_PORT: port } = config?.variables ?? {}
          if (config !== undefined && address !== undefined && port !== undefined)
            told.push({ of: config, where: '.spec.customizedVariables[ARGOCD_AGENT_SERVER_…]', address, port, cluster })
          for (const a of fleet.spokes.get(cluster)?.of('ArgoCD').all ?? []) {
            if (a.agent?.enabled === true)
              told.push({
                of: a,
                where: '.spec.argoCDAgent.agent.client',
                address: a.agent.principalAddress,
                port: a.agent.principalPort,
                cluster,
              })
          }
        }
        const other = told.filter(t => t.address !== goc.serverAddress || t.port !== goc.serverPort)
        if (other.length === 0) continue
        const touched = [...new Set(other.flatMap(t => (t.cluster === '' ? clusters : [t.cluster])))]
        yield {
          subject: goc.subject,
          message: `GitOpsCluster "${goc.meta.name}" says ${goc.serverAddress}:${goc.serverPort}, but ${names([...new Set(other.map(t => `${t.address || 'nothing'}:${t.port}`))])} is what ${names(touched)} ${touched.length === 1 ? 'is' : 'are'} told.`,
          evidence: [
            fact(goc, '.spec.gitopsAddon.argoCDAgent', `${goc.serverAddress}:${goc.serverPort}`),
            ...other.slice(0, 6).map(t => fact(t.of, t.where, `${t.address || 'empty'}:${t.port || 'empty'}`)),
          ],
          effect: 'these agents dial another place than the principal, or will at their next start',
          fix: 'see that the GitOpsCluster is Ready and its Policy compliant; they write the address anew',
          because: [{ subject: goc.subject }],
          clusters: touched,
          breaks: false,
        }
      }
    }
  },
}
