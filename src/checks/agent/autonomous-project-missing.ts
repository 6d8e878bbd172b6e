import { missing, subject } from '../../fleet/subject.ts'
import type { Check } from '../check.ts'
import { fact, names, olderThan, SECOND } from '../support.ts'
import { AGENT_INPUTS, notAgentHub } from './agent-support.ts'
import { autonomousAgents } from './autonomous-support.ts'

const SENT_WITHIN = 60 * SECOND

export const autonomousProjectMissing: Check = {
  code: 'FLT0837',
  slug: 'autonomous-project-missing',
  title: 'The hub mirrors the projects of autonomous agents',
  severity: 'warning',
  category: 'agent',
  models: ['agent'],
  needs: { hub: ['ArgoCD', 'AppProject'], spoke: ['ArgoCD', 'AppProject', 'Application'] },
  uses: AGENT_INPUTS,
  whole: { hub: ['AppProject'] },
  docs: {
    why: 'An autonomous agent sends its projects to the hub, where they are called `<agent>-<project>`. In some releases the mirror is deleted when the principal restarts; the Applications of that project then cannot be shown or synced from the hub.',
    remedy: 'Touch the AppProject on the spoke (an annotation will do), so that it is sent again; update argocd-agent.',
    sources: ['agent-mode 4.2', 'failures in the field I-3'],
  },
  notApplicable: notAgentHub,
  *run(fleet) {
    for (const { cluster, view, argo, principal } of autonomousAgents(fleet)) {
      const { namespace } = argo.meta
      const hubNamespace = principal.argo.meta.namespace
      const users = view.of('Application').in(namespace)
      for (const name of new Set(users.map(a => a.project))) {
        const project = view.of('AppProject').get(namespace, name)
        const mirror = `${cluster}-${name}`
        if (project === undefined || !olderThan(view.readAt, project.meta.created, SENT_WITHIN)) continue
        if (fleet.hub.of('AppProject').get(hubNamespace, mirror) !== undefined) continue
        const at = missing(subject('hub', 'AppProject', hubNamespace, mirror))
        yield {
          subject: at,
          message: `AppProject "${name}" of the autonomous agent "${cluster}" has no mirror "${mirror}" on the hub.`,
          evidence: [
            fact(at, '', 'does not exist'),
            fact(project, '', `used by ${names(users.filter(a => a.project === name).map(a => a.meta.name))}`),
          ],
          effect: 'its Applications have no project on the hub, so they cannot be synced from there',
          fix: `on ${cluster}: oc -n ${namespace} annotate appproject ${name} touched="$(date)" --overwrite`,
          clusters: [cluster],
          breaks: false,
        }
      }
    }
  },
}
