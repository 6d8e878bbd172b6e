import { type Registrar, registration } from '../../fleet/joins/registration.ts'
import { getOrAdd } from '../../fleet/maps.ts'
import type { Check } from '../check.ts'
import { fact, names } from '../support.ts'

/** The one that came last is the one that made the overlap. */
function newest(list: readonly Registrar[]): Registrar | undefined {
  return [...list].sort(
    (a, b) => (b.goc.meta.created ?? 0) - (a.goc.meta.created ?? 0) || (a.goc.meta.name < b.goc.meta.name ? -1 : 1),
  )[0]
}

const WRITES: Readonly<Record<Registrar['writes'], string>> = {
  real: 'secrets with credentials (push)',
  blank: 'blank secrets (pull)',
  agent: 'secrets for agents',
}

export const gocOverlap: Check = {
  code: 'FLT0206',
  slug: 'goc-overlap',
  title: 'No two GitOpsClusters register one cluster in one Argo CD',
  severity: 'error',
  category: 'registration',
  models: ['push', 'pull', 'agent'],
  needs: { hub: ['GitOpsCluster', 'Placement', 'PlacementDecision'] },
  uses: { hub: ['ManagedClusterSetBinding'] },
  docs: {
    why: 'Both write the same secret within each reconcile; the one whose name sorts last wins for the whole cycle, and both are Ready. With blank against real secrets push stops while the Applications still say Synced and Healthy. With different ManagedServiceAccounts there are two secrets with one name, and one is removed or every Application that uses the name fails. Push beside agent makes the push one fail.',
    remedy:
      'Let one GitOpsCluster decide each cluster per Argo CD namespace: exclude the cluster from one of the Placements, or use a single GitOpsCluster.',
    sources: ['push-pull 1.6, 5 (1, 20)', 'agent-mode 2.6', 'seen on running controllers: 1.6'],
  },
  *run(fleet) {
    const groups = new Map<string, { list: readonly Registrar[]; clusters: string[] }>()
    for (const [key, list] of fleet.join(registration).of) {
      if (list.length < 2) continue
      const id = list
        .map(r => r.goc.meta.uid || r.goc.meta.name)
        .sort()
        .join(' ')
      getOrAdd(groups, id, () => ({ list, clusters: [] })).clusters.push(key.slice(key.indexOf('/') + 1))
    }
    for (const { list, clusters } of groups.values()) {
      const last = newest(list)
      if (last === undefined) continue
      const others = list.filter(r => r !== last)
      yield {
        subject: last.goc.subject,
        message: `GitOpsClusters ${names(list.map(r => `"${r.goc.meta.name}"`))} all register ${names([...clusters].sort())} in namespace "${last.argoNamespace}".`,
        evidence: list.map(r =>
          fact(
            r.goc,
            '.spec',
            `Placement ${r.goc.placementRef.name}, ManagedServiceAccount ${r.msa}, writes ${WRITES[r.writes]}`,
          ),
        ),
        effect: 'they overwrite each other at every reconcile, both Ready=True; the one whose name sorts last wins',
        fix: `exclude ${names([...clusters].sort())} from the Placement of ${last.goc.meta.name} or of ${names(others.map(r => r.goc.meta.name))}`,
        clusters,
      }
    }
  },
}
