import { applications, SOURCE_UID } from '../../fleet/joins/applications.ts'
import { appSets } from '../../fleet/joins/appsets.ts'
import { argoNamespaces } from '../../fleet/joins/argo-namespaces.ts'
import { getOrAdd } from '../../fleet/maps.ts'
import type { Base } from '../../fleet/records.ts'
import { hasTemplate } from '../../fleet/render.ts'
import { missing, subject } from '../../fleet/subject.ts'
import type { Check } from '../check.ts'
import { fact, names } from '../support.ts'

export const projectMissing: Check = {
  code: 'FLT0403',
  slug: 'project-missing',
  title: 'The AppProject of every Application exists on the hub',
  severity: 'error',
  category: 'applications',
  models: ['push', 'pull', 'agent'],
  needs: { hub: ['Application', 'AppProject'] },
  uses: applications.inputs,
  whole: { hub: ['AppProject'] },
  docs: {
    why: 'Projects are looked up in the Argo CD namespace of the hub, for pull too: since ACM 2.15 an Application whose project is missing there is not propagated, and a ManifestWork that exists is no longer updated. An ApplicationSet with such a project generates nothing at all.',
    remedy: 'Create the AppProject in the Argo CD namespace of the hub, or correct `spec.project`.',
    sources: ['push-pull 1.8, 1.10 (8)'],
  },
  *run(fleet) {
    const namespaces = fleet.join(argoNamespaces)
    const lacking = new Map<string, { namespace: string; project: string; users: Base[] }>()
    const note = (namespace: string, project: string, user: Base): void => {
      // Where Argo CD lives must be known: the namespace of the Application may be another.
      if (project === '' || hasTemplate(project) || !namespaces.has(namespace)) return
      if (fleet.hub.of('AppProject').get(namespace, project) !== undefined) return
      getOrAdd(lacking, `${namespace}/${project}`, () => ({ namespace, project, users: [] })).users.push(user)
    }
    for (const link of fleet.join(appSets).all) note(link.argoNamespace, link.appSet.template.project, link.appSet)
    for (const link of fleet.join(applications).all) {
      if (link.owner !== undefined || link.app.meta.deleting !== undefined) continue
      // What an autonomous agent sent is only shown on the hub: its project counts where it runs.
      if (SOURCE_UID in link.app.meta.annotations) continue
      // Argo CD looks in its own namespace; the propagation controller also in that of the Application.
      if (fleet.hub.of('AppProject').get(link.app.meta.namespace, link.app.project) !== undefined) continue
      note(link.argoNamespace, link.app.project, link.app)
    }
    for (const { namespace, project, users } of lacking.values()) {
      yield {
        subject: missing(subject('hub', 'AppProject', namespace, project)),
        message: `AppProject "${project}" does not exist in namespace "${namespace}", but ${names(users.map(u => `${u.subject.kind} ${u.meta.name}`))} ${users.length === 1 ? 'uses' : 'use'} it.`,
        evidence: users
          .slice(0, 10)
          .map(u =>
            fact(u, u.subject.kind === 'ApplicationSet' ? '.spec.template.spec.project' : '.spec.project', project),
          ),
        effect: 'ApplicationSets generate nothing, pull Applications are not propagated, others cannot be synced',
        fix: `argocd proj create ${project} --src REPOSITORY --dest SERVER,NAMESPACE (in ${namespace}), or correct the project: oc edit ${users
          .slice(0, 3)
          .map(u => `-n ${u.meta.namespace} ${u.subject.kind.toLowerCase()} ${u.meta.name}`)
          .join(', ')}`,
        through: users.map(u => u.subject),
      }
    }
  },
}
