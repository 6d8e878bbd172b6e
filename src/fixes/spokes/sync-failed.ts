import type { Finding } from '../../checks/check.ts'
import type { Fleet } from '../../fleet/fleet.ts'
import type { Fix } from '../fix.ts'
import { appsOf, NO_HUB_APP, problemsOf } from './problem-apps.ts'
import { startSync } from './start-sync.ts'
import { withSyncOption } from './sync-option.ts'
import { writtenIn } from './written-in.ts'

const OTHER = 'what the message names lies in Git or on the cluster'

function other(finding: Finding, fleet: Fleet): string | undefined {
  const kinds = new Set(problemsOf(finding, fleet).map(p => p.kind))
  if (kinds.has('modified')) return undefined
  if (!kinds.has('annotation-size')) return OTHER
  const of = writtenIn(finding, fleet)
  return typeof of === 'string' ? of : undefined
}

export const syncFailedFix: Fix = {
  code: 'FLT0512',
  does: 'apply on the side of the server what is too large for an annotation, or sync again what another writer was faster with',
  risk: 'fields that others have set stay theirs, and Argo CD conflicts with them where Git says otherwise',
  safe: false,
  kinds: ['ApplicationSet', 'Application'],
  hinders: other,
  repair(input) {
    const { finding, fleet } = input
    const found = problemsOf(finding, fleet)
    if (found.some(p => p.kind === 'modified')) {
      const apps = appsOf(finding, fleet, 'modified')
      return apps.length === 0 ? NO_HUB_APP : { steps: apps.map(app => startSync(input, app)) }
    }
    if (!found.some(p => p.kind === 'annotation-size')) return OTHER
    const why = 'a client-side apply keeps a copy of the object in an annotation'
    return withSyncOption(input, 'ServerSideApply=true', 'annotation-size', why)
  },
}
