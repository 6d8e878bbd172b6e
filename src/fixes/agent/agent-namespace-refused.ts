import type { Finding } from '../../checks/check.ts'
import type { Fleet } from '../../fleet/fleet.ts'
import { principals } from '../../fleet/joins/agents.ts'
import { applications } from '../../fleet/joins/applications.ts'
import { covers } from '../../fleet/joins/spoke-argo.ts'
import type { ArgoCD } from '../../fleet/records.ts'
import { edit, listOf, NOT_SEEN } from '../edits.ts'
import type { Fix } from '../fix.ts'

const ON_SPOKE = 'it is refused on the cluster, whose Argo CD is set up by the Policy of the GitOpsCluster'

/** The principal that does not watch the namespace of the Applications. */
function refusedBy(
  { subject: { kind, namespace, name } }: Finding,
  fleet: Fleet,
): { argo: ArgoCD; namespace: string } | undefined {
  const link = fleet
    .join(applications)
    .all.find(l =>
      kind === 'ApplicationSet'
        ? l.appSet?.appSet.meta.name === name && l.appSet.appSet.meta.namespace === namespace
        : l.app.meta.name === name && l.app.meta.namespace === namespace,
    )
  const from = link?.app.meta.namespace ?? ''
  const principal = fleet.join(principals).find(p => p.argo.meta.namespace === link?.argoNamespace)
  if (principal === undefined || covers(principal.settings.allowedNamespaces, from)) return undefined
  return { argo: principal.argo, namespace: from }
}

export const agentNamespaceRefusedFix: Fix = {
  code: 'FLT0825',
  does: 'let the principal take Applications from that namespace',
  risk: 'whoever may write Applications in that namespace has agents deploy them, within their projects',
  safe: false,
  kinds: ['ArgoCD'],
  hinders: (finding, fleet) => (refusedBy(finding, fleet) === undefined ? ON_SPOKE : undefined),
  repair(input) {
    const found = refusedBy(input.finding, input.fleet)
    if (found === undefined) return ON_SPOKE
    const { argo, namespace } = found
    const keys = ['spec', 'argoCDAgent', 'principal', 'namespace', 'allowedNamespaces'] as const
    const there = listOf(input, argo.subject, ...keys)
    if (there === undefined) return NOT_SEEN
    const allowedNamespaces = [...new Set([...there, namespace])]
    const fields = { spec: { argoCDAgent: { principal: { namespace: { allowedNamespaces } } } } }
    return { steps: [edit(input, argo.subject, fields, 'the principal watches the namespaces that it is told')] }
  },
}
