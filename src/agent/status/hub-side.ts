import { copiesOf } from '../../checks/addons/policy-support.ts'
import { conditionText, lasting } from '../../checks/support.ts'
import { parsesTrue } from '../../fleet/joins/applications.ts'
import { condition } from '../../fleet/joins/clusters.ts'
import { clusterSecrets, registrationKey } from '../../fleet/joins/registration.ts'
import { SKIP_RECONCILE } from '../../fleet/labels.ts'
import type { Condition } from '../../fleet/records.ts'
import { missing, subject } from '../../fleet/subject.ts'
import { AGENT_CA_WORK, GITOPS_ADDON, GITOPS_ADDON_CONFIG } from '../../fleet/well-known.ts'
import type { Agent } from './agent.ts'
import type { Parts } from './parts.ts'

/** What the hub holds of an agent: its registration, and what brings it to the spoke. */
export function addHubSide(parts: Parts, agent: Agent): void {
  addCluster(parts, agent)
  addClusterSecret(parts, agent)
  if (agent.place.registrars.length > 0) {
    addAddon(parts, agent)
    addAddonConfig(parts, agent)
    addPolicy(parts, agent)
    addCaWork(parts, agent)
  }
}

/** State and text of an object by one of its conditions; what is not True has the time that the doctor gives it. */
function by(found: Condition | undefined, good: string) {
  if (found === undefined) return { message: 'no conditions yet', state: 'waiting' as const }
  if (found.status === 'True') return { message: good, since: found.since }
  return { message: conditionText(found), since: found.since, state: 'waiting' as const }
}

function addCluster(parts: Parts, { place, name }: Agent): void {
  if (!place.fleet.hub.serves('ManagedCluster')) return
  const cluster = place.fleet.hub.of('ManagedCluster').get('', name)
  const at = subject('hub', 'ManagedCluster', '', name)
  if (cluster === undefined) parts.add('cluster', missing(at), { message: 'does not exist', state: 'waiting' })
  else parts.add('cluster', at, by(condition(cluster, 'ManagedClusterConditionAvailable'), 'Available'))
}

function addClusterSecret(parts: Parts, { place, name }: Agent): void {
  const { fleet, namespace, principal } = place
  const named = fleet.join(clusterSecrets).byName.get(registrationKey(namespace, name)) ?? []
  const own = principal?.agents.get(name) ?? []
  const first = own[0]
  const at = first?.subject ?? subject('hub', 'Secret', namespace, `cluster-${name}`)
  const skips = parsesTrue(first?.meta.annotations[SKIP_RECONCILE])
  parts.add('cluster secret', first === undefined ? missing(at) : at, {
    message:
      first === undefined
        ? 'does not exist'
        : `${first.cluster.server || 'no server'}, skip-reconcile ${skips ? 'set' : 'not set'}${own.length > 1 ? `, one of ${own.length}` : ''}`,
    since: first?.meta.created,
    ...(first === undefined ? { state: 'waiting' } : {}),
    covers: [...own, ...named].map(s => s.subject),
  })
}

function addAddon(parts: Parts, { place, name }: Agent): void {
  const { hub, now } = place.fleet
  const addon = hub.of('ManagedClusterAddOn').get(name, GITOPS_ADDON)
  const at = subject('hub', 'ManagedClusterAddOn', name, GITOPS_ADDON)
  if (addon === undefined) {
    parts.add('add-on', missing(at), { message: 'does not exist', state: 'waiting' })
    return
  }
  const { deleting } = addon.meta
  if (deleting !== undefined) {
    parts.add('add-on', at, {
      message: `being deleted for ${lasting(now, deleting)}`,
      since: deleting,
      state: 'waiting',
    })
    return
  }
  parts.add('add-on', at, by(condition(addon, 'Available'), 'Available (which says nothing of the connection)'))
}

function addAddonConfig(parts: Parts, { place, name }: Agent): void {
  const config = place.fleet.hub.of('AddOnDeploymentConfig').get(name, GITOPS_ADDON_CONFIG)
  const at = subject('hub', 'AddOnDeploymentConfig', name, GITOPS_ADDON_CONFIG)
  if (config === undefined) {
    parts.add('add-on config', missing(at), { message: 'does not exist', state: 'waiting' })
    return
  }
  const { ARGOCD_AGENT_MODE: mode = '', ARGOCD_AGENT_SERVER_ADDRESS: host = '' } = config.variables
  const port = config.variables.ARGOCD_AGENT_SERVER_PORT ?? ''
  parts.add('add-on config', at, { message: `mode ${mode || 'not set'}, dials ${host || 'nothing'}:${port}` })
}

/** The copy of the policy that brings the ArgoCD to this spoke. */
function addPolicy(parts: Parts, { place, name }: Agent): void {
  const { hub } = place.fleet
  if (!hub.serves('Policy')) return
  for (const { goc, decided } of place.registrars) {
    if (decided?.clusters.has(name) !== true) continue
    const root = hub.of('Policy').get(goc.meta.namespace, `${goc.meta.name}-argocd-policy`)
    const copy = root === undefined ? undefined : copiesOf(place.fleet, root).get(name)
    const at = subject('hub', 'Policy', name, `${goc.meta.namespace}.${goc.meta.name}-argocd-policy`)
    const verdict = copy?.compliant || 'no verdict yet'
    parts.add('policy', copy === undefined ? missing(at) : copy.subject, {
      message: copy === undefined ? 'does not exist' : [verdict, ...copy.violations.slice(0, 1)].join(': '),
      ...(verdict === 'Compliant' ? {} : { state: 'waiting' }),
    })
  }
}

function addCaWork(parts: Parts, { place, name }: Agent): void {
  const work = place.fleet.hub.of('ManifestWork').get(name, AGENT_CA_WORK)
  const at = subject('hub', 'ManifestWork', name, AGENT_CA_WORK)
  if (work === undefined) parts.add('CA delivery', missing(at), { message: 'does not exist', state: 'waiting' })
  else parts.add('CA delivery', at, by(condition(work, 'Applied'), 'Applied (a change on the spoke is not seen)'))
}
