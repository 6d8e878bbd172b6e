import type { Fix } from '../fix.ts'

export const addonLeftOverFix: Fix = {
  code: 'FLT0902',
  does: 'delete the Policy of the add-on and the add-on',
  risk: 'Argo CD of the add-on goes from the cluster, and with it whatever its Applications prune',
  safe: false,
  inGit: false,
  kinds: ['Policy', 'ManagedClusterAddOn'],
  repair(input) {
    const { finding, fleet } = input
    const { namespace } = finding.subject
    const policies = fleet.hub
      .of('Policy')
      .in(namespace)
      .filter(p => p.meta.name.endsWith('-argocd-policy'))
    return {
      steps: [
        ...policies.map(p => ({
          does: 'delete' as const,
          subject: p.subject,
          why: 'it would put back what the add-on takes away',
        })),
        { does: 'delete', subject: finding.subject, why: 'no GitOpsCluster gives the add-on to this cluster' },
      ],
      afterwards: `look at what is left on ${namespace}`,
    }
  },
}
