import type { Finding } from '../../checks/check.ts'
import type { Fleet } from '../../fleet/fleet.ts'
import type { ArgoCD } from '../../fleet/records.ts'
import { edit, listOf, NOT_SEEN } from '../edits.ts'
import type { Fix } from '../fix.ts'

const NONE = 'there is not exactly one ArgoCD resource on the hub, so which Argo CD is meant cannot be told'

function theArgoCd(fleet: Fleet): ArgoCD | undefined {
  const all = fleet.hub.of('ArgoCD').all
  return all.length === 1 ? all[0] : undefined
}

function hinders({ subject: { namespace } }: Finding, fleet: Fleet): string | undefined {
  const argo = theArgoCd(fleet)
  if (argo === undefined) return NONE
  return argo.meta.namespace === namespace ? `the ApplicationSet controller of ${namespace} does not run` : undefined
}

export const appsetUnwatchedFix: Fix = {
  code: 'FLT0303',
  does: 'let the Argo CD of the hub take ApplicationSets from that namespace',
  risk: 'whoever may write in that namespace has Applications deployed by this Argo CD, within their projects',
  safe: false,
  kinds: ['ArgoCD'],
  hinders: hinders,
  repair(input) {
    const { finding, fleet } = input
    const argo = theArgoCd(fleet)
    if (argo === undefined) return NONE
    const { namespace } = finding.subject
    const own = listOf(input, argo.subject, 'spec', 'sourceNamespaces')
    const sets = listOf(input, argo.subject, 'spec', 'applicationSet', 'sourceNamespaces')
    if (own === undefined || sets === undefined) return NOT_SEEN
    const spec = {
      sourceNamespaces: [...new Set([...own, namespace])],
      applicationSet: { sourceNamespaces: [...new Set([...sets, namespace])] },
    }
    return {
      steps: [edit(input, argo.subject, { spec }, 'its controllers watch the namespace')],
      afterwards: `name ${namespace} in sourceNamespaces of the AppProject that the Applications use`,
    }
  },
}
