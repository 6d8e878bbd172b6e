import type { Fleet } from '../../fleet/fleet.ts'
import { inputsOf } from '../../fleet/fleet.ts'
import { principals } from '../../fleet/joins/agents.ts'
import type { Base } from '../../fleet/records.ts'
import { GITOPS_ADDON_CONFIG } from '../../fleet/well-known.ts'
import type { Check } from '../check.ts'
import { fact, names } from '../support.ts'
import { AGENT_INPUTS, agentDeployments, agentRegistrars, notAgentHub, principalDeployment } from './agent-support.ts'

/** Version in the tag of an image; none for a digest, which says nothing of the version. */
export function versionOf(image: string | undefined): string | undefined {
  return /:v?(\d+\.\d+\.\d+[^@]*)(?:@|$)/.exec(image ?? '')?.[1]
}

interface Side {
  readonly of: Base
  readonly path: string
  readonly image: string
  readonly cluster: string
}

function agentImages(fleet: Fleet, clusters: readonly string[]): Side[] {
  return clusters.flatMap((cluster): Side[] => {
    const view = fleet.spokes.get(cluster)
    const running = view === undefined ? [] : agentDeployments(view)
    // What runs counts; the add-on config only where the spoke was not read.
    if (running.length > 0)
      return running.map(d => ({
        of: d,
        path: '.spec.template.spec.containers[0].image',
        image: d.images[0] ?? '',
        cluster,
      }))
    const config = fleet.hub.of('AddOnDeploymentConfig').get(cluster, GITOPS_ADDON_CONFIG)
    const image = config?.variables.ARGOCD_AGENT_IMAGE
    return config === undefined || image === undefined
      ? []
      : [{ of: config, path: '.spec.customizedVariables[ARGOCD_AGENT_IMAGE]', image, cluster }]
  })
}

export const agentVersionSkew: Check = {
  code: 'FLT0832',
  slug: 'agent-version-skew',
  title: 'Principal and agents are of one version',
  severity: 'warning',
  category: 'agent',
  models: ['agent'],
  needs: { hub: ['ArgoCD', 'Deployment'] },
  uses: inputsOf(AGENT_INPUTS, { hub: ['AddOnDeploymentConfig'], spoke: ['Deployment'] }),
  docs: {
    why: 'Since v0.8.0 the principal refuses an agent whose version string is not exactly its own. On OpenShift spokes the agent is that of the GitOps operator there, whose channel `latest` with automatic approval may run ahead of the hub: then all agents are cut off after an update, pods keep running, and the hub shows nothing. Equal tags can differ and different digests can agree; the log of the principal ("Version mismatch") is certain.',
    remedy:
      'Update OpenShift GitOps on hub and spokes in one window, pin `olmSubscription.channel` with manual approval, or set `spec.argoCDAgent.agent.image` in the Policy to the image of the principal.',
    sources: ['agent-mode 0.1, 5 (21, 22), 6.3 (1), 6.4, 8 (A02)', 'failures in the field L-1'],
  },
  notApplicable: notAgentHub,
  *run(fleet) {
    for (const principal of fleet.join(principals)) {
      const deployment = principalDeployment(fleet, principal)
      const version = versionOf(deployment?.images[0])
      if (deployment === undefined || version === undefined) continue
      const clusters = [
        ...new Set(agentRegistrars(fleet, principal).flatMap(r => [...(r.decided?.clusters ?? [])])),
      ].sort()
      const other = agentImages(fleet, clusters).filter(s => {
        const v = versionOf(s.image)
        return v !== undefined && v !== version
      })
      if (other.length === 0) continue
      yield {
        subject: deployment.subject,
        message: `The principal is of version ${version}, the agents of ${names(other.map(s => `${s.cluster} (${versionOf(s.image)})`))} are not: it refuses them.`,
        evidence: [
          fact(deployment, '.spec.template.spec.containers[0].image', deployment.images[0] ?? ''),
          ...other.slice(0, 6).map(s => fact(s.of, s.path, s.image)),
        ],
        effect:
          'these agents are cut off since the update: nothing is delivered, and their statuses on the hub are old',
        fix: 'bring hub and spokes to one version of OpenShift GitOps (or set spec.argoCDAgent.agent.image in the Policy)',
        because: [{ subject: deployment.subject }],
        clusters: [...new Set(other.map(s => s.cluster))],
        breaks: false,
      }
    }
  },
}
