import { UsageError } from '../../errors.ts'
import type { Wait, Want } from '../../plan/make-steps.ts'
import { appProject } from '../../plan/manifests/app-project.ts'
import { applicationSet, type Delivery, type OnLeave } from '../../plan/manifests/application-set.ts'
import type { Blueprint } from '../blueprint.ts'
import { checkNamespace, checkObjectName } from '../names.ts'
import { templateLanguage } from '../templates.ts'
import { spokeNamespace } from './spokes.ts'

const SECTION = 'Applications'

/** Names of the settings without which there is no Application. */
function missingForAppSet({ settings }: Pick<Blueprint, 'settings'>): readonly string[] {
  return [...(settings.repoUrl === undefined ? ['--repo-url'] : []), ...(settings.path === undefined ? ['--path'] : [])]
}

function checkRepoUrl(url: string): string {
  if (/^[a-z]+:\/\/[^/@\s]*:[^/@\s]+@/i.test(url)) {
    throw new UsageError(
      '--repo-url holds a password; leave it out and give Argo CD the credentials in a repository Secret',
    )
  }
  if (/^(https?|ssh|git|oci):\/\/[^\s/]+\/\S+$/i.test(url) || /^[^@\s/]+@[^:\s]+:\S+$/.test(url)) return url
  throw new UsageError(
    `"${url}" is no address of a Git repository for --repo-url: expected https://…, ssh://… or git@HOST:PATH`,
  )
}

/** ConfigMap by which the generator reads decisions: the one that is there, else the one that the hub's controllers make. */
function generatorConfigMap({ fleet, hub, argoNamespace }: Blueprint): string {
  const readers = fleet.hub
    .of('ConfigMap')
    .in(argoNamespace)
    .filter(m => m.data.kind === 'placementdecisions' && m.data.matchKey === 'clusterName')
  const usual = hub.flavour === 'upstream' ? 'ocm-placement-generator' : 'acm-placement'
  return readers.find(m => m.meta.name === usual)?.meta.name ?? readers[0]?.meta.name ?? usual
}

function deliveryOf(blueprint: Blueprint): Delivery {
  const model = blueprint.model ?? 'push'
  return model === 'pull' ? { model, spokeNamespace: spokeNamespace(blueprint) } : { model }
}

/** A project of its own: only this repository, only these clusters. */
function projectPart(blueprint: Blueprint, repoUrl: string): readonly Want[] {
  const { fleet, hub, argoNamespace, settings, model } = blueprint
  const name = settings.project ?? 'default'
  // Argo CD makes `default` itself.
  if (name === 'default' || fleet.hub.of('AppProject').get(argoNamespace, name) !== undefined) return []
  if (!fleet.hub.knows('AppProject')) return []
  const where = settings.destNamespace ?? '*'
  const isPull = model === 'pull'
  return [
    {
      type: 'object',
      section: SECTION,
      manifest: appProject(hub.version, {
        namespace: argoNamespace,
        name: checkObjectName(name, '--project'),
        description: `Applications of ApplicationSet ${blueprint.appSet}`,
        sourceRepos: [repoUrl],
        destinations: [
          isPull
            ? { server: 'https://kubernetes.default.svc', namespace: where }
            : { name: '*', server: '*', namespace: where },
        ],
      }),
      why: isPull
        ? 'the project has to exist on the hub, and ACM 2.15 and newer bring it to the clusters'
        : 'without the project the ApplicationSet makes nothing',
    },
  ]
}

function syncOptions({ settings }: Blueprint): readonly string[] {
  // A namespace that somebody else labels and makes must not be made first without its label.
  return settings.destNamespace !== undefined && settings.spokeRights !== 'namespaces' ? ['CreateNamespace=true'] : []
}

/** Push keeps what it deployed; in the pull and the agent model a cluster that leaves is cleaned up, unless told otherwise. */
export function onLeaveOf({ settings, model }: Blueprint): OnLeave {
  return settings.onLeave ?? (model === 'push' ? 'keep' : 'remove')
}

/** The ApplicationSet with its project. @throws UsageError for a repository or a template that cannot work */
export function applicationSetPart(blueprint: Blueprint, clusters: readonly string[]): readonly Want[] {
  const { hub, argoNamespace, settings, model, appSet } = blueprint
  const { repoUrl, path } = settings
  if (model === undefined) {
    throw new UsageError('--model must say how the Applications reach the clusters: push, pull or agent')
  }
  if (repoUrl === undefined || path === undefined) {
    throw new UsageError(`${missingForAppSet(blueprint).join(' and ')} must say where the Applications are in Git`)
  }
  checkRepoUrl(repoUrl)
  if (/^\/|(^|\/)\.\.(\/|$)/.test(path)) {
    throw new UsageError(`--path "${path}" must be a folder of the repository, without a leading "/" and without ".."`)
  }
  if (settings.requeueSeconds === 0) throw new UsageError('--requeue-seconds must be at least 1')
  const goTemplate = templateLanguage({ '--path': path, '--app-name': settings.appName ?? '' }) === 'go'
  const applicationName = settings.appName ?? `${appSet}-${goTemplate ? '{{.name}}' : '{{name}}'}`
  if (!applicationName.includes('{{') && clusters.length !== 1) {
    throw new UsageError(
      `--app-name "${applicationName}" is the same for every cluster; put {{name}} into it, the name of the cluster`,
    )
  }
  const automated = settings.sync !== 'manual'
  return [
    ...projectPart(blueprint, repoUrl),
    {
      type: 'object',
      section: SECTION,
      manifest: applicationSet(hub.version, {
        namespace: argoNamespace,
        name: appSet,
        configMap: generatorConfigMap(blueprint),
        placement: blueprint.placement.name,
        requeueAfterSeconds: settings.requeueSeconds ?? (model === 'agent' ? 30 : 180),
        goTemplate,
        applicationName,
        project: settings.project ?? 'default',
        source: { repoURL: repoUrl, path, targetRevision: settings.revision ?? 'HEAD' },
        ...(settings.destNamespace === undefined
          ? {}
          : { destinationNamespace: checkNamespace(settings.destNamespace, '--dest-namespace') }),
        sync: { automated, prune: automated, selfHeal: automated, options: syncOptions(blueprint) },
        onLeave: onLeaveOf(blueprint),
        delivery: deliveryOf(blueprint),
      }),
      why: `makes an Application for each cluster of the Placement${automated ? ', which syncs by itself' : ''}`,
      risk: {
        level: 'high',
        text: `applies ${path} of ${repoUrl} to ${clusters.length === 0 ? 'the selected clusters' : clusters.join(', ')}${automated ? ' and prunes what is not in it' : ''}`,
      },
      reversible: {
        yes: true,
        text:
          onLeaveOf(blueprint) === 'keep' && model !== 'pull'
            ? 'deleting it deletes the Applications and leaves their workloads on the clusters'
            : 'deleting it deletes the Applications and their workloads',
      },
    },
  ]
}

/** Waits for the first Applications; nothing where there are none, or a person starts their sync. */
export function syncedWait(blueprint: Blueprint, applications: readonly string[]): readonly Wait[] {
  if (applications.length === 0 || blueprint.settings.sync === 'manual') return []
  return [
    {
      type: 'wait',
      section: SECTION,
      signal: { signal: 'synced', namespace: blueprint.argoNamespace, applications },
      why: 'the first Applications have arrived when they are Synced on their clusters',
    },
  ]
}
