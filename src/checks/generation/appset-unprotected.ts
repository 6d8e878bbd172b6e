import { appSets } from '../../fleet/joins/appsets.ts'
import { OUTAGE_TAINTS } from '../../fleet/labels.ts'
import type { Placement } from '../../fleet/records.ts'
import type { Check } from '../check.ts'
import { count, fact, names } from '../support.ts'
import { APPSET_NEEDS } from './appset-support.ts'

const KEEPS = new Set(['create-only', 'create-update'])

/** Does the Placement keep a cluster that loses contact for a while? */
function toleratesOutage({ tolerations }: Placement): boolean {
  return OUTAGE_TAINTS.every(key => tolerations.some(t => (t.key === key || t.key === '') && t.operator === 'Exists'))
}

export const appsetUnprotected: Check = {
  code: 'FLT0312',
  slug: 'appset-unprotected',
  title: 'A cluster that drops out of a decision does not lose its workload at once',
  severity: 'warning',
  category: 'generation',
  models: ['push', 'pull', 'agent'],
  needs: { hub: [...(APPSET_NEEDS.hub ?? []), 'Placement'] },
  uses: appSets.inputs,
  docs: {
    why: 'The whole chain can end in deleted workloads: a cluster leaves the decision (a lost label, an edit of the Placement, an outage without tolerations), the ApplicationSet deletes its Application, the finalizer prunes the workload from a cluster that is running well. Tolerations help against outages only; a wrong edit of the Placement takes all clusters at once.',
    remedy:
      'Set `spec.syncPolicy.applicationsSync: create-update`, so that removal takes a decision by a person; for push also `preserveResourcesOnDeletion: true` (not for pull). Tolerate both outage taints in the Placement.',
    sources: ['push-pull 5 (4, 11, 12), 7.2 (A03)', 'failures in the field D-4, D-6, K-1'],
  },
  *run(fleet) {
    for (const link of fleet.join(appSets).all) {
      const { appSet, generators, owned } = link
      if (generators.length === 0 || KEEPS.has(appSet.applicationsSync) || appSet.preserveResourcesOnDeletion) continue
      const found = generators.flatMap(g => g.placements.map(p => p.placement))
      const open = found.filter(p => !toleratesOutage(p))
      if (open.length === 0) continue
      const atRisk = owned.filter(a => a.meta.finalizers.some(f => f.startsWith('resources-finalizer')))
      if (atRisk.length === 0) continue
      yield {
        subject: appSet.subject,
        message: `An outage of five minutes makes ApplicationSet "${appSet.meta.name}" delete the workload of a cluster: Placement ${names(open.map(p => `"${p.meta.name}"`))} does not tolerate it, and nothing keeps the Application.`,
        evidence: [
          ...open.map(p => fact(p, '.spec.tolerations', names(p.tolerations.map(t => t.key || '*')))),
          fact(
            appSet,
            '.spec.syncPolicy.applicationsSync',
            appSet.applicationsSync || 'absent (create, update and delete)',
          ),
          fact(appSet, '', `${count(atRisk.length, 'Application')} with a finalizer that prunes`),
        ],
        effect: `a network fault of one cluster ends in its workload being pruned (${names(atRisk.map(a => a.meta.name))})`,
        fix: 'tolerate both outage taints in the Placement, or set spec.syncPolicy.applicationsSync: create-update',
        because: open.map(p => ({ subject: p.subject })),
        breaks: false,
      }
    }
  },
}
