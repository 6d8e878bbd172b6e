import { CLUSTER_SET_LABEL } from '../../src/fleet/labels.ts'
import { isObject, type RawObject, textAt, valueAt } from '../../src/raw.ts'
import { hubObjects as readHubObjects } from './before-bootstrap.ts'
import type { BootstrapHub } from './bootstrap-hub.ts'
import { operatorState } from './operator-states.ts'

export const ARGO = 'openshift-gitops'
/** Names under which ACM's part was recorded; the tests ask for the same. */
export const GOC = 'gitops-agent-clusters'
export const PLACEMENT = 'production-clusters'
const HOST = 'openshift-gitops-agent-principal-openshift-gitops.apps.hub.example.test'
const REDIS_PROXY = 'agent-principal-redisproxy'

const known = new Map<string, readonly RawObject[]>()

function hubObjects(fleet: string): readonly RawObject[] {
  const found = known.get(fleet) ?? readHubObjects(fleet)
  known.set(fleet, found)
  return found
}

type Played = 'plain' | 'principal' | 'hybrid'

const nameOf = (object: RawObject): string => textAt(object, 'metadata', 'name')
const keyOf = (object: RawObject): string =>
  `${textAt(object, 'kind')}/${textAt(object, 'metadata', 'namespace')}/${nameOf(object)}`

/** Of a recorded object only what somebody wanted of it; owners had other uids. */
function bare(object: RawObject): RawObject {
  const { status: _, ...rest } = object
  const {
    uid,
    resourceVersion,
    generation,
    creationTimestamp,
    managedFields,
    ownerReferences,
    finalizers,
    ...metadata
  } = isObject(object.metadata) ? object.metadata : {}
  if (object.kind !== 'Service') return { ...rest, metadata }
  const { clusterIP, clusterIPs, ...spec } = isObject(object.spec) ? object.spec : {}
  return { ...rest, metadata, spec }
}

const operatorObjects = (state: Played): readonly RawObject[] => operatorState(state).filter(isOperators)

/** What the operator makes of the ArgoCD resource, without the ServiceAccounts, which no test looks at. */
function isOperators(object: RawObject): boolean {
  const namespace = textAt(object, 'metadata', 'namespace')
  const kind = textAt(object, 'kind')
  if (kind === 'ArgoCD' || kind === 'ServiceAccount') return false
  return namespace === ARGO || (namespace === '' && nameOf(object).startsWith(`${ARGO}-${ARGO}`))
}

/** Objects that ACM makes of the GitOpsCluster, as they were recorded beside it. */
function isAcms(object: RawObject): boolean {
  const name = nameOf(object)
  const kind = textAt(object, 'kind')
  const namespace = textAt(object, 'metadata', 'namespace')
  if (kind === 'ManagedClusterAddOn') return name === 'gitops-addon'
  if (kind === 'AddOnDeploymentConfig') return name === 'gitops-addon-config'
  if (kind === 'ManifestWork') return name === 'argocd-agent-ca-mw'
  if (kind === 'AddOnTemplate') return true
  if (namespace !== ARGO) return false
  if (kind === 'Policy' || kind === 'PlacementBinding') return true
  if (kind === 'Secret') return /^(argocd-agent-|argocd-redis$|cluster-)/.test(name)
  if (kind === 'ConfigMap') return /^(acm-placement|argocd-agent-)/.test(name)
  return (kind === 'Role' || kind === 'RoleBinding') && /^addon-manager|applicationset-controller-placement$/.test(name)
}

/** Kinds whose status another controller wrote; that of a Policy is played for itself. */
const STATUS_KINDS = new Set(['ManagedClusterAddOn', 'ManifestWork'])
const BASE_KINDS = new Set(['ManagedClusterSet', 'ClusterManagementAddOn', 'Subscription', 'ClusterServiceVersion'])

/** The hub before: its clusters, operator and policy add-ons from the recorded agent fleet, without anything of agents. */
export function baseObjects(): readonly RawObject[] {
  const recorded = hubObjects('agent-healthy')
  const kept = recorded.flatMap((object): RawObject[] => {
    const kind = textAt(object, 'kind')
    const status = object.status === undefined ? {} : { status: object.status }
    if (kind === 'ManagedCluster') {
      const plain = bare(object)
      const metadata = isObject(plain.metadata) ? plain.metadata : {}
      const { [CLUSTER_SET_LABEL]: _, ...labels } = isObject(metadata.labels) ? metadata.labels : {}
      return [{ ...plain, metadata: { ...metadata, labels }, ...status }]
    }
    if (kind === 'ManagedClusterAddOn' && nameOf(object) !== 'gitops-addon') {
      // The policy add-ons were stand-ins in the recording, without a lease; here they are up.
      return [{ ...bare(object), status: { conditions: [condition('Available', 'ManagedClusterAddOnLeaseUpdated')] } }]
    }
    return BASE_KINDS.has(kind) ? [{ ...bare(object), ...status }] : []
  })
  const project = hubObjects('push-healthy').filter(o => textAt(o, 'kind') === 'AppProject')
  const local = hubObjects('agent-hub-frozen-push').filter(o => nameOf(o) === 'hub-branding')
  const namespaces = ['openshift-gitops', 'openshift-gitops-operator', 'bm', 'sno', 'local-cluster']
  return [
    ...namespaces.map(name => ({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } })),
    {
      apiVersion: 'argoproj.io/v1beta1',
      kind: 'ArgoCD',
      metadata: { name: ARGO, namespace: ARGO },
      spec: { applicationSet: {}, server: { route: { enabled: true } } },
    },
    ...kept,
    ...project.map(bare),
    ...local.map(bare),
  ]
}

function condition(type: string, reason: string): RawObject {
  return { type, status: 'True', reason, message: '', lastTransitionTime: '2026-11-30T16:01:07Z' }
}

/** Parts that may stay away, for a signal that never comes. */
export type LabPart = 'operator' | 'acm' | 'policy' | 'placement' | 'applications' | 'principal'

/**
 * The controllers' part of a switch, played: each puts recorded objects there as soon as what it acts upon is there. Nothing
 * is decided here.
 */
export class AgentLab {
  readonly #hub: BootstrapHub
  readonly #silent: ReadonlySet<LabPart>
  readonly #states: Readonly<Record<Played, readonly RawObject[]>>
  #isOn = true
  #running: Promise<void> | undefined

  constructor(hub: BootstrapHub, silent: readonly LabPart[] = []) {
    this.#hub = hub
    this.#silent = new Set(silent)
    this.#states = {
      plain: operatorObjects('plain'),
      principal: operatorObjects('principal'),
      hybrid: operatorObjects('hybrid'),
    }
  }

  start(): void {
    this.#running = this.#run()
  }

  async stop(): Promise<void> {
    this.#isOn = false
    await this.#running
  }

  async #run(): Promise<void> {
    while (this.#isOn) {
      await this.once().catch(again)
      await new Promise(resolve => setTimeout(resolve, 100))
    }
  }

  /** Everything once: as when each controller has looked at the hub. */
  async once(): Promise<void> {
    if (!this.#silent.has('operator')) await this.#operate()
    if (!this.#silent.has('placement')) await this.#decide()
    if (!this.#silent.has('policy')) await this.#comply()
    if (!this.#silent.has('acm')) await this.#register()
    if (!this.#silent.has('applications')) await this.#generate()
  }

  async #operate(): Promise<void> {
    const argo = await this.#hub.get({
      apiVersion: 'argoproj.io/v1beta1',
      kind: 'ArgoCD',
      metadata: { name: ARGO, namespace: ARGO },
    })
    const isPrincipal = valueAt(argo, 'spec', 'argoCDAgent', 'principal', 'enabled') === true
    const isOff = valueAt(argo, 'spec', 'controller', 'enabled') === false
    const state: Played = !isPrincipal ? 'plain' : isOff ? 'principal' : 'hybrid'
    const wanted = new Map(this.#states[state].map(o => [keyOf(o), o]))
    for (const object of Object.values(this.#states).flat()) {
      if (!wanted.has(keyOf(object)) && (await this.#hub.get(object)) !== undefined) await this.#hub.remove(object)
    }
    for (const object of wanted.values()) await this.#put(this.#played(object))
  }

  /** The recorded object with a finished roll-out, and with the host of a Route. */
  #played(object: RawObject): RawObject {
    const plain = bare(object)
    const kind = textAt(object, 'kind')
    if (kind === 'Route' && nameOf(object).includes('principal')) {
      return { ...plain, spec: { ...(isObject(plain.spec) ? plain.spec : {}), host: HOST } }
    }
    return plain
  }

  /** Makes or changes an object, and finishes its roll-out. */
  async #put(object: RawObject): Promise<void> {
    const there = await this.#hub.get(object)
    const kind = textAt(object, 'kind')
    if (there === undefined) await this.#hub.create(object)
    else if (kind === 'Deployment' || kind === 'StatefulSet') {
      const has = (o: RawObject) => JSON.stringify(valueAt(o, 'spec', 'template')).includes(REDIS_PROXY)
      if (has(there) !== has(object)) {
        await this.#hub.remove(object)
        await this.#hub.create(object)
      }
    } else return
    if (kind === 'Deployment' || kind === 'StatefulSet') await this.#rollOut(object)
  }

  /** A principal starts only with its certificates. */
  async #rollOut(object: RawObject): Promise<void> {
    const there = await this.#hub.get(object)
    if (there === undefined) return
    const isPrincipal = nameOf(object).endsWith('agent-principal')
    const starts =
      !isPrincipal ||
      (!this.#silent.has('principal') && (await this.#hub.get(secret('argocd-agent-jwt'))) !== undefined)
    const observedGeneration = valueAt(there, 'metadata', 'generation')
    const isSame = valueAt(there, 'status', 'observedGeneration') === observedGeneration
    if (isSame && (!starts || valueAt(there, 'status', 'availableReplicas') === 1)) return
    const seen = { observedGeneration, replicas: 1, updatedReplicas: 1 }
    // As it was recorded of every Deployment there, whose pods never started.
    const reason = 'MinimumReplicasUnavailable'
    const down = {
      ...condition('Available', reason),
      status: 'False',
      message: 'Deployment does not have minimum availability.',
    }
    const up = { readyReplicas: 1, availableReplicas: 1, unavailableReplicas: null, conditions: null }
    await this.#hub.setStatus(
      object,
      starts ? { ...seen, ...up } : { ...seen, unavailableReplicas: 1, conditions: [down] },
    )
  }

  async #decide(): Promise<void> {
    const placement = await this.#hub.get(placementObject)
    const decision = {
      apiVersion: 'cluster.open-cluster-management.io/v1beta1',
      kind: 'PlacementDecision',
      metadata: {
        name: `${PLACEMENT}-decision-1`,
        namespace: ARGO,
        labels: { 'cluster.open-cluster-management.io/placement': PLACEMENT },
      },
      status: { decisions: placement === undefined ? [] : await this.#members() },
    }
    const there = await this.#hub.get(decision)
    if (placement === undefined && there !== undefined) await this.#hub.remove(decision)
    if (placement !== undefined && there === undefined) await this.#hub.create(decision)
    const isSame = JSON.stringify(valueAt(there, 'status', 'decisions')) === JSON.stringify(decision.status.decisions)
    if (placement !== undefined && there !== undefined && !isSame) await this.#hub.setStatus(decision, decision.status)
  }

  /** Clusters that are in a set: the Placement of the tests takes all that are. */
  async #members(): Promise<readonly { readonly clusterName: string; readonly reason: string }[]> {
    const list = await this.#hub.server.request('GET', '/apis/cluster.open-cluster-management.io/v1/managedclusters')
    const items: RawObject[] = isObject(list) && Array.isArray(list.items) ? list.items : []
    const inSet = items.filter(o => textAt(o, 'metadata', 'labels', CLUSTER_SET_LABEL) !== '')
    return inSet.map(o => ({ clusterName: nameOf(o), reason: '' }))
  }

  /** Clusters of the decision as it stands. */
  async #decided(): Promise<readonly string[]> {
    const list = await this.#hub.server.request(
      'GET',
      `/apis/cluster.open-cluster-management.io/v1beta1/namespaces/${ARGO}/placementdecisions`,
    )
    const items: RawObject[] = isObject(list) && Array.isArray(list.items) ? list.items : []
    return items.flatMap(o => {
      const decisions = valueAt(o, 'status', 'decisions')
      return Array.isArray(decisions) ? decisions.map(d => textAt(d, 'clusterName')) : []
    })
  }

  async #comply(): Promise<void> {
    const list = await this.#hub.server.request(
      'GET',
      `/apis/policy.open-cluster-management.io/v1/namespaces/${ARGO}/policies`,
    )
    for (const item of isObject(list) && Array.isArray(list.items) ? list.items : []) {
      const policy = { apiVersion: 'policy.open-cluster-management.io/v1', kind: 'Policy', ...item }
      if (valueAt(policy, 'status', 'compliant') === 'Compliant') continue
      await this.#hub.setStatus(policy, {
        compliant: 'Compliant',
        status: ['bm', 'sno'].map(clustername => ({
          clustername,
          clusternamespace: clustername,
          compliant: 'Compliant',
        })),
      })
    }
  }

  async #register(): Promise<void> {
    const goc = await this.#hub.get(gocObject)
    if (goc === undefined) return
    const decided = await this.#decided()
    const isWanted = (object: RawObject): boolean => {
      const cluster = ['bm', 'sno'].find(
        c => textAt(object, 'metadata', 'namespace') === c || nameOf(object) === `cluster-${c}`,
      )
      return cluster === undefined || decided.includes(cluster)
    }
    // At every look, as ACM does: what is missing comes back while the GitOpsCluster is there.
    for (const object of hubObjects('agent-healthy').filter(isAcms).filter(isWanted)) {
      const status = object.status === undefined ? {} : { status: object.status }
      const plain = { ...bare(object), ...(STATUS_KINDS.has(textAt(object, 'kind')) ? status : {}) }
      if ((await this.#hub.get(plain)) === undefined) await this.#hub.create(plain)
    }
    const principal = this.#states.principal.find(o => keyOf(o) === `Deployment/${ARGO}/${ARGO}-agent-principal`)
    if (principal !== undefined) await this.#rollOut(principal)
    if (valueAt(goc, 'status', 'phase') === 'successful') return
    const address = { serverAddress: HOST, serverPort: '443' }
    await this.#hub.patch(gocObject, { spec: { gitopsAddon: { argoCDAgent: address } } }, 'multicluster-integrations')
    const recorded = hubObjects('agent-healthy').find(o => textAt(o, 'kind') === 'GitOpsCluster')
    await this.#hub.setStatus(gocObject, {
      ...(isObject(recorded?.status) ? recorded.status : {}),
      lastUpdateTime: new Date().toISOString().replace(/\.\d+/, ''),
      phase: 'successful',
    })
  }

  async #generate(): Promise<void> {
    const list = await this.#hub.server.request('GET', `/apis/argoproj.io/v1alpha1/namespaces/${ARGO}/applicationsets`)
    const all: RawObject[] = isObject(list) && Array.isArray(list.items) ? list.items : []
    // Only those that a Placement drives are played.
    const sets = all.filter(set => JSON.stringify(set.spec).includes('clusterDecisionResource'))
    const others = new Set(all.filter(set => !sets.includes(set)).map(set => textAt(set, 'metadata', 'uid')))
    const wanted = new Map<string, RawObject>()
    const decided = await this.#decided()
    for (const set of sets) {
      // The controller says in the first second that it has taken one up.
      if (set.status === undefined) {
        const recorded = hubObjects('agent-healthy').find(o => textAt(o, 'kind') === 'ApplicationSet')
        const conditions = valueAt(recorded, 'status', 'conditions')
        await this.#hub.patch(
          { apiVersion: 'argoproj.io/v1alpha1', kind: 'ApplicationSet', ...set },
          { status: { conditions } },
          'argocd-applicationset-controller',
        )
      }
      for (const cluster of decided) {
        const template = JSON.parse(JSON.stringify(valueAt(set, 'spec', 'template')).replaceAll('{{name}}', cluster))
        wanted.set(template.metadata.name, {
          apiVersion: 'argoproj.io/v1alpha1',
          kind: 'Application',
          metadata: {
            ...template.metadata,
            namespace: ARGO,
            ownerReferences: [
              {
                apiVersion: 'argoproj.io/v1alpha1',
                kind: 'ApplicationSet',
                name: nameOf(set),
                uid: textAt(set, 'metadata', 'uid'),
                controller: true,
              },
            ],
          },
          spec: template.spec,
        })
      }
    }
    const apps = await this.#hub.server.request('GET', `/apis/argoproj.io/v1alpha1/namespaces/${ARGO}/applications`)
    for (const app of isObject(apps) && Array.isArray(apps.items) ? apps.items : []) {
      const owner = app.metadata.ownerReferences?.[0]
      const isOwned = owner !== undefined && !others.has(owner.uid)
      if (isOwned && !wanted.has(app.metadata.name)) {
        await this.#hub.remove({ apiVersion: 'argoproj.io/v1alpha1', kind: 'Application', ...app })
      }
    }
    for (const app of wanted.values()) {
      if ((await this.#hub.get(app)) !== undefined) continue
      await this.#hub.create(app)
      const now = new Date().toISOString().replace(/\.\d+/, '')
      const status = {
        sync: { status: 'Synced', revision: '0123456789abcdef0123456789abcdef01234567' },
        health: { status: 'Healthy' },
        reconciledAt: now,
      }
      await this.#hub.patch(app, { status }, 'argocd-agent')
    }
  }
}

/** Somebody was faster: a controller looks again. */
function again(error: unknown): void {
  if (!(error instanceof Error) || !/: 40[49] /.test(error.message)) throw error
}

function secret(name: string): RawObject {
  return { apiVersion: 'v1', kind: 'Secret', metadata: { name, namespace: ARGO } }
}

const placementObject = {
  apiVersion: 'cluster.open-cluster-management.io/v1beta1',
  kind: 'Placement',
  metadata: { name: PLACEMENT, namespace: ARGO },
}

const gocObject = {
  apiVersion: 'apps.open-cluster-management.io/v1beta1',
  kind: 'GitOpsCluster',
  metadata: { name: GOC, namespace: ARGO },
}

const LISTS: readonly string[] = [
  '/api/v1/namespaces',
  ...['secrets', 'configmaps', 'services'].map(plural => `/api/v1/${plural}`),
  ...['deployments', 'statefulsets'].map(plural => `/apis/apps/v1/${plural}`),
  ...['roles', 'rolebindings', 'clusterroles', 'clusterrolebindings'].map(
    plural => `/apis/rbac.authorization.k8s.io/v1/${plural}`,
  ),
  `/apis/coordination.k8s.io/v1/namespaces/${ARGO}/leases`,
  ...['applications', 'applicationsets', 'appprojects'].map(plural => `/apis/argoproj.io/v1alpha1/${plural}`),
  '/apis/argoproj.io/v1beta1/argocds',
  ...['placements', 'placementdecisions'].map(plural => `/apis/cluster.open-cluster-management.io/v1beta1/${plural}`),
  '/apis/cluster.open-cluster-management.io/v1/managedclusters',
  ...['managedclustersets', 'managedclustersetbindings'].map(
    plural => `/apis/cluster.open-cluster-management.io/v1beta2/${plural}`,
  ),
  '/apis/apps.open-cluster-management.io/v1beta1/gitopsclusters',
  ...['managedclusteraddons', 'addondeploymentconfigs', 'addontemplates', 'clustermanagementaddons'].map(
    plural => `/apis/addon.open-cluster-management.io/v1alpha1/${plural}`,
  ),
  '/apis/work.open-cluster-management.io/v1/manifestworks',
  ...['policies', 'placementbindings'].map(plural => `/apis/policy.open-cluster-management.io/v1/${plural}`),
  '/apis/operators.coreos.com/v1alpha1/subscriptions',
  '/apis/route.openshift.io/v1/routes',
]

/** The server sets a kind up when it is first asked for, and says so until then. */
async function listed(hub: BootstrapHub, path: string): Promise<unknown> {
  for (let tries = 0; ; tries++) {
    try {
      return await hub.server.request('GET', path)
    } catch (error) {
      if (tries > 400 || !(error instanceof Error) || !error.message.includes('initializing')) throw error
      await new Promise(resolve => setTimeout(resolve, 500))
    }
  }
}

/** Every object of the hub, field by field, without what a server sets, status, and managedFields. */
export async function snapshotOf(hub: BootstrapHub): Promise<ReadonlyMap<string, RawObject>> {
  const all = new Map<string, RawObject>()
  for (const path of LISTS) {
    const list = await listed(hub, path)
    for (const item of isObject(list) && Array.isArray(list.items) ? list.items : []) {
      const plain = bare({ kind: path.endsWith('/services') ? 'Service' : '', ...item })
      all.set(`${path} ${textAt(item, 'metadata', 'namespace')}/${nameOf(item)}`, {
        ...plain,
        finalizers: valueAt(item, 'metadata', 'finalizers') ?? [],
      })
    }
  }
  return all
}
