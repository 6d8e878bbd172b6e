import { applications, SOURCE_UID } from '../../fleet/joins/applications.ts'
import { REFRESH } from '../../fleet/labels.ts'
import type { Check } from '../check.ts'
import { fact } from '../support.ts'
import { AGENT_INPUTS, notAgentHub } from './agent-support.ts'

export const autonomousOperationIgnored: Check = {
  code: 'FLT0838',
  slug: 'autonomous-operation-ignored',
  title: 'Nothing asked of an autonomous Application on the hub stays undone',
  severity: 'info',
  category: 'agent',
  models: ['agent'],
  needs: { hub: ['ArgoCD', 'Application'] },
  uses: AGENT_INPUTS,
  docs: {
    why: 'The spoke owns the Applications of an autonomous agent. Old agents drop what is asked of them on the hub ("source UID Annotation is not found for app"); the request then stays in the hub copy for ever.',
    remedy: 'Sync or refresh on the spoke, or update argocd-agent.',
    sources: ['agent-mode 4.2', 'failures in the field I-4'],
  },
  notApplicable: notAgentHub,
  *run(fleet) {
    for (const { app, cluster, model } of fleet.join(applications).all) {
      if (model !== 'agent' || !(SOURCE_UID in app.meta.annotations)) continue
      const refresh = app.meta.annotations[REFRESH]
      if (!app.operationPending && refresh === undefined) continue
      yield {
        subject: app.subject,
        message: `Application "${app.meta.name}" of the autonomous agent "${cluster}" waits for ${app.operationPending ? 'an operation' : `a ${refresh} refresh`} that was asked for on the hub.`,
        evidence: [
          ...(app.operationPending ? [fact(app, '.operation', 'present')] : []),
          ...(refresh === undefined ? [] : [fact(app, `.metadata.annotations[${REFRESH}]`, refresh)]),
        ],
        effect: 'nothing happens on the spoke',
        fix: `sync or refresh Application ${app.meta.name} on ${cluster}`,
        because: [{ subject: app.subject }],
        breaks: false,
      }
    }
  },
}
