import { inputsOf } from '../../fleet/fleet.ts'
import { applications } from '../../fleet/joins/applications.ts'
import { clusters } from '../../fleet/joins/clusters.ts'
import { flavour } from '../../fleet/joins/flavour.ts'
import { selection } from '../../fleet/joins/selection.ts'
import { isWorkName, workName, works } from '../../fleet/joins/works.ts'
import { missing, subject } from '../../fleet/subject.ts'
import type { Check } from '../check.ts'
import { ago, fact, olderThan, SECOND } from '../support.ts'
import { clusterCauses, PULL_INPUTS, propagationCauses } from './pull-support.ts'

/** The propagation controller writes a ManifestWork within a second (seen). */
const WRITTEN_WITHIN = 15 * SECOND

export const workMissing: Check = {
  code: 'FLT0601',
  slug: 'work-missing',
  title: 'Every pull Application has its ManifestWork',
  severity: 'error',
  category: 'delivery',
  models: ['pull'],
  needs: { hub: ['Application', 'ManifestWork', 'ManagedCluster'] },
  uses: inputsOf(PULL_INPUTS, flavour),
  whole: { hub: ['ManifestWork'] },
  perObject: ['ManifestWork'],
  docs: {
    why: 'The propagation controller turns a pull Application into a ManifestWork in the namespace of its cluster within a second. When the Application passes every gate and there is none, the controller does not run, or the work was deleted by hand: then it comes back only when the Application changes.',
    remedy:
      'Look at the pull controllers (Deployment `multicluster-integrations` in ACM, `argocd-pull-integration` upstream). If they run, touch the Application.',
    sources: ['push-pull 1.10, 4.1', 'seen on running controllers: 1.10'],
  },
  *run(fleet) {
    const managed = fleet.join(clusters)
    const { byApp, byName } = fleet.join(works)
    const { decidedIn } = fleet.join(selection)
    const gated = fleet.join(flavour) === 'acm'
    for (const link of fleet.join(applications).all) {
      const { app, cluster } = link
      if (!link.pullComplete || app.meta.deleting !== undefined || !managed.byName.has(cluster)) continue
      // Saved without its uid, an Application does not tell what its ManifestWork is called.
      if (app.meta.uid === '') continue
      // Some releases leave the hub itself out (push-pull.md 1.10, gate 5), and a gated Application has its own finding.
      if (cluster === managed.localName || (gated && decidedIn.get(app.meta.namespace)?.has(cluster) !== true)) continue
      if (byApp.get(link.key)?.some(w => w.cluster === cluster && isWorkName(w.work.meta.name, app))) continue
      const name = workName(app)
      if (byName.has(`${cluster}/${name}`) || !olderThan(fleet.now, app.meta.created, WRITTEN_WITHIN)) continue
      const at = missing(subject('hub', 'ManifestWork', cluster, name))
      yield {
        subject: at,
        message: `Pull Application "${app.meta.name}" in namespace "${app.meta.namespace}" has no ManifestWork "${name}" in namespace "${cluster}" (created ${ago(fleet.now, app.meta.created)}).`,
        evidence: [
          fact(app, '', `label and target annotation are right, target ${cluster}`),
          fact(at, '', 'does not exist'),
        ],
        effect: `nothing is delivered to ${cluster}`,
        fix: 'see that the propagation controller runs, then touch the Application',
        because: [...propagationCauses(fleet, link), ...clusterCauses(cluster)],
        through: [app.subject],
      }
    }
  },
}
