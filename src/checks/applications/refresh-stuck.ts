import { applications, skipsReconcile } from '../../fleet/joins/applications.ts'
import { clusters } from '../../fleet/joins/clusters.ts'
import { REFRESH } from '../../fleet/labels.ts'
import type { Check } from '../check.ts'
import { fact } from '../support.ts'

export const refreshStuck: Check = {
  code: 'FLT0408',
  slug: 'refresh-stuck',
  title: 'No refresh waits for a controller that never comes',
  severity: 'info',
  category: 'applications',
  models: ['pull', 'local'],
  needs: { hub: ['Application', 'ManagedCluster'] },
  uses: applications.inputs,
  docs: {
    why: 'A refresh is an annotation that the reconciling Argo CD takes away. The hub never looks at an Application with skip-reconcile, and the propagation controller does not deliver to the hub itself (ACM 2.12 to 2.16): there the button stays grey for ever.',
    remedy: 'Remove the annotation; keep the hub out of the Placement of pull ApplicationSets.',
    sources: ['failures in the field F-3', 'push-pull 1.10 (5)'],
  },
  *run(fleet) {
    const { localName } = fleet.join(clusters)
    for (const { app, cluster, pullComplete } of fleet.join(applications).all) {
      const wanted = app.meta.annotations[REFRESH]
      if (wanted === undefined || !skipsReconcile(app) || (pullComplete && cluster !== localName)) continue
      yield {
        subject: app.subject,
        message: `Application "${app.meta.name}" waits for a ${wanted} refresh that nobody makes: the hub skips it${cluster !== '' && cluster === localName ? ', and it targets the hub itself' : ''}.`,
        evidence: [fact(app, `.metadata.annotations[${REFRESH}]`, wanted)],
        effect: 'the refresh in the user interface never ends',
        fix: `oc -n ${app.meta.namespace} annotate applications.argoproj.io ${app.meta.name} ${REFRESH}-`,
        because: [{ subject: app.subject }],
        breaks: false,
      }
    }
  },
}
