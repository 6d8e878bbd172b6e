import { PULL_LABEL, PULL_TARGET } from '../../fleet/labels.ts'
import type { Check } from '../check.ts'
import { fact } from '../support.ts'

export const pullPreservesResources: Check = {
  code: 'FLT0305',
  slug: 'pull-preserves-resources',
  title: 'No pull ApplicationSet preserves resources on deletion',
  severity: 'warning',
  category: 'generation',
  models: ['pull'],
  needs: { hub: ['ApplicationSet'] },
  docs: {
    why: 'With `preserveResourcesOnDeletion` the generated Applications have no finalizer. In the pull model the ManifestWork of a cluster that leaves the Placement then stays for ever, and the Application on the spoke goes on syncing; when the cluster returns there are two ManifestWorks for one Application.',
    remedy: 'Leave it off for pull. If removal must not happen, use `applicationsSync: create-update`.',
    sources: ['push-pull 1.10, 1.14, 5 (11)'],
  },
  *run(fleet) {
    for (const appSet of fleet.hub.of('ApplicationSet').all) {
      const { labels, annotations } = appSet.template
      if (!appSet.preserveResourcesOnDeletion || (!(PULL_LABEL in labels) && !(PULL_TARGET in annotations))) continue
      yield {
        subject: appSet.subject,
        message: `Pull ApplicationSet "${appSet.meta.name}" preserves resources on deletion.`,
        evidence: [fact(appSet, '.spec.syncPolicy.preserveResourcesOnDeletion', 'true')],
        effect:
          'clusters that leave the Placement keep their ManifestWork and go on syncing what nobody manages any more',
        fix: 'remove preserveResourcesOnDeletion; to prevent removal set spec.syncPolicy.applicationsSync: create-update',
      }
    }
  },
}
