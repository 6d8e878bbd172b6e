import type { Fleet } from '../../fleet/fleet.ts'
import { inputsOf } from '../../fleet/fleet.ts'
import {
  type AppLink,
  applications,
  IN_CLUSTER_SERVER,
  SOURCE_UID,
  skipsReconcile,
} from '../../fleet/joins/applications.ts'
import { globMatches } from '../../fleet/joins/spoke-argo.ts'
import { works } from '../../fleet/joins/works.ts'
import { getOrAdd } from '../../fleet/maps.ts'
import type { AppProject } from '../../fleet/records.ts'
import { messageKind } from '../argo/messages.ts'
import type { Check } from '../check.ts'
import { fact, names } from '../support.ts'

function some(patterns: readonly string[], text: string): boolean {
  const denied = patterns.some(p => p.startsWith('!') && globMatches(p.slice(1), text))
  return !denied && patterns.some(p => !p.startsWith('!') && globMatches(p, text))
}

/** What of an Application a project does not permit (argo-cd pkg/apis/application/v1alpha1/app_project_types.go); undefined where it permits it. */
function denied(project: AppProject, link: AppLink): string | undefined {
  const { app, secrets } = link
  const repository = app.sources.map(s => s.repoURL).find(url => url !== '' && !some(project.sourceRepos, url))
  if (repository !== undefined) return `repository ${repository}`
  const own = app.destination.namespace
  // What a spoke pulls or an agent carries out is judged there, with a destination that is always the spoke itself.
  const there = link.model === 'pull' || link.model === 'agent'
  const server = there ? IN_CLUSTER_SERVER : app.destination.server || secrets[0]?.cluster.server || ''
  const named = there ? '' : app.destination.name || secrets[0]?.cluster.name || ''
  const name = named || (server === IN_CLUSTER_SERVER ? 'in-cluster' : '')
  const fits = (namespace: string): boolean =>
    project.destinations.some(d => {
      // The principal rewrites the destinations of a project that it sends; which agents get it is another check.
      const cluster =
        link.model === 'agent' ||
        (d.server !== '' && globMatches(d.server, server)) ||
        (d.name !== '' && globMatches(d.name, name))
      // Without a namespace of its own the Application takes that of each resource; Argo CD compares the empty text.
      return cluster && globMatches(d.namespace, namespace)
    })
  // Each resource is judged by its namespace too, whatever that of the destination is (argo-cd controller/sync.go).
  const others = app.resources.filter(r => !r.requiresPruning && r.namespace !== '').map(r => r.namespace)
  const refused = [own, ...others].find(namespace => !fits(namespace))
  return refused === undefined ? undefined : `destination ${server || name} namespace "${refused}"`
}

/** A denying entry (`!`) can only be judged with care; what it denies is left to Argo CD to say. */
function hasDenials({ destinations, sourceRepos }: AppProject): boolean {
  return (
    sourceRepos.some(r => r.startsWith('!')) ||
    destinations.some(d => d.server.startsWith('!') || d.name.startsWith('!') || d.namespace.startsWith('!'))
  )
}

/** Does the project on the hub decide over the Application: looked at by the Argo CD of the hub, or delivered together with it? */
function decides(fleet: Fleet, link: AppLink): boolean {
  const { app, model } = link
  if (app.meta.deleting !== undefined) return false
  if (model === 'agent') return !(SOURCE_UID in app.meta.annotations)
  if (model !== 'pull') return (model === 'push' || model === 'local') && !skipsReconcile(app)
  if (!link.pullComplete) return false
  const delivered = fleet.join(works).byApp.get(link.key) ?? []
  return delivered.some(w => w.work.manifests.some(m => m.kind === 'AppProject' && m.name === app.project))
}

export const projectWillDeny: Check = {
  code: 'FLT0415',
  slug: 'project-will-deny',
  title: 'Every Application is permitted by its AppProject',
  severity: 'warning',
  category: 'applications',
  models: ['push', 'pull', 'agent', 'local'],
  needs: { hub: ['Application', 'AppProject'] },
  uses: inputsOf(applications, works),
  docs: {
    why: 'A project that was narrowed takes effect only when Argo CD looks at an Application again, three minutes later by default: then sync and health turn Unknown and nothing changes any more. Until then everything is Synced and Healthy.',
    remedy:
      'Add the destination or the repository to the AppProject, or move the Application to a project that permits it.',
    sources: [
      'push-pull 1.9',
      'argoproj/argo-cd:pkg/apis/application/v1alpha1/app_project_types.go, controller/sync.go',
    ],
  },
  *run(fleet) {
    const found = new Map<string, { project: AppProject; list: { link: AppLink; what: string }[] }>()
    for (const link of fleet.join(applications).all) {
      const { app, argoNamespace } = link
      if (!decides(fleet, link)) continue
      const project = fleet.hub.of('AppProject').get(argoNamespace, app.project)
      // What Argo CD has said already is a finding of its own.
      if (
        project === undefined ||
        hasDenials(project) ||
        app.conditions.some(c => messageKind(c.message) === 'project-denies')
      )
        continue
      const what = denied(project, link)
      if (what === undefined) continue
      getOrAdd(found, `${argoNamespace}/${app.project}`, () => ({ project, list: [] })).list.push({ link, what })
    }
    for (const { project, list } of found.values()) {
      yield {
        subject: project.subject,
        message: `AppProject "${project.meta.name}" in namespace "${project.meta.namespace}" does not permit ${names(
          list.map(l => `Application "${l.link.app.meta.name}"`),
          3,
        )} (${list[0]?.what ?? ''}), and Argo CD has not noticed yet.`,
        evidence: [
          fact(
            project,
            '.spec.destinations',
            names(project.destinations.map(d => `${d.server || d.name || '-'} ${d.namespace || '-'}`)),
          ),
          fact(project, '.spec.sourceRepos', names(project.sourceRepos)),
          ...list.slice(0, 5).map(l => fact(l.link.app, '.spec', l.what)),
        ],
        effect: 'at its next look Argo CD refuses them: sync and health turn Unknown',
        fix: `add what they use to AppProject ${project.meta.name}`,
        because: [{ subject: project.subject }],
        breaks: false,
      }
    }
  },
}
