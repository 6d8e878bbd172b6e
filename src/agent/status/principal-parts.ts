import { isPartOfAgent, podsOf } from '../../checks/agent/agent-support.ts'
import { versionOf } from '../../checks/agent/agent-version-skew.ts'
import { isHandedOut } from '../../checks/agent/project-excludes-agent.ts'
import { conditionText, count, lasting, names } from '../../checks/support.ts'
import { readCertificate } from '../../fleet/certificate.ts'
import { SOURCE_UID } from '../../fleet/joins/applications.ts'
import { condition } from '../../fleet/joins/clusters.ts'
import { proxyService, registrarStops, selectionStops } from '../../fleet/joins/way-stops.ts'
import type { Secret } from '../../fleet/records.ts'
import { missing, subject } from '../../fleet/subject.ts'
import { AGENT_CA, AGENT_JWT, PRINCIPAL_TLS, RESOURCE_PROXY_TLS } from '../../fleet/well-known.ts'
import { askCertificate } from './ask.ts'
import { Parts } from './parts.ts'
import type { Place } from './place.ts'

/** What the principal serves and signs with (agent-mode.md 1.7), as the parts are called. */
const KEPT: readonly (readonly [secret: string, part: string])[] = [
  [AGENT_CA, 'CA certificate'],
  [PRINCIPAL_TLS, 'principal certificate'],
  [RESOURCE_PROXY_TLS, 'resource proxy certificate'],
  [AGENT_JWT, 'signing key'],
]

/** The parts of a principal on the hub, from the ArgoCD to the projects that it hands out. */
export function principalParts(place: Place): Parts {
  const parts = new Parts(place.fleet)
  addArgoCD(parts, place)
  if (place.principal !== undefined) {
    addDeployment(parts, place)
    addAddress(parts, place)
    addRedis(parts, place)
    for (const [secret, part] of KEPT) addSecret(parts, place, secret, part)
    addResourceProxy(parts, place)
  }
  addRegistration(parts, place)
  addPolicies(parts, place)
  addProjects(parts, place)
  return parts
}

function addArgoCD(parts: Parts, { fleet, namespace, principal }: Place): void {
  const argo = principal?.argo ?? fleet.hub.of('ArgoCD').in(namespace)[0]
  if (argo === undefined) {
    const at = missing(subject('hub', 'ArgoCD', namespace, 'argocd'))
    parts.add('ArgoCD', at, { message: 'there is no ArgoCD in this namespace', state: 'waiting' })
    return
  }
  const reconciled = condition(argo, 'Reconciled')
  const controller = `application controller ${argo.controllerEnabled ? 'on' : 'off'}`
  const mapping = principal?.settings.destinationBasedMapping === true ? 'destination' : 'namespace'
  const said = principal === undefined ? 'no principal' : `principal, ${mapping}-based mapping, ${controller}`
  const isWaiting = principal === undefined || reconciled?.status === 'False'
  parts.add('ArgoCD', argo.subject, {
    message: reconciled?.status === 'False' ? `${said}; Reconciled ${conditionText(reconciled)}` : said,
    since: reconciled?.since ?? argo.meta.created,
    ...(isWaiting ? { state: 'waiting' } : {}),
  })
}

function addDeployment(parts: Parts, { fleet, namespace, principal, deployment }: Place): void {
  if (deployment === undefined) {
    const name = `${principal?.argo.meta.name ?? ''}-agent-principal`
    parts.add('principal', missing(subject('hub', 'Deployment', namespace, name)), {
      message: 'does not exist',
      state: 'waiting',
    })
    return
  }
  const pods = podsOf(fleet.hub, deployment)
  const started = Math.max(0, ...pods.map(p => p.started ?? 0))
  const restarts = pods.flatMap(p => p.containers).reduce((sum, c) => sum + c.restarts, 0)
  const version = versionOf(deployment.images[0])
  const isUp = deployment.replicas > 0 && deployment.readyReplicas > 0
  parts.add('principal', deployment.subject, {
    message: [
      `${deployment.readyReplicas} of ${deployment.replicas} ready`,
      version === undefined ? 'version not in its image' : `version ${version}`,
      ...(restarts === 0 ? [] : [`restarted ${count(restarts, 'time')}`]),
    ].join(', '),
    since: started || deployment.meta.created,
    ...(isUp ? {} : { state: 'waiting' }),
  })
}

/** How agents reach the principal, and what they are told. */
function addAddress(parts: Parts, { fleet, namespace, principal, deployment, registrars }: Place): void {
  const told = [...new Set(registrars.map(r => address(r.goc)).filter(text => text !== ''))]
  const dial = told.length === 0 ? 'no address is told to agents yet' : `agents dial ${names(told)}`
  const claims = registrars.map(r => ({ of: r.goc.subject, codes: ['FLT0811', 'FLT0843'] }))
  const route = fleet.hub
    .of('Route')
    .in(namespace)
    .find(r => isPartOfAgent(r, 'principal'))
  if (route !== undefined) {
    parts.add('Route', route.subject, {
      message: `${route.host || 'no host'}, ${route.termination || 'no TLS'}${route.admitted === undefined ? ', not admitted yet' : ''}`,
      since: route.meta.created,
      ...(route.host === '' ? { state: 'waiting' } : {}),
    })
  }
  const name = deployment?.meta.name ?? `${principal?.argo.meta.name ?? ''}-agent-principal`
  const service = fleet.hub.of('Service').get(namespace, name)
  const at = subject('hub', 'Service', namespace, name)
  const isClosed = route === undefined && service?.type === 'ClusterIP'
  parts.add('address', service === undefined ? missing(at) : at, {
    message:
      service === undefined
        ? `does not exist; ${dial}`
        : `${service.type}${isClosed ? ' without a Route' : ''}; ${dial}`,
    since: service?.meta.created,
    ...(service === undefined || told.length === 0 ? { state: 'waiting' } : {}),
    claims,
  })
}

function address({
  serverAddress,
  serverPort,
}: {
  readonly serverAddress: string
  readonly serverPort: string
}): string {
  return serverAddress === '' ? '' : `${serverAddress}:${serverPort || '443'}`
}

function addRedis(parts: Parts, { fleet, namespace, principal, deployment }: Place): void {
  if (principal === undefined) return
  const { argo, settings } = principal
  const env = deployment?.env.ARGOCD_PRINCIPAL_REDIS_SERVER_ADDRESS
  const wanted = env || settings.redisAddress || `${argo.meta.name}-redis:6379`
  const [service = '', where = namespace] = wanted.replace(/:\d+$/, '').split('.')
  const at = subject('hub', 'Service', where, service)
  const isThere = fleet.hub.of('Service').get(where, service) !== undefined
  parts.add('Redis', isThere ? at : missing(at), {
    message: isThere ? `${wanted} is a Service` : `${wanted} is no Service of the hub`,
    ...(isThere ? {} : { state: 'unknown' }),
    claims: [{ of: argo.subject, codes: ['FLT0817'] }],
  })
}

function addSecret(parts: Parts, { fleet, namespace, deployment }: Place, name: string, part: string): void {
  const secret = fleet.hub.of('Secret').get(namespace, name)
  const at = subject('hub', 'Secret', namespace, name)
  const isServed = part !== 'signing key'
  // That the principal serves another one than this is reported for the Deployment.
  const claims =
    part === 'principal certificate' && deployment !== undefined ? [{ of: deployment.subject, codes: ['FLT0814'] }] : []
  if (secret === undefined) {
    parts.add(part, missing(at), { message: 'does not exist', state: 'waiting', claims })
    return
  }
  parts.add(part, at, {
    ...(isServed ? validity(secret, fleet.now, askCertificate(namespace, name)) : { message: 'is there' }),
    since: readCertificate(secret.certificate)?.notBefore ?? secret.meta.created,
    claims,
  })
}

/** Until when a certificate is good, where the source holds it. */
export function validity(
  secret: Secret,
  now: number,
  ask: string,
): { readonly message: string; readonly state?: 'unknown'; readonly ask?: string } {
  const certificate = readCertificate(secret.certificate)
  if (certificate === undefined) return { message: 'is there; its dates could not be read', state: 'unknown', ask }
  const until = new Date(certificate.notAfter).toISOString().slice(0, 16)
  const left = certificate.notAfter < now ? 'over' : `${lasting(certificate.notAfter, now)} left`
  return { message: `valid until ${until}Z, ${left}` }
}

function addResourceProxy(parts: Parts, { fleet, namespace, principal, deployment }: Place): void {
  const asked = [...(principal?.agents.values() ?? [])].flatMap(list =>
    list.flatMap(s => proxyService(s.cluster.server)),
  )
  const at = asked[0] ?? subject('hub', 'Service', namespace, `${deployment?.meta.name ?? ''}-resource-proxy`)
  const service = fleet.hub.of('Service').get(at.namespace, at.name)
  parts.add('resource proxy', service === undefined ? missing(at) : at, {
    message: service === undefined ? 'does not exist' : 'live manifests, logs and events of agents go through it',
    since: service?.meta.created,
    ...(service === undefined ? { state: 'waiting' } : {}),
    covers: asked,
  })
}

function addRegistration(parts: Parts, { fleet, registrars }: Place): void {
  for (const r of registrars) {
    const { goc, decided } = r
    const ready = condition(goc, 'Ready')
    const clusters = [...(decided?.clusters ?? [])].sort()
    const said =
      ready === undefined ? goc.phase || 'no conditions' : ready.status === 'True' ? 'Ready' : conditionText(ready)
    parts.add('registration', goc.subject, {
      message: `${said}; mode ${goc.agentMode || 'managed'}; ${count(clusters.length, 'cluster')}${clusters.length === 0 ? '' : `: ${names(clusters)}`}`,
      since: goc.lastUpdate ?? ready?.since,
      // The phase is empty while the controller works, which it does most of the time (seen).
      ...(ready === undefined || ready.status === 'True' ? {} : { state: 'waiting' }),
      covers: [...registrarStops(r), ...(decided === undefined ? [] : selectionStops(fleet, decided))],
    })
  }
}

/** The policy that brings the ArgoCD to the spokes, one for each GitOpsCluster. */
function addPolicies(parts: Parts, { fleet, registrars }: Place): void {
  if (!fleet.hub.serves('Policy')) return
  for (const { goc, decided } of registrars) {
    const { namespace, name } = goc.meta
    const policy = fleet.hub.of('Policy').get(namespace, `${name}-argocd-policy`)
    const at = subject('hub', 'Policy', namespace, `${name}-argocd-policy`)
    const binding = subject('hub', 'PlacementBinding', namespace, `${name}-argocd-policy-binding`)
    const wanted = decided?.clusters.size ?? 0
    const good = policy?.clusterStatus.filter(s => s.compliant === 'Compliant').length ?? 0
    parts.add('policy', policy === undefined ? missing(at) : at, {
      message: policy === undefined ? 'does not exist' : `compliant on ${good} of ${count(wanted, 'cluster')}`,
      ...(policy === undefined || good < wanted ? { state: 'waiting' } : {}),
      covers: [binding],
    })
  }
}

/** The AppProjects of what managed agents carry out. */
function addProjects(parts: Parts, { fleet, namespace, routed }: Place): void {
  const used = new Map<string, Set<string>>()
  for (const [agent, links] of routed) {
    for (const { app } of links) {
      if (SOURCE_UID in app.meta.annotations) continue
      used.set(app.project, (used.get(app.project) ?? new Set()).add(agent))
    }
  }
  for (const [name, agents] of [...used].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const project = fleet.hub.of('AppProject').get(namespace, name)
    const at = subject('hub', 'AppProject', namespace, name)
    const sent = project === undefined ? [] : [...agents].filter(agent => isHandedOut(fleet, project, agent)).sort()
    parts.add('project', project === undefined ? missing(at) : at, {
      message: project === undefined ? 'does not exist' : `matches ${names(sent)}`,
      since: project?.meta.created,
      ...(project === undefined ? { state: 'waiting' } : {}),
    })
  }
}
