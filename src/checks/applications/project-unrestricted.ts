import { applications } from '../../fleet/joins/applications.ts'
import { getOrAdd } from '../../fleet/maps.ts'
import type { Application, AppProject } from '../../fleet/records.ts'
import type { Check } from '../check.ts'
import { count, fact } from '../support.ts'

function isOpen({ destinations, sourceRepos }: AppProject): boolean {
  return (
    sourceRepos.includes('*') &&
    destinations.some(d => d.namespace === '*' && (d.server === '*' || d.name === '*')) &&
    !destinations.some(d => d.server.startsWith('!') || d.name.startsWith('!') || d.namespace.startsWith('!'))
  )
}

export const projectUnrestricted: Check = {
  code: 'FLT0411',
  slug: 'project-unrestricted',
  title: 'Applications in several namespaces of the hub belong to projects that restrict them',
  severity: 'info',
  category: 'applications',
  models: ['push', 'pull', 'agent'],
  needs: { hub: ['Application', 'AppProject'] },
  uses: applications.inputs,
  docs: {
    why: 'A project with `*` for repositories, clusters and namespaces that also takes Applications from other namespaces (`sourceNamespaces`) lets everyone who may create an Application there deploy anything to every cluster with the rights of Argo CD, mostly cluster-admin.',
    remedy:
      'Give each team a project with its own repositories and destinations, and name its namespaces in `sourceNamespaces` one by one.',
    sources: ['push-pull 1.12', 'agent-mode 2.6, 4.3'],
  },
  *run(fleet) {
    const users = new Map<string, { project: AppProject; outside: Application[] }>()
    for (const { app, argoNamespace, model } of fleet.join(applications).all) {
      // What an agent sends lies in the namespace of the agent, and its project with it.
      if (model === 'agent') continue
      const project = fleet.hub.of('AppProject').get(argoNamespace, app.project)
      if (project === undefined || !isOpen(project) || app.meta.namespace === argoNamespace) continue
      getOrAdd(users, `${argoNamespace}/${app.project}`, () => ({ project, outside: [] })).outside.push(app)
    }
    for (const { project, outside } of users.values()) {
      yield {
        subject: project.subject,
        message: `AppProject "${project.meta.name}" permits everything and is used by ${count(outside.length, 'Application')} outside the Argo CD namespace.`,
        evidence: [
          fact(project, '.spec.sourceRepos', '*'),
          fact(project, '.spec.destinations', 'every cluster, every namespace'),
          ...outside.slice(0, 5).map(a => fact(a, '.metadata.namespace', a.meta.namespace)),
        ],
        effect: 'whoever may create Applications in those namespaces can deploy anything everywhere',
        fix: 'make a project per team with its repositories, destinations and source namespaces',
        breaks: false,
      }
    }
  },
}
