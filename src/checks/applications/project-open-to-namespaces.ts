import { principals } from '../../fleet/joins/agents.ts'
import { argoNamespaces } from '../../fleet/joins/argo-namespaces.ts'
import type { Check } from '../check.ts'
import { fact, names } from '../support.ts'

export const projectOpenToNamespaces: Check = {
  code: 'FLT0412',
  slug: 'project-open-to-namespaces',
  title: 'Projects take Applications only from namespaces that they name',
  severity: 'info',
  category: 'applications',
  models: ['push', 'pull', 'local'],
  needs: { hub: ['AppProject', 'ArgoCD'] },
  uses: { hub: ['GitOpsCluster', 'Service', 'Secret', 'ApplicationSet'] },
  docs: {
    why: '`sourceNamespaces: ["*"]` in a project, together with an Argo CD that watches many namespaces, gives every one of them what the project permits. Only agents before v0.9 ask for such a project.',
    remedy: 'Name the namespaces, or patterns such as `team-a-*`.',
    sources: ['agent-mode 2.6, 4.3'],
  },
  *run(fleet) {
    const agents = new Set(fleet.join(principals).map(p => p.argo.meta.namespace))
    for (const project of fleet.hub.of('AppProject').all) {
      const { namespace, name } = project.meta
      if (
        !project.sourceNamespaces.includes('*') ||
        agents.has(namespace) ||
        !fleet.join(argoNamespaces).has(namespace)
      )
        continue
      const watched = fleet.hub
        .of('ArgoCD')
        .in(namespace)
        .flatMap(a => a.sourceNamespaces)
      if (watched.length === 0) continue
      yield {
        subject: project.subject,
        message: `AppProject "${name}" in namespace "${namespace}" takes Applications from every namespace that Argo CD watches (${names(watched)}).`,
        evidence: [
          fact(project, '.spec.sourceNamespaces', '*'),
          fact(project, '', `Argo CD watches ${names(watched)}`),
        ],
        effect: 'whoever may create Applications in one of them uses all that the project permits',
        fix: 'name the namespaces in spec.sourceNamespaces',
        breaks: false,
      }
    }
  },
}
