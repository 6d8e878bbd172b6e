import type { Check } from '../check.ts'
import { fact } from '../support.ts'

export const bindingNameDiffers: Check = {
  code: 'FLT0111',
  slug: 'binding-name-differs',
  title: 'Every ManagedClusterSetBinding has the name of the set that it binds',
  severity: 'warning',
  category: 'selection',
  models: ['push', 'pull', 'agent'],
  needs: { hub: ['ManagedClusterSetBinding'] },
  docs: {
    why: 'The scheduler looks a set up by the name of the binding and never at `spec.clusterSet`. The webhook of OCM refuses a binding whose name differs; where that webhook does not run, such a binding binds the set of its name, or none.',
    remedy: 'Create a binding that is called like its set, and delete this one.',
    sources: ['push-pull 1.3', 'open-cluster-management-io/ocm:pkg/placement/controllers/scheduling/helpers.go'],
  },
  *run(fleet) {
    for (const binding of fleet.hub.of('ManagedClusterSetBinding').all) {
      const { name, namespace } = binding.meta
      if (binding.clusterSet === '' || binding.clusterSet === name) continue
      yield {
        subject: binding.subject,
        message: `ManagedClusterSetBinding "${name}" in namespace "${namespace}" says set "${binding.clusterSet}", but the scheduler takes it for set "${name}".`,
        evidence: [fact(binding, '.metadata.name', name), fact(binding, '.spec.clusterSet', binding.clusterSet)],
        effect: `Placements in ${namespace} do not select clusters of ${binding.clusterSet} through it`,
        fix: `create ManagedClusterSetBinding ${binding.clusterSet} in ${namespace} and delete this one`,
        breaks: false,
      }
    }
  },
}
