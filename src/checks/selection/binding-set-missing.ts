import { selection } from '../../fleet/joins/selection.ts'
import { groupBy } from '../../fleet/maps.ts'
import { missing, subject } from '../../fleet/subject.ts'
import type { Check } from '../check.ts'
import { conditionFact, fact, names } from '../support.ts'

export const bindingSetMissing: Check = {
  code: 'FLT0101',
  slug: 'binding-set-missing',
  title: 'Every ManagedClusterSetBinding binds a set that exists',
  severity: 'error',
  category: 'selection',
  models: ['push', 'pull', 'agent'],
  needs: { hub: ['ManagedClusterSetBinding', 'ManagedClusterSet'] },
  uses: { hub: ['Placement', 'PlacementDecision'] },
  whole: { hub: ['ManagedClusterSet'] },
  docs: {
    why: 'A binding to a set that does not exist counts as no binding at all. The scheduler drops it before it looks at anything else, so Placements of the namespace say `NoManagedClusterSetBindings` although a binding is there.',
    remedy:
      'Create the set, or bind the right one: a binding must be called like its set, so a wrong one is deleted and made anew.',
    sources: ['push-pull 1.3', 'open-cluster-management-io/ocm:pkg/placement/controllers/scheduling/helpers.go'],
  },
  *run(fleet) {
    const sets = fleet.hub.of('ManagedClusterSet')
    const placements = groupBy([...fleet.join(selection).byPlacement.values()], d => d.placement.meta.namespace)
    for (const binding of fleet.hub.of('ManagedClusterSetBinding').all) {
      const { name, namespace } = binding.meta
      if (sets.get('', name) !== undefined) continue
      const asked = (placements.get(namespace) ?? []).map(d => d.placement)
      const unserved = asked.filter(
        p =>
          p.clusterSets.length === 0 ||
          p.clusterSets.includes(name) ||
          p.clusterSets.some(s => sets.get('', s) !== undefined),
      )
      yield {
        subject: binding.subject,
        severity: unserved.length > 0 ? 'error' : 'warning',
        message: `ManagedClusterSetBinding "${name}" in namespace "${namespace}" binds a ManagedClusterSet that does not exist.`,
        evidence: [
          conditionFact(binding, 'Bound'),
          fact(missing(subject('hub', 'ManagedClusterSet', '', name)), '', 'does not exist'),
          ...(asked.length === 0
            ? []
            : [fact(binding, '', `Placements of the namespace: ${names(asked.map(p => p.meta.name))}`)]),
        ],
        effect: `Placements in ${namespace} select no cluster through it; ApplicationSets delete their Applications without an error`,
        fix: `bind the right set in ${namespace} (a binding has the name of its set) and delete this one, or create ManagedClusterSet ${name}`,
        through: unserved.map(p => p.subject),
      }
    }
  },
}
