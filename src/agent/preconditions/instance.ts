import { listed } from '../../bootstrap/names.ts'
import { isPartOfAgent } from '../../checks/agent/agent-support.ts'
import { clusterSecrets } from '../../fleet/joins/registration.ts'
import { valueAt } from '../../raw.ts'
import { unseen } from '../hub.ts'
import { failed, ifSeen, ok, type PreconditionCheck, unknown } from './precondition.ts'

/** P1. The schema itself is asked by the server: every write of `enable` is tried strictly before the first one is made. */
const served: PreconditionCheck = {
  code: 'argocd-served',
  title: 'the operator serves ArgoCD v1beta1',
  weight: 'blocks',
  judge({ fleet, facts }) {
    if (!facts.serves('ArgoCD')) {
      return failed(
        'argocds.argoproj.io is not served',
        'install OpenShift GitOps; an Argo CD without its operator is switched by hand (docs/agent.md)',
      )
    }
    const versions = fleet.hub.of('CustomResourceDefinition').get('', 'argocds.argoproj.io')?.versions
    if (versions === undefined) return unknown('the definition argocds.argoproj.io was not seen')
    const seen = `argocds.argoproj.io is served as ${listed(versions)}`
    return versions.includes('v1beta1')
      ? ok(seen)
      : failed(seen, 'update the operator: v1alpha1 has no field for a principal')
  },
}

/** P2. */
const single: PreconditionCheck = {
  code: 'one-argocd',
  title: 'exactly one ArgoCD resource is in the namespace',
  weight: 'blocks',
  judge: ({ fleet, argoNamespace, setup }) =>
    ifSeen(fleet.hub, ['ArgoCD'], () => {
      const all = fleet.hub.of('ArgoCD').all
      const own = all.filter(a => a.meta.namespace === argoNamespace)
      const others = all.length - own.length
      const seen = `${own.length} in ${argoNamespace}${others === 0 ? '' : `, ${others} elsewhere`}`
      if (own.length === 1 || (setup === 'dedicated' && own.length === 0)) return ok(seen)
      return own.length === 0
        ? failed(
            seen,
            'this Argo CD is not run by the operator, which alone turns it into a principal; --setup dedicated makes a second one',
          )
        : failed(seen, 'remove all but one: two ArgoCD resources in one namespace fight')
    }),
}

/** A principal of the charts or of kustomize has no ArgoCD resource (agent-mode.md 3.4). By its labels: names are free. */
const noOther: PreconditionCheck = {
  code: 'no-other-principal',
  title: 'no principal is installed without the operator',
  weight: 'blocks',
  judge({ fleet }) {
    const managed = new Set(
      fleet.hub
        .of('ArgoCD')
        .all.filter(a => a.principal !== undefined)
        .map(a => a.meta.namespace),
    )
    const loose = fleet.hub
      .of('Deployment')
      .all.filter(d => isPartOfAgent(d, 'principal') && !managed.has(d.meta.namespace))
    if (loose.length > 0) {
      return failed(
        `Deployment ${listed(loose.map(d => `${d.meta.namespace}/${d.meta.name}`))} runs one, and no ArgoCD resource describes it`,
        'it is set up by hand: principal.destination-based-mapping, principal.allowed-namespaces and principal.auth in its ConfigMap (argocd-agent-params), redis.server of its Redis proxy in argocd-cmd-params-cm, then restart both; or remove it first',
      )
    }
    return ifSeen(fleet.hub, ['Deployment', 'ArgoCD'], () =>
      ok('no Deployment of argocd-agent is there without an ArgoCD'),
    )
  },
}

/** P3. */
const noAgent: PreconditionCheck = {
  code: 'no-agent-beside',
  title: 'the ArgoCD resource is not an agent itself',
  weight: 'blocks',
  judge({ argo, fleet }) {
    if (argo === undefined) return unknown(unseen(fleet.hub, 'ArgoCD') ?? 'there is no ArgoCD resource')
    const isAgent = argo.agent?.enabled === true
    const seen = `.spec.argoCDAgent.agent.enabled is ${isAgent ? 'true' : 'not true'}`
    return isAgent ? failed(seen, 'principal and agent cannot be in one ArgoCD resource') : ok(seen)
  },
}

/** P4. */
const owned: PreconditionCheck = {
  code: 'not-kept-in-git',
  title: 'nobody keeps ArgoCD and Subscription in Git',
  weight: 'warns',
  judge({ owners, argo }) {
    if (argo === undefined) return unknown('there is no ArgoCD resource')
    return owners.length === 0
      ? ok('no mark of Argo CD, Flux, Helm or a Policy on them')
      : failed(owners.join('; '), 'write the change as files with "fleetctl agent enable --export DIR"')
  },
}

/** P11. */
const redis: PreconditionCheck = {
  code: 'redis-found',
  title: 'the principal finds Redis',
  weight: 'blocks',
  judge({ argo, rawArgo, fleet, setup }) {
    if (setup === 'dedicated') return ok('the new instance brings its own Redis')
    if (argo === undefined) return unknown('there is no ArgoCD resource')
    const remote = valueAt(rawArgo, 'spec', 'redis', 'remote')
    const address = argo.principal?.redisAddress ?? ''
    if ((argo.ha || typeof remote === 'string') && address === '') {
      return failed(
        argo.ha ? '.spec.ha.enabled is true' : '.spec.redis.remote is set',
        `set .spec.argoCDAgent.principal.redis.serverAddress${argo.ha ? ` to ${argo.meta.name}-redis-ha-haproxy:6379` : ''}`,
      )
    }
    const { namespace, name } = argo.meta
    const service = address.split(/[.:]/)[0] || `${name}-redis`
    if (fleet.hub.of('Service').get(namespace, service) !== undefined)
      return ok(`Service ${namespace}/${service} is there`)
    const gap = unseen(fleet.hub, 'Service')
    const isBlank = fleet.hub.of('Service').in(namespace).length === 0
    return gap !== undefined || isBlank
      ? unknown(gap ?? `no Service was seen in ${namespace}`)
      : failed(
          `there is no Service ${namespace}/${service}`,
          'set principal.redis.serverAddress to the Service of Redis',
        )
  },
}

/** P12: ACM copies the password of Redis from it. */
const redisPassword: PreconditionCheck = {
  code: 'redis-password',
  title: 'the Secret with the password of Redis is there',
  weight: 'blocks',
  judge({ fleet, argoNamespace, setup }) {
    if (setup === 'dedicated') return ok('the operator makes it with the new instance')
    const found = fleet.hub
      .of('Secret')
      .in(argoNamespace)
      .find(s => s.meta.name.endsWith('redis-initial-password'))
    if (found !== undefined) return ok(`Secret ${argoNamespace}/${found.meta.name}`)
    const gap = unseen(fleet.hub, 'Secret')
    // A recording may hold cluster secrets alone.
    const isBlank = fleet.hub.of('Secret').in(argoNamespace).length === fleet.join(clusterSecrets).all.length
    return gap !== undefined || isBlank
      ? unknown(gap ?? 'only cluster secrets were seen')
      : failed(
          `no Secret in ${argoNamespace} ends in redis-initial-password`,
          'make it with key admin.password: ACM stops with "ArgoCD Redis password secret not found"',
        )
  },
}

/** P28. */
const tracking: PreconditionCheck = {
  code: 'tracking-by-annotation',
  title: 'resources are tracked by annotation',
  weight: 'warns',
  judge({ rawArgo, argo }) {
    if (argo === undefined || rawArgo === undefined) return unknown('there is no ArgoCD resource')
    const method = valueAt(rawArgo, 'spec', 'resourceTrackingMethod')
    const seen = `.spec.resourceTrackingMethod is ${typeof method === 'string' ? method : 'not set'}`
    return method === 'label'
      ? failed(seen, 'live resources of agents are found by annotation only: set annotation or annotation+label')
      : ok(seen)
  },
}

export const INSTANCE_CHECKS: readonly PreconditionCheck[] = [
  served,
  single,
  noOther,
  noAgent,
  owned,
  redis,
  redisPassword,
  tracking,
]
