import { applications, parsesTrue } from '../../fleet/joins/applications.ts'
import { appSets, renderFor } from '../../fleet/joins/appsets.ts'
import { globMatches } from '../../fleet/joins/spoke-argo.ts'
import { PULL_LABEL, PULL_TARGET, SKIP_RECONCILE } from '../../fleet/labels.ts'
import { switchesPullOff } from '../../fleet/pull-switch.ts'
import { render } from '../../fleet/render.ts'
import type { PlanNote } from '../../plan/plan.ts'
import type { Judged } from '../judge.ts'
import { listed } from '../names.ts'
import { onLeaveOf } from '../parts/application-set.ts'
import { info, type Notes, warning } from './note.ts'

/** What the user should know of the Applications that the plan makes. */
export function applicationNotes(judged: Judged): Notes {
  const { blueprint, before, preview } = judged
  const { settings, model, hub, parts, argoNamespace } = blueprint
  if (!parts.has('appset')) return []
  const notes: PlanNote[] = []
  const leave = onLeaveOf(blueprint)
  if (model === 'pull') {
    notes.push(
      info(
        'on-leave',
        leave === 'keep'
          ? 'a cluster that leaves the Placement keeps its Application (applicationsSync: create-update); preserveResourcesOnDeletion would orphan its ManifestWork instead'
          : 'a cluster that leaves the Placement loses its Application and the workload; --on-leave keep holds on to it',
      ),
    )
  } else {
    notes.push(
      info(
        'on-leave',
        leave === 'keep'
          ? 'a cluster that leaves the Placement keeps its workload (preserveResourcesOnDeletion)'
          : 'a cluster that leaves the Placement loses its workload; --on-leave keep holds on to it',
      ),
    )
  }
  const project = settings.project ?? 'default'
  if (model === 'pull' && project !== 'default') {
    notes.push(
      warning(
        'project-on-hub',
        `AppProject ${project} is on the hub only: ACM 2.15 and newer bring it to the clusters, older ones do not; repository credentials have to be on every cluster in any case`,
      ),
    )
  } else if (model !== 'push') {
    notes.push(info('repository', 'a private repository needs its credentials on every cluster'))
  }
  const existing = before.hub.of('AppProject').get(argoNamespace, project)
  const repo = settings.repoUrl ?? ''
  if (existing !== undefined && !existing.sourceRepos.some(pattern => globMatches(pattern, repo))) {
    notes.push(
      warning(
        'project-refuses',
        `AppProject ${project} does not allow ${repo}: the Applications will be refused until its sourceRepos do`,
      ),
    )
  }
  const long = preview.applications.made.filter(app => app.name.length > 63).map(app => app.name)
  if (long.length > 0) {
    notes.push(warning('long-names', `${listed(long, 2)}: longer than 63, too long for a label of the workload`))
  }
  const half = before.join(appSets).all.filter(({ appSet, argoNamespace: ns }) => {
    const { labels, annotations } = appSet.template
    const isPull = PULL_LABEL in labels || PULL_TARGET in annotations
    return ns === argoNamespace && isPull && !parsesTrue(annotations[SKIP_RECONCILE])
  })
  if (half.length > 0 && hub.flavour !== 'none') {
    notes.push(
      warning(
        'hub-reconciles-too',
        `ApplicationSet ${listed(half.map(l => l.appSet.meta.name))} is for pull but lacks ${SKIP_RECONCILE}: the hub deploys it onto itself`,
      ),
    )
  }
  return notes
}

/** Applications that bring the same folder of the same repository to the same cluster already: two of them fight. */
export function twiceNotes({ blueprint, clusters, before, after }: Judged): Notes {
  const { settings, argoNamespace, appSet, parts } = blueprint
  const link = after.join(appSets).byKey.get(`${argoNamespace}/${appSet}`)
  if (!parts.has('appset') || link === undefined) return []
  const { all } = before.join(applications)
  const twice = clusters.flatMap(cluster => {
    const params = renderFor(after, link, cluster)?.params ?? {}
    const path = render(settings.path ?? '', params, link.appSet.goTemplate)
    return all.filter(
      ({ app, owner, cluster: target }) =>
        target === cluster &&
        owner?.name !== appSet &&
        app.sources.some(source => source.repoURL === settings.repoUrl && source.path === path),
    )
  })
  if (twice.length === 0) return []
  const names = listed(twice.map(({ app, cluster }) => `${app.meta.name} on ${cluster}`))
  return [
    warning('delivered-twice', `the same folder is delivered already by ${names}: two Applications fight over it`),
  ]
}

/** That the pull controllers are switched off. */
export function controllerNotes({ blueprint, before }: Judged): Notes {
  if (blueprint.model !== 'pull') return []
  const off = before.hub.of('ConfigMap').all.find(switchesPullOff)
  return off === undefined
    ? []
    : [
        warning(
          'pull-switched-off',
          `ConfigMap ${off.meta.namespace}/${off.meta.name} switches the pull model off: nothing is delivered until pullModel.basic.disabled is gone and the controllers have restarted`,
        ),
      ]
}
