import type { Fleet } from '../../fleet/fleet.ts'
import { inputsOf } from '../../fleet/fleet.ts'
import { type AppLink, applications } from '../../fleet/joins/applications.ts'
import { clusters } from '../../fleet/joins/clusters.ts'
import { OCM_CLUSTER_NAME, PULL_TARGET } from '../../fleet/labels.ts'
import { groupBy } from '../../fleet/maps.ts'
import { hasTemplate } from '../../fleet/render.ts'
import type { Check } from '../check.ts'
import { fact, names } from '../support.ts'

/** The namespace of a detached cluster stays on the hub (push-pull.md 1.1), so it tells a cluster that was from one that never was. */
function wasManaged(fleet: Fleet, cluster: string): boolean {
  return fleet.hub.of('Namespace').get('', cluster)?.meta.labels[OCM_CLUSTER_NAME] === cluster
}

export const pullTargetUnknown: Check = {
  code: 'FLT0401',
  slug: 'pull-target-unknown',
  title: 'Every pull Application targets a ManagedCluster that exists',
  severity: 'error',
  category: 'applications',
  models: ['pull'],
  needs: { hub: ['Application', 'ManagedCluster'] },
  uses: inputsOf(applications, { hub: ['Namespace'] }),
  whole: { hub: ['ManagedCluster'] },
  docs: {
    why: 'The target annotation must be the name of a ManagedCluster. With a typo, an added suffix or a template expression that was not rendered, no ManifestWork is made; only the controller log says so. After a cluster was detached its Application stays until the ApplicationSet requeues and still claims to be Synced and Healthy.',
    remedy:
      'Correct the annotation in the template (`{{name}}`, or `{{.name}}` with goTemplate). For a detached cluster wait for the next requeue, or import it again.',
    sources: ['push-pull 1.10 (6), 1.14'],
  },
  *run(fleet) {
    const { byName } = fleet.join(clusters)
    const unknown = fleet
      .join(applications)
      .all.filter(
        l => l.model === 'pull' && l.cluster !== '' && !byName.has(l.cluster) && l.app.meta.deleting === undefined,
      )
    const message = (link: AppLink): string =>
      wasManaged(fleet, link.cluster)
        ? `Application "${link.app.meta.name}" targets ManagedCluster "${link.cluster}", which was detached; what it reports is old.`
        : `Application "${link.app.meta.name}" targets ManagedCluster "${link.cluster}", which does not exist.`
    for (const [key, list] of groupBy(unknown, l =>
      l.appSet === undefined || wasManaged(fleet, l.cluster)
        ? ''
        : `${l.appSet.appSet.meta.namespace}/${l.appSet.appSet.meta.name}`,
    )) {
      const template = list[0]?.appSet
      if (key !== '' && template !== undefined) {
        const text = template.appSet.template.annotations[PULL_TARGET] ?? ''
        yield {
          subject: template.appSet.subject,
          message: `The template of ApplicationSet "${template.appSet.meta.name}" sets the target "${text}", which gives ${names(list.map(l => `"${l.cluster}"`))}: no such ManagedCluster.`,
          evidence: [
            fact(template.appSet, `.spec.template.metadata.annotations[${PULL_TARGET}]`, text),
            ...list.slice(0, 5).map(l => fact(l.app, `.metadata.annotations[${PULL_TARGET}]`, l.cluster)),
          ],
          effect: 'no ManifestWork is made for these Applications, and only the controller log says so',
          fix: `set the annotation to the cluster's name: ${template.appSet.goTemplate ? "'{{.name}}'" : "'{{name}}'"}${list.some(l => hasTemplate(l.cluster)) ? ' (the expression was not rendered)' : ''}`,
        }
        continue
      }
      for (const link of list) {
        yield {
          subject: link.app.subject,
          message: message(link),
          evidence: [
            fact(link.app, `.metadata.annotations[${PULL_TARGET}]`, link.cluster),
            fact(link.app, '.status', `sync ${link.app.sync || 'empty'}, health ${link.app.health || 'empty'}`),
          ],
          effect: 'nothing is delivered; Synced and Healthy are left from before',
          fix:
            link.appSet === undefined
              ? 'correct the annotation, or delete the Application'
              : 'nothing, if the detach was meant (the ApplicationSet removes it at its next requeue); else import the cluster again',
        }
      }
    }
  },
}
