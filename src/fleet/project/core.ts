import { readConfig } from '../cluster-config.ts'
import type { KindName } from '../kinds.ts'
import { SECRET_TYPE } from '../labels.ts'
import type {
  ConfigMap,
  Crd,
  Csr,
  KubeEvent,
  Lease,
  Namespace,
  Pod,
  PolicyRule,
  Role,
  RoleBinding,
  Route,
  Secret,
  Service,
  Workload,
} from '../records.ts'
import { projectBase, projectConditions, selectorOf } from './common.ts'
import type { Fields } from './fields.ts'

function decoded(data: Fields, plain: Fields, key: string): string {
  const text = data.str(key)
  return text === '' ? plain.str(key) : Buffer.from(text, 'base64').toString('utf8')
}

/** Secrets that argocd-agent and the GitOpsCluster controller name so (agent-mode.md 1.7, 1.10). */
const AGENT_TLS = /^argocd-agent-(ca|client-tls|principal-tls|resource-proxy-tls)$/

/**
 * Key names of a Secret. Of an Argo CD cluster secret also `name` and `server`, which every join needs, whether there is a
 * `config`, whether it switches TLS off and how long its certificates are good; of the TLS secrets of argocd-agent the public certificate. Every other value,
 * tokens and keys above all, ends here.
 */
export function secret(cluster: string, o: Fields): Secret {
  const { subject, meta } = projectBase(cluster, 'Secret', o)
  const data = o.obj('data')
  const plain = o.obj('stringData')
  const keys = [...new Set([...Object.keys(data.raw), ...Object.keys(plain.raw)])].sort()
  return {
    subject,
    meta,
    type: o.str('type'),
    keys,
    cluster:
      meta.labels[SECRET_TYPE] === 'cluster'
        ? {
            name: decoded(data, plain, 'name'),
            server: decoded(data, plain, 'server').replace(/\/+$/, ''),
            hasConfig: keys.includes('config'),
            ...readConfig(decoded(data, plain, 'config')),
          }
        : undefined,
    certificate: AGENT_TLS.test(meta.name) ? decoded(data, plain, 'tls.crt') || undefined : undefined,
  }
}

export function configMap(cluster: string, o: Fields): ConfigMap {
  const { subject, meta } = projectBase(cluster, 'ConfigMap', o)
  return { subject, meta, data: o.map('data') }
}

export function service(cluster: string, o: Fields): Service {
  const spec = o.obj('spec')
  const { subject, meta } = projectBase(cluster, 'Service', o)
  return {
    subject,
    meta,
    type: spec.str('type') || 'ClusterIP',
    selector: spec.map('selector'),
    ports: spec.objs('ports').map(p => p.num('port') ?? 0),
  }
}

export function namespace(cluster: string, o: Fields): Namespace {
  const { subject, meta } = projectBase(cluster, 'Namespace', o)
  return { subject, meta, phase: o.obj('status').str('phase') }
}

function rules(o: Fields): readonly PolicyRule[] {
  return o.objs('rules').map(r => ({
    apiGroups: r.strs('apiGroups'),
    resources: r.strs('resources'),
    resourceNames: r.strs('resourceNames'),
    verbs: r.strs('verbs'),
  }))
}

export function role(kind: 'Role' | 'ClusterRole'): (cluster: string, o: Fields) => Role {
  return (cluster, o) => {
    const { subject, meta } = projectBase(cluster, kind, o)
    return {
      subject,
      meta,
      rules: rules(o),
      aggregates: o.obj('aggregationRule').objs('clusterRoleSelectors').map(selectorOf),
    }
  }
}

export function roleBinding(kind: 'RoleBinding' | 'ClusterRoleBinding'): (cluster: string, o: Fields) => RoleBinding {
  return (cluster, o) => {
    const ref = o.obj('roleRef')
    const { subject, meta } = projectBase(cluster, kind, o)
    return {
      subject,
      meta,
      roleKind: ref.str('kind'),
      roleName: ref.str('name'),
      subjects: o
        .objs('subjects')
        .map(s => ({ kind: s.str('kind'), namespace: s.str('namespace'), name: s.str('name') })),
    }
  }
}

export function workload(kind: 'Deployment' | 'StatefulSet'): (cluster: string, o: Fields) => Workload {
  return (cluster, o) => {
    const spec = o.obj('spec')
    const status = o.obj('status')
    const containers = spec.obj('template').obj('spec').objs('containers')
    const env: Record<string, string> = {}
    for (const c of containers) {
      // Values from Secrets and ConfigMaps have no `value` here, so no secret text can get in.
      for (const e of c.objs('env')) if (e.has('value')) env[e.str('name')] = e.str('value')
    }
    const { subject, meta } = projectBase(cluster, kind, o)
    return {
      subject,
      meta,
      replicas: spec.num('replicas') ?? 1,
      readyReplicas: status.num('readyReplicas') ?? 0,
      images: containers.map(c => c.str('image')),
      env,
      args: containers.flatMap(c => [...c.strs('command'), ...c.strs('args')]),
      conditions: projectConditions(status),
    }
  }
}

export function pod(cluster: string, o: Fields): Pod {
  const status = o.obj('status')
  const { subject, meta } = projectBase(cluster, 'Pod', o)
  return {
    subject,
    meta,
    phase: status.str('phase'),
    started: status.time('startTime'),
    containers: status.objs('containerStatuses').map(c => ({
      name: c.str('name'),
      ready: c.bool('ready') ?? false,
      restarts: c.num('restartCount') ?? 0,
      waitingReason: c.obj('state').obj('waiting').str('reason'),
      lastMessage: c.obj('lastState').obj('terminated').str('message'),
    })),
  }
}

export function lease(cluster: string, o: Fields): Lease {
  const spec = o.obj('spec')
  const { subject, meta } = projectBase(cluster, 'Lease', o)
  return {
    subject,
    meta,
    renewed: spec.time('renewTime'),
    durationSeconds: spec.num('leaseDurationSeconds'),
  }
}

export function csr(cluster: string, o: Fields): Csr {
  const status = o.obj('status')
  const { subject, meta } = projectBase(cluster, 'CertificateSigningRequest', o)
  return {
    subject,
    meta,
    signer: o.obj('spec').str('signerName'),
    conditions: projectConditions(status),
    hasCertificate: status.has('certificate'),
  }
}

export function event(cluster: string, o: Fields): KubeEvent {
  const involved = o.has('regarding') ? o.obj('regarding') : o.obj('involvedObject')
  const { subject, meta } = projectBase(cluster, 'Event', o)
  return {
    subject,
    meta,
    involved: { kind: involved.str('kind'), namespace: involved.str('namespace'), name: involved.str('name') },
    reason: o.str('reason'),
    message: o.str('message') || o.str('note'),
    type: o.str('type'),
    lastSeen: o.time('lastTimestamp') ?? o.time('eventTime') ?? o.time('deprecatedLastTimestamp'),
  }
}

export function crd(cluster: string, o: Fields): Crd {
  const spec = o.obj('spec')
  const names = spec.obj('names')
  const { subject, meta } = projectBase(cluster, 'CustomResourceDefinition', o)
  return {
    subject,
    meta,
    group: spec.str('group'),
    kind: names.str('kind'),
    plural: names.str('plural'),
    versions: spec
      .objs('versions')
      .filter(v => v.bool('served') !== false)
      .map(v => v.str('name')),
  }
}

export function route(cluster: string, o: Fields): Route {
  const spec = o.obj('spec')
  let admitted: boolean | undefined
  for (const ingress of o.obj('status').objs('ingress')) {
    for (const c of projectConditions(ingress))
      if (c.type === 'Admitted') admitted = admitted === true || c.status === 'True'
  }
  const { subject, meta } = projectBase(cluster, 'Route', o)
  return {
    subject,
    meta,
    host: spec.str('host'),
    termination: spec.obj('tls').str('termination'),
    admitted,
  }
}

/** A kind of which checks read no more than metadata and conditions. */
export function plain(kind: KindName) {
  return (cluster: string, o: Fields) => {
    const { subject, meta } = projectBase(cluster, kind, o)
    return { subject, meta, conditions: projectConditions(o.obj('status')) }
  }
}
