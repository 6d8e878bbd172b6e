import type { Check } from '../check.ts'
import { fact, names } from '../support.ts'
import { AGENT_INPUTS, notAgentHub } from './agent-support.ts'
import { autonomousAgents } from './autonomous-support.ts'

export const autonomousUnreported: Check = {
  code: 'FLT0839',
  slug: 'autonomous-unreported',
  title: 'Applications of autonomous agents lie where the agent reports on them',
  severity: 'warning',
  category: 'agent',
  models: ['agent'],
  needs: { hub: ['ArgoCD'], spoke: ['ArgoCD', 'Application'] },
  uses: AGENT_INPUTS,
  docs: {
    why: 'An autonomous agent sends what is in its own namespace. Applications in other namespaces of the spoke are reconciled there and never show on the hub.',
    remedy: 'Move them to the namespace of the agent.',
    sources: ['agent-mode 4.2', 'failures in the field I-7'],
  },
  notApplicable: notAgentHub,
  *run(fleet) {
    for (const { cluster, view, argo } of autonomousAgents(fleet)) {
      const outside = view.of('Application').all.filter(a => a.meta.namespace !== argo.meta.namespace)
      const first = outside[0]
      if (first === undefined) continue
      yield {
        subject: first.subject,
        message: `${names(outside.map(a => `Application "${a.meta.namespace}/${a.meta.name}"`))} on cluster "${cluster}" ${outside.length === 1 ? 'lies' : 'lie'} outside "${argo.meta.namespace}", so the autonomous agent does not report ${outside.length === 1 ? 'it' : 'them'}.`,
        evidence: outside.slice(0, 5).map(a => fact(a, '.metadata.namespace', a.meta.namespace)),
        effect: 'the hub does not know these Applications',
        fix: `move them to namespace ${argo.meta.namespace} on ${cluster}`,
        clusters: [cluster],
        breaks: false,
        through: [],
      }
    }
  },
}
