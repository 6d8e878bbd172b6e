import type { PlanInput } from '../../bootstrap/make-plan.ts'
import { API_VERSION } from '../../checks/report.ts'
import type { Plan } from '../../plan/plan.ts'
import { NO_PREVIEW } from '../../plan/preview.ts'
import { summaryOf } from '../../plan/summary.ts'
import { VERSION } from '../../version.ts'

/** Lease by which runs that switch a hub exclude each other, in the namespace of the principal. */
export const AGENT_LEASE = 'fleetctl-agent'

type Content = Pick<Plan, 'title' | 'command' | 'steps'> & Partial<Pick<Plan, 'notes' | 'gates' | 'preview'>>

/** A plan about the agents of a hub. @param namespace of the principal */
export function agentPlanOf(content: Content, namespace: string, { loaded, source, now }: PlanInput): Plan {
  return {
    apiVersion: API_VERSION,
    kind: 'Plan',
    version: VERSION,
    createdAt: now.toISOString(),
    title: content.title,
    command: content.command,
    target: {
      type: source.type,
      name: source.name,
      hub: loaded.fleet.hub.of('Namespace').get('', 'kube-system')?.meta.uid ?? '',
    },
    summary: summaryOf(content.steps),
    notes: content.notes ?? [],
    gates: content.gates ?? [],
    preview: content.preview ?? NO_PREVIEW,
    steps: content.steps,
    exclusive: { namespace, name: AGENT_LEASE },
  }
}
