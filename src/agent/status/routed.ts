import type { Node } from '../../checks/fold.ts'
import { lasting } from '../../checks/support.ts'
import type { Diagnosis } from '../../diagnosis.ts'
import type { AppLink } from '../../fleet/joins/applications.ts'
import { SOURCE_UID } from '../../fleet/joins/applications.ts'
import { wayOf } from '../../fleet/joins/ways.ts'
import { isoTime } from '../../iso-time.ts'
import { faultOf } from '../../trace/fault.ts'
import { byGravity } from './parts.ts'
import type { AgentEntry, RoutedApplication } from './status.ts'

/** An Application as a trace of it would find it: broken where the trace names a hop. */
function routed({ fleet }: Diagnosis, link: AppLink, fault: Node | undefined): RoutedApplication {
  const { app } = link
  const { deleting } = app.meta
  const isSilent = app.sync === '' && app.reconciledAt === undefined
  const state = fault !== undefined ? 'broken' : deleting !== undefined || isSilent ? 'waiting' : 'ok'
  const said =
    deleting !== undefined
      ? `being deleted for ${lasting(fleet.now, deleting)}`
      : isSilent
        ? 'no status has come back yet'
        : `${app.sync || 'no sync status'}, ${app.health || 'no health'}`
  return {
    subject: app.subject,
    project: app.project,
    sync: app.sync,
    health: app.health,
    state,
    reconciledAt: isoTime(app.reconciledAt),
    writtenAt: isoTime(app.agentWroteAt),
    code: fault === undefined ? '' : fault.found.check.code,
    message: fault === undefined ? said : fault.found.finding.message,
  }
}

/** The Applications of one agent, broken ones first, and what breaks them. */
export function routedApplications(
  diagnosis: Diagnosis,
  links: readonly AppLink[],
): { readonly applications: readonly RoutedApplication[]; readonly faults: ReadonlySet<Node> } {
  const faults = new Set<Node>()
  const applications = links.map(link => {
    const fault = faultOf(diagnosis.fleet, diagnosis.roots, wayOf(link))
    if (fault !== undefined) faults.add(fault)
    return routed(diagnosis, link, fault)
  })
  applications.sort((a, b) => byGravity(a.state, b.state) || (key(a) < key(b) ? -1 : 1))
  return { applications, faults }
}

function key({ subject: { namespace, name } }: RoutedApplication): string {
  return `${namespace}/${name}`
}

/** Autonomous where its Applications came from it; else what its GitOpsCluster says. */
export function modeOf(links: readonly AppLink[], said: readonly string[]): AgentEntry['mode'] {
  const told = said.find(mode => mode !== '')
  if (told === 'autonomous' || links.some(l => SOURCE_UID in l.app.meta.annotations)) return 'autonomous'
  return said.length > 0 || links.length > 0 ? 'managed' : ''
}
