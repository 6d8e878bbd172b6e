import { IN_CLUSTER_SERVER, parsesTrue } from '../../fleet/joins/applications.ts'
import { appSets } from '../../fleet/joins/appsets.ts'
import { PULL_LABEL, SKIP_RECONCILE } from '../../fleet/labels.ts'
import type { Check } from '../check.ts'
import { fact } from '../support.ts'

export const pullDestinationMisleading: Check = {
  code: 'FLT0410',
  slug: 'pull-destination-misleading',
  title: 'Templates of pull Applications say that they deploy in place',
  severity: 'info',
  category: 'applications',
  models: ['pull'],
  needs: { hub: ['ApplicationSet'] },
  uses: appSets.inputs,
  docs: {
    why: 'What is delivered always has destination `https://kubernetes.default.svc`; whatever the hub Application says is overwritten. With `{{server}}` it is harmless as long as skip-reconcile is there, and a push by the hub to the same objects as soon as that annotation is lost.',
    remedy: 'Write `server: https://kubernetes.default.svc` into the template.',
    sources: ['push-pull 1.10', 'failures in the field F-8'],
  },
  *run(fleet) {
    for (const { appSet } of fleet.join(appSets).all) {
      const { labels, annotations, destination } = appSet.template
      if (!parsesTrue(labels[PULL_LABEL]) || !parsesTrue(annotations[SKIP_RECONCILE])) continue
      const { server, name } = destination
      if ((server === IN_CLUSTER_SERVER && name === '') || name === 'in-cluster' || (server === '' && name === ''))
        continue
      yield {
        subject: appSet.subject,
        message: `The template of pull ApplicationSet "${appSet.meta.name}" has destination "${server || name}", which is not used: every cluster deploys in place.`,
        evidence: [fact(appSet, '.spec.template.spec.destination', `server=${server || '-'} name=${name || '-'}`)],
        effect: 'none now; if skip-reconcile is lost the hub pushes to the same objects',
        fix: `set spec.template.spec.destination.server: ${IN_CLUSTER_SERVER}`,
        because: [{ subject: appSet.subject }],
        breaks: false,
      }
    }
  },
}
