import { principals } from '../../fleet/joins/agents.ts'
import type { Pod, Service, StringMap } from '../../fleet/records.ts'
import type { Check } from '../check.ts'
import { fact, names } from '../support.ts'
import { AGENT_INPUTS, notAgentHub } from './agent-support.ts'

const PART_OF = 'app.kubernetes.io/part-of'
const COMPONENT = 'app.kubernetes.io/component'

/** A Service, or a Pod, of a principal: the operator and the chart label both so (agent-mode.md 1.3). */
function ofPrincipal({ labels }: { readonly labels: StringMap }): boolean {
  return labels[PART_OF] === 'argocd-agent' && labels[COMPONENT] === 'principal'
}

/** Without a selector nobody keeps the endpoints up: they go with the pod that they name. */
function selects({ selector }: Service, { meta }: Pod): boolean {
  const wanted = Object.entries(selector)
  return wanted.length > 0 && wanted.every(([key, value]) => meta.labels[key] === value)
}

function text(labels: StringMap): string {
  return names(Object.entries(labels).map(([key, value]) => `${key}=${value}`))
}

export const principalServiceSelectsNothing: Check = {
  code: 'FLT0849',
  slug: 'principal-service-selects-nothing',
  title: 'The Services of the principal lead to its pods',
  severity: 'warning',
  category: 'agent',
  models: ['agent'],
  needs: { hub: ['ArgoCD', 'Service', 'Pod'] },
  uses: AGENT_INPUTS,
  whole: { hub: ['Pod'] },
  docs: {
    why: 'Agents, the resource proxy and the Redis proxy are reached through Services of the principal. A selector that was edited matches no pod: the principal runs and is ready, but connections to the Service are refused.',
    remedy: 'Take the edit back, or delete the Service: the operator makes it anew.',
    sources: ['agent-mode 1.3'],
  },
  notApplicable: notAgentHub,
  *run(fleet) {
    for (const { argo } of fleet.join(principals)) {
      const { namespace } = argo.meta
      const pods = fleet.hub.of('Pod').in(namespace)
      const own = pods.filter(pod => ofPrincipal(pod.meta))
      // A principal without any pod is a fault of its own.
      if (own.length === 0) continue
      for (const service of fleet.hub.of('Service').in(namespace)) {
        if (!ofPrincipal(service.meta)) continue
        if (pods.some(pod => selects(service, pod))) continue
        yield {
          subject: service.subject,
          message: `Service "${service.meta.name}" of the principal in namespace "${namespace}" selects no pod.`,
          evidence: [
            fact(service, '.spec.selector', text(service.selector)),
            ...own.slice(0, 2).map(pod => fact(pod, '.metadata.labels', text(pod.meta.labels))),
          ],
          effect: 'what goes through the Service does not reach the principal',
          fix: `delete Service ${namespace}/${service.meta.name}: the operator makes it anew with its own selector`,
          through: [argo.subject],
          breaks: false,
        }
      }
    }
  },
}
