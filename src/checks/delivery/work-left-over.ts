import { appSets, placeOf } from '../../fleet/joins/appsets.ts'
import { workName, works } from '../../fleet/joins/works.ts'
import { PULL_TARGET } from '../../fleet/labels.ts'
import { subject } from '../../fleet/subject.ts'
import type { Check } from '../check.ts'
import { ago, fact } from '../support.ts'
import { hubApp, isCurrent, PULL_INPUTS, spokeApp } from './pull-support.ts'

export const workLeftOver: Check = {
  code: 'FLT0603',
  slug: 'work-left-over',
  title: 'Every pull ManifestWork belongs to a hub Application as it is now',
  severity: 'error',
  category: 'delivery',
  models: ['pull'],
  needs: { hub: ['Application', 'ManifestWork'] },
  uses: PULL_INPUTS,
  whole: { hub: ['Application'] },
  perObject: ['Application'],
  docs: {
    why: 'A ManifestWork has no owner. When its Application is deleted without a finalizer (`preserveResourcesOnDeletion`), recreated (new uid, new name of the work) or sent to another cluster, the old work stays: the spoke goes on syncing what nobody manages, or two works overwrite one Application on the spoke in turn, every four to six minutes.',
    remedy:
      'Delete the ManifestWork that is left over. Know what that does: it removes the Application on the spoke and, by its finalizer, the workload, unless another ManifestWork holds the same Application.',
    sources: ['push-pull 1.10, 1.11, 1.14', 'seen on running controllers: 1.10/1.13'],
  },
  *run(fleet) {
    for (const work of fleet.join(works).all) {
      const { meta } = work.work
      if (meta.deleting !== undefined) continue
      const link = hubApp(fleet, work)
      if (link === undefined && !fleet.hub.knows('Application', ...placeOf(work.appKey))) continue
      if (link !== undefined && (isCurrent(link, work) || link.cluster === '' || !link.pullComplete)) continue
      if (link !== undefined && link.app.meta.deleting !== undefined) continue
      const spoke = spokeApp(work)
      const current = link === undefined ? undefined : subject('hub', 'ManifestWork', link.cluster, workName(link.app))
      const name = work.appKey.slice(work.appKey.indexOf('/') + 1)
      const set = fleet.join(appSets).byKey.get(work.appSetKey)
      yield {
        subject: work.work.subject,
        severity: link === undefined ? 'warning' : 'error',
        breaks: true,
        message:
          link === undefined
            ? `ManifestWork "${meta.name}" in namespace "${work.cluster}" was made from Application "${name}", which does not exist any more.`
            : link.cluster === work.cluster
              ? `ManifestWork "${meta.name}" in namespace "${work.cluster}" is left from an earlier Application "${name}"; the present one has "${workName(link.app)}".`
              : `ManifestWork "${meta.name}" in namespace "${work.cluster}" is left over: Application "${name}" now targets ${link.cluster}.`,
        evidence: [
          fact(work.work, '.metadata.creationTimestamp', ago(fleet.now, meta.created)),
          ...(link === undefined
            ? []
            : [
                fact(link.app, '.metadata.uid', link.app.meta.uid),
                fact(link.app, `.metadata.annotations[${PULL_TARGET}]`, link.cluster),
              ]),
          ...(set?.appSet.preserveResourcesOnDeletion
            ? [fact(set.appSet, '.spec.syncPolicy.preserveResourcesOnDeletion', 'true')]
            : []),
        ],
        effect:
          link === undefined
            ? `cluster ${work.cluster} goes on syncing an Application that nobody manages`
            : link.cluster === work.cluster
              ? 'two ManifestWorks overwrite one Application on the spoke in turn'
              : `cluster ${work.cluster} keeps the Application too`,
        fix: `oc -n ${work.cluster} delete manifestwork ${meta.name} (this ${current !== undefined && link?.cluster === work.cluster ? 'leaves the Application, which the other ManifestWork holds too' : `removes ${spoke === undefined ? 'the Application' : `Application ${spoke.namespace}/${spoke.name}`} and its workload from ${work.cluster}`})`,
        // The Application still waits for the propagation controller where the target cluster is gone.
        because: link === undefined ? [] : [{ subject: link.app.subject, codes: ['FLT0401'] }],
      }
    }
  },
}
