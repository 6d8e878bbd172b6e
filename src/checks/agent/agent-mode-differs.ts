import type { Fleet } from '../../fleet/fleet.ts'
import { inputsOf } from '../../fleet/fleet.ts'
import { principals } from '../../fleet/joins/agents.ts'
import type { Registrar } from '../../fleet/joins/registration.ts'
import type { Base } from '../../fleet/records.ts'
import { GITOPS_ADDON_CONFIG } from '../../fleet/well-known.ts'
import type { Check } from '../check.ts'
import { fact, names } from '../support.ts'
import { AGENT_INPUTS, agentRegistrars, notAgentHub } from './agent-support.ts'

const MODES = ['managed', 'autonomous']

interface Side {
  readonly where: Base
  readonly path: string
  readonly mode: string
  readonly clusters: readonly string[]
}

/** Everywhere that a mode is written on its way from the GitOpsCluster to the agent. */
function sides(fleet: Fleet, { goc, decided }: Registrar): Side[] {
  const clusters = [...(decided?.clusters ?? [])].sort()
  const policy = fleet.hub.of('Policy').get(goc.meta.namespace, `${goc.meta.name}-argocd-policy`)
  return [
    ...(policy?.objects ?? []).flatMap((o): Side[] =>
      policy !== undefined && o.argocd?.agent?.enabled === true
        ? [
            {
              where: policy,
              path: `ArgoCD ${o.name} .spec.argoCDAgent.agent.client.mode`,
              mode: o.argocd.agent.mode,
              clusters,
            },
          ]
        : [],
    ),
    ...clusters.flatMap((cluster): Side[] => {
      const config = fleet.hub.of('AddOnDeploymentConfig').get(cluster, GITOPS_ADDON_CONFIG)
      const mode = config?.variables.ARGOCD_AGENT_MODE
      const argos = fleet.spokes.get(cluster)?.of('ArgoCD').all ?? []
      return [
        ...(config === undefined || mode === undefined
          ? []
          : [{ where: config, path: '.spec.customizedVariables[ARGOCD_AGENT_MODE]', mode, clusters: [cluster] }]),
        ...argos.flatMap(a =>
          a.agent?.enabled === true
            ? [{ where: a, path: '.spec.argoCDAgent.agent.client.mode', mode: a.agent.mode, clusters: [cluster] }]
            : [],
        ),
      ]
    }),
  ]
}

export const agentModeDiffers: Check = {
  code: 'FLT0818',
  slug: 'agent-mode-differs',
  title: 'Agents run in the mode that their GitOpsCluster says',
  severity: 'warning',
  category: 'agent',
  models: ['agent'],
  needs: { hub: ['ArgoCD', 'GitOpsCluster', 'AddOnDeploymentConfig', 'Policy'] },
  uses: inputsOf(AGENT_INPUTS, { spoke: ['ArgoCD'] }),
  docs: {
    why: 'In managed mode the hub owns the Applications, in autonomous mode the spoke does. The mode goes from the GitOpsCluster into the Policy and the add-on config, and from there to the agent, whose own default is autonomous. An agent in the other mode never gets the Applications of the hub; it sends its own into the namespace of its name instead. There is no enum: an unknown word stops the agent.',
    remedy:
      'Set `spec.gitopsAddon.argoCDAgent.mode`; the controller rewrites Policy and add-on config within half a minute. Correct an ArgoCD on the spoke that nobody enforces.',
    sources: ['agent-mode 1.9, 5 (23, 24), 8 (A24)'],
  },
  notApplicable: notAgentHub,
  *run(fleet) {
    for (const principal of fleet.join(principals)) {
      for (const r of agentRegistrars(fleet, principal)) {
        const { goc } = r
        const wanted = goc.agentMode || 'managed'
        const other = sides(fleet, r).filter(s => (s.mode || 'autonomous') !== wanted)
        const unknown = !MODES.includes(wanted)
        if (other.length === 0 && !unknown) continue
        const clusters = [
          ...new Set(unknown ? [...(r.decided?.clusters ?? [])] : other.flatMap(s => s.clusters)),
        ].sort()
        yield {
          subject: goc.subject,
          message: unknown
            ? `GitOpsCluster "${goc.meta.name}" asks for agent mode "${wanted}", which does not exist.`
            : `GitOpsCluster "${goc.meta.name}" asks for agents in mode ${wanted}, but ${names([...new Set(other.map(s => s.mode || 'autonomous (its default)'))])} is what ${names(clusters)} ${clusters.length === 1 ? 'gets' : 'get'}.`,
          evidence: [
            fact(goc, '.spec.gitopsAddon.argoCDAgent.mode', goc.agentMode || 'empty, so managed'),
            ...other.slice(0, 6).map(s => fact(s.where, s.path, s.mode || 'empty')),
          ],
          effect:
            wanted === 'autonomous'
              ? 'Applications of these clusters do not come to the hub'
              : 'Applications of the hub do not reach these clusters',
          fix: unknown
            ? `set spec.gitopsAddon.argoCDAgent.mode to ${MODES.join(' or ')}`
            : 'let the controller reconcile (change the spec of the GitOpsCluster), or correct the ArgoCD on the spoke',
          because: [{ subject: goc.subject }],
          clusters,
          breaks: false,
        }
      }
    }
  },
}
