import { PLACEMENT_LABEL } from '../../src/fleet/labels.ts'
import { type RawObject, textAt, valueAt } from '../../src/raw.ts'
import type { BootstrapHub } from './bootstrap-hub.ts'

const ARGO = 'openshift-gitops'
const AT = '2026-11-30T15:41:24Z'
const CLUSTERS = ['bm', 'sno']

const condition = (type: string, reason: string, message = '') => ({
  type,
  status: 'True',
  reason,
  message,
  lastTransitionTime: AT,
})

function object(apiVersion: string, kind: string, name: string, rest: RawObject = {}): RawObject {
  return { apiVersion, kind, metadata: { name, namespace: ARGO }, ...rest }
}

/**
 * The controllers' part of a push or pull set-up, played: what the placement, policy, GitOpsCluster and ApplicationSet
 * controllers, Argo CD and, for pull, ACM's pull controllers and work agents write, once the object that they act upon is
 * there. Nothing of it is decided; it is what the recorded push and pull fleets hold.
 */
export class PlayedControllers {
  readonly #hub: BootstrapHub
  #isOn = true
  readonly #made: RawObject[] = []

  constructor(hub: BootstrapHub) {
    this.#hub = hub
  }

  /** Acts until it is stopped; `silent` names kinds on which nobody acts. */
  async run(silent: readonly string[] = []): Promise<void> {
    const acts: readonly (readonly [RawObject, (there: RawObject) => Promise<void>])[] = [
      [object('cluster.open-cluster-management.io/v1beta1', 'Placement', 'demo-clusters'), p => this.#decide(p)],
      [object('apps.open-cluster-management.io/v1beta1', 'GitOpsCluster', 'gitops-demo'), g => this.#register(g)],
      [object('policy.open-cluster-management.io/v1', 'Policy', 'demo-spoke-gitops'), p => this.#comply(p)],
      [object('argoproj.io/v1alpha1', 'ApplicationSet', 'demo-push'), a => this.#generate(a, () => Promise.resolve())],
      [object('argoproj.io/v1alpha1', 'ApplicationSet', 'demo-pull'), a => this.#generate(a, app => this.#carry(app))],
    ]
    const done = new Set<RawObject>()
    while (this.#isOn) {
      for (const [wanted, act] of acts) {
        if (done.has(wanted) || silent.includes(String(wanted.kind))) continue
        const there = await this.#hub.get(wanted)
        if (there === undefined) continue
        await act(there)
        done.add(wanted)
      }
      await new Promise(resolve => setTimeout(resolve, 100))
    }
  }

  /** Stops, and takes away what was made. */
  async stop(): Promise<void> {
    this.#isOn = false
    for (const made of this.#made.reverse()) await this.#hub.remove(made)
  }

  async #create(made: RawObject): Promise<void> {
    this.#made.push(made)
    await this.#hub.create(made)
  }

  async #decide(placement: RawObject): Promise<void> {
    const decision = object(
      'cluster.open-cluster-management.io/v1beta1',
      'PlacementDecision',
      'demo-clusters-decision-1',
    )
    await this.#create({
      ...decision,
      metadata: { name: 'demo-clusters-decision-1', namespace: ARGO, labels: { [PLACEMENT_LABEL]: 'demo-clusters' } },
      status: { decisions: CLUSTERS.map(clusterName => ({ clusterName, reason: '' })) },
    })
    await this.#hub.setStatus(placement, {
      numberOfSelectedClusters: 2,
      conditions: [condition('PlacementSatisfied', 'AllDecisionsScheduled', 'All cluster decisions scheduled')],
    })
  }

  async #comply(policy: RawObject): Promise<void> {
    await this.#hub.setStatus(policy, {
      compliant: 'Compliant',
      status: CLUSTERS.map(clustername => ({ clustername, clusternamespace: clustername, compliant: 'Compliant' })),
    })
  }

  async #register(goc: RawObject): Promise<void> {
    for (const cluster of CLUSTERS) {
      await this.#account(cluster)
      await this.#create({
        apiVersion: 'v1',
        kind: 'Secret',
        metadata: {
          name: `${cluster}-application-manager-cluster-secret`,
          namespace: ARGO,
          labels: {
            'argocd.argoproj.io/secret-type': 'cluster',
            'apps.open-cluster-management.io/acm-cluster': 'true',
            'apps.open-cluster-management.io/cluster-name': cluster,
            'apps.open-cluster-management.io/data-source': 'managed-service-account',
          },
        },
        stringData: { name: cluster, server: `https://api.${cluster}.example.test:6443`, config: '{}' },
      })
    }
    await this.#create({
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'acm-placement', namespace: ARGO },
      data: {
        apiVersion: 'cluster.open-cluster-management.io/v1beta1',
        kind: 'placementdecisions',
        statusListKey: 'decisions',
        matchKey: 'clusterName',
      },
    })
    await this.#hub.setStatus(goc, {
      phase: 'successful',
      message: 'Added managed clusters [bm sno] to gitops namespace openshift-gitops',
      lastUpdateTime: new Date().toISOString().replace(/\.\d+/, ''),
      conditions: [
        condition('Ready', 'Success'),
        condition('PlacementResolved', 'Success'),
        condition('ClustersRegistered', 'Success'),
      ],
    })
  }

  /** The account that ACM's application-manager add-on makes, with its token. */
  async #account(cluster: string): Promise<void> {
    await this.#create({
      apiVersion: 'authentication.open-cluster-management.io/v1beta1',
      kind: 'ManagedServiceAccount',
      metadata: { name: 'application-manager', namespace: cluster },
      spec: { rotation: { enabled: true, validity: '8640h0m0s' } },
      status: {
        expirationTimestamp: '2036-11-30T15:41:24Z',
        tokenSecretRef: { name: 'application-manager', lastRefreshTimestamp: AT },
        conditions: [condition('TokenReported', 'TokenReported'), condition('SecretCreated', 'SecretCreated')],
      },
    })
  }

  /** @param then what follows of each Application */
  async #generate(appSet: RawObject, then: (app: RawObject) => Promise<void>): Promise<void> {
    const uid = valueAt(appSet, 'metadata', 'uid')
    const name = textAt(appSet, 'metadata', 'name')
    const { labels, annotations } = JSON.parse(JSON.stringify(valueAt(appSet, 'spec', 'template', 'metadata')))
    const spec = valueAt(appSet, 'spec', 'template', 'spec')
    for (const cluster of CLUSTERS) {
      const owner = {
        apiVersion: 'argoproj.io/v1alpha1',
        kind: 'ApplicationSet',
        name,
        uid,
        controller: true,
      }
      const text = JSON.stringify(spec).replaceAll('{{name}}', cluster)
      const marks = JSON.parse(JSON.stringify({ labels, annotations }).replaceAll('{{name}}', cluster))
      const now = new Date().toISOString().replace(/\.\d+/, '')
      const app = object('argoproj.io/v1alpha1', 'Application', `${name}-${cluster}`)
      await this.#create({
        ...app,
        metadata: { name: `${name}-${cluster}`, namespace: ARGO, ownerReferences: [owner], ...marks },
        spec: JSON.parse(text),
        status: {
          sync: {
            status: 'Synced',
            revision: '0123456789abcdef0123456789abcdef01234567',
            comparedTo: { source: JSON.parse(text).source, destination: JSON.parse(text).destination },
          },
          health: { status: 'Healthy' },
          reconciledAt: now,
        },
      })
      const made = await this.#hub.get(app)
      if (made !== undefined) await then(made)
    }
    await this.#hub.setStatus(appSet, {
      conditions: [
        {
          type: 'ErrorOccurred',
          status: 'False',
          reason: 'ApplicationSetUpToDate',
          message: '',
          lastTransitionTime: AT,
        },
        condition('ParametersGenerated', 'ParametersGenerated'),
        condition('ResourcesUpToDate', 'ApplicationSetUpToDate'),
      ],
    })
  }

  /** A pull Application on its way: its ManifestWork, as the work agent reports on it, and its entry in the report. */
  async #carry(app: RawObject): Promise<void> {
    const name = textAt(app, 'metadata', 'name')
    const cluster = textAt(app, 'metadata', 'annotations', 'apps.open-cluster-management.io/ocm-managed-cluster')
    const owners = valueAt(app, 'metadata', 'ownerReferences')
    const appSet = textAt(Array.isArray(owners) ? owners[0] : undefined, 'name')
    const work = `${name}-${textAt(app, 'metadata', 'uid').slice(0, 5)}`
    const hosting = { 'apps.open-cluster-management.io/hosting-applicationset': `${ARGO}/${appSet}` }
    const identity = { group: 'argoproj.io', resource: 'applications', namespace: ARGO, name }
    const values = { healthStatus: 'Healthy', syncStatus: 'Synced' }
    const applied = [condition('Applied', 'AppliedManifestComplete'), condition('Available', 'ResourceAvailable')]
    await this.#create({
      apiVersion: 'work.open-cluster-management.io/v1',
      kind: 'ManifestWork',
      metadata: {
        name: work,
        namespace: cluster,
        labels: { 'apps.open-cluster-management.io/application-set': 'true' },
        annotations: {
          ...hosting,
          'apps.open-cluster-management.io/hub-application-name': name,
          'apps.open-cluster-management.io/hub-application-namespace': ARGO,
        },
        finalizers: ['cluster.open-cluster-management.io/manifest-work-cleanup'],
      },
      spec: {
        manifestConfigs: [
          {
            resourceIdentifier: identity,
            feedbackRules: [
              { type: 'JSONPaths', jsonPaths: [{ name: 'healthStatus', path: '.status.health.status' }] },
            ],
          },
        ],
        workload: {
          manifests: [
            {
              ...object('argoproj.io/v1alpha1', 'Application', name),
              metadata: { name, namespace: ARGO, annotations: hosting },
              spec: valueAt(app, 'spec'),
            },
          ],
        },
      },
      status: {
        conditions: [
          { ...condition('Applied', 'AppliedManifestWorkComplete'), observedGeneration: 1 },
          { ...condition('Available', 'ResourcesAvailable'), observedGeneration: 1 },
        ],
        resourceStatus: {
          manifests: [
            {
              conditions: [...applied, condition('StatusFeedbackSynced', 'StatusFeedbackSynced')],
              resourceMeta: { ...identity, kind: 'Application', version: 'v1alpha1', ordinal: 0 },
              statusFeedback: {
                values: Object.entries(values).map(([key, string]) => ({
                  name: key,
                  fieldValue: { type: 'String', string },
                })),
              },
            },
          ],
        },
      },
    })
    const report = object('apps.open-cluster-management.io/v1alpha1', 'MulticlusterApplicationSetReport', appSet)
    const entry = { app: `${ARGO}/${name}/${cluster}/${work}`, cluster, ...values }
    const there = await this.#hub.get(report)
    if (there === undefined) await this.#create({ ...report, statuses: { clusterConditions: [entry] } })
    else {
      const entries = valueAt(there, 'statuses', 'clusterConditions')
      const clusterConditions = [...(Array.isArray(entries) ? entries : []), entry]
      await this.#hub.patch(report, { statuses: { clusterConditions } }, 'multicloud-integrations')
    }
  }
}
