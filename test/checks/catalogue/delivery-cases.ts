import { type Case, copyOf, refLike, setCondition } from './case.ts'

const NAMESPACE = 'openshift-gitops'
const PUSH_SET = `hub/ApplicationSet/${NAMESPACE}/node-baseline`
const PULL_SET = `hub/ApplicationSet/${NAMESPACE}/branding-pull`
const SKIP_RECONCILE = 'argocd.argoproj.io/skip-reconcile'

export const DELIVERY_CASES: readonly Case[] = [
  {
    slug: 'appset-name-collides',
    fleet: 'push-healthy',
    fault: 'a copy of an ApplicationSet was applied under another name',
    change: p => void copyOf(p, PUSH_SET, 'node-baseline-copy'),
    subject: `${NAMESPACE}/ApplicationSet/node-baseline-copy`,
    severity: 'error',
    says: /both generate openshift-gitops\/baseline-bm, openshift-gitops\/baseline-sno/,
  },
  {
    slug: 'appset-name-collides',
    fleet: 'push-healthy',
    fault: 'the controller has refused the copy',
    change: p => {
      copyOf(p, PUSH_SET, 'node-baseline-copy')
      setCondition(p, `hub/ApplicationSet/${NAMESPACE}/node-baseline-copy`, 'ErrorOccurred', {
        status: 'True',
        reason: 'UpdateApplicationError',
        message:
          'Object openshift-gitops/baseline-bm is already owned by another ApplicationSet controller node-baseline',
      })
    },
    subject: `${NAMESPACE}/ApplicationSet/node-baseline-copy`,
    severity: 'error',
    says: /both generate/,
  },
  {
    slug: 'appset-name-static',
    fleet: 'push-healthy',
    fault: 'the name holds no cluster, and two are decided',
    change: p => p.set(PUSH_SET, ['spec', 'template', 'metadata', 'name'], 'baseline'),
    subject: `${NAMESPACE}/ApplicationSet/node-baseline`,
    severity: 'error',
    says: /gives every Application the name "baseline"; 2 clusters are decided/,
  },
  {
    slug: 'appset-name-too-long',
    fleet: 'pull-healthy',
    fault: 'the ManifestWork of an Application would have too long a name',
    change: p => p.set(PULL_SET, ['spec', 'template', 'metadata', 'name'], `${'b'.repeat(185)}-{{name}}`),
    subject: `${NAMESPACE}/ApplicationSet/branding-pull`,
    severity: 'error',
    says: /gives a ManifestWork name of 19\d characters, more than 188/,
  },
  {
    slug: 'appset-name-too-long',
    fleet: 'push-healthy',
    fault: 'a name has letters that Kubernetes does not take',
    change: p => p.set(PUSH_SET, ['spec', 'template', 'metadata', 'name'], 'Baseline_{{name}}'),
    subject: `${NAMESPACE}/ApplicationSet/node-baseline`,
    severity: 'error',
    says: /is no valid name of a Kubernetes object/,
  },
  {
    slug: 'appset-template-unrendered',
    fleet: 'push-healthy',
    fault: 'goTemplate was switched on and the expressions were not changed',
    change: p => p.set(PUSH_SET, ['spec', 'goTemplate'], true),
    subject: `${NAMESPACE}/ApplicationSet/node-baseline`,
    severity: 'warning',
    says: /has goTemplate on and writes "baseline-\{\{name\}\}"/,
  },
  {
    slug: 'appset-template-unrendered',
    fleet: 'push-healthy',
    fault: 'a Go template expression was copied into a plain template',
    change: p =>
      p.set(PUSH_SET, ['spec', 'template', 'spec', 'source', 'path'], 'clusters/{{ .name }}/branding-bottom'),
    subject: `${NAMESPACE}/ApplicationSet/node-baseline`,
    severity: 'warning',
    says: /has goTemplate off and writes "clusters\/\{\{ \.name \}\}/,
  },
  {
    slug: 'appset-annotation-dropped',
    fleet: 'push-healthy',
    fault: 'skip-reconcile was set by hand on a generated Application',
    change: p => p.set(`hub/Application/${NAMESPACE}/baseline-bm`, ['metadata', 'annotations', SKIP_RECONCILE], 'true'),
    subject: `${NAMESPACE}/ApplicationSet/node-baseline`,
    severity: 'warning',
    says: /Application "baseline-bm" carries argocd\.argoproj\.io\/skip-reconcile/,
  },
  {
    slug: 'appset-deletes-at-requeue',
    fleet: 'push-healthy',
    fault: 'a cluster has just left the decision',
    change: p =>
      p.set(
        `hub/PlacementDecision/${NAMESPACE}/emea-openshift-decision-1`,
        ['status', 'decisions'],
        [{ clusterName: 'bm', reason: '' }],
      ),
    subject: `${NAMESPACE}/ApplicationSet/node-baseline`,
    severity: 'warning',
    says: /will delete 1 Application at its next requeue: baseline-sno/,
  },
  {
    slug: 'appset-deletes-at-requeue',
    fleet: 'push-healthy',
    fault: 'the cluster secret of a decided cluster was deleted',
    change: p => p.remove(`hub/Secret/${NAMESPACE}/bm-application-manager-cluster-secret`),
    subject: `${NAMESPACE}/ApplicationSet/node-baseline`,
    severity: 'warning',
    says: /will delete 1 Application at its next requeue: baseline-bm/,
  },
  {
    slug: 'appset-unprotected',
    fleet: 'push-healthy',
    fault: 'the Placement tolerates no outage',
    change: p => p.unset(`hub/Placement/${NAMESPACE}/emea-openshift`, ['spec', 'tolerations']),
    subject: `${NAMESPACE}/ApplicationSet/node-baseline`,
    severity: 'warning',
    says: /An outage of five minutes makes ApplicationSet "node-baseline" delete/,
  },
  {
    slug: 'appset-server-literal',
    fleet: 'push-healthy',
    fault: 'the URL of one cluster stands in the template',
    change: p =>
      p.set(PUSH_SET, ['spec', 'template', 'spec', 'destination', 'server'], 'https://api.bm.example.test:6443'),
    subject: `${NAMESPACE}/ApplicationSet/node-baseline`,
    severity: 'warning',
    says: /names the server "https:\/\/api\.bm\.example\.test:6443" literally/,
  },
  {
    slug: 'appset-resources-stale',
    fleet: 'push-healthy',
    fault: 'an Application was deleted with its owner reference gone',
    change: p => p.remove(`hub/Application/${NAMESPACE}/baseline-sno`),
    subject: `${NAMESPACE}/ApplicationSet/node-baseline`,
    severity: 'info',
    says: /still lists openshift-gitops\/baseline-sno, which it does not own/,
  },
  {
    slug: 'destination-server-stale',
    fleet: 'push-healthy',
    fault: 'an Application has the API URL of before the upgrade',
    change: p => {
      p.set(
        'hub/ManagedCluster/bm',
        ['spec', 'managedClusterClientConfigs'],
        [{ url: 'https://api.bm.example.test:6443' }],
      )
      p.set(`hub/Application/${NAMESPACE}/baseline-bm`, ['spec', 'destination'], {
        server: 'https://api.bm.example.test:6443',
      })
    },
    subject: `${NAMESPACE}/Application/baseline-bm`,
    severity: 'error',
    says: /goes to "https:\/\/api\.bm\.example\.test:6443", but the cluster secret of "bm" says/,
  },
  {
    slug: 'destination-ambiguous',
    fleet: 'push-healthy',
    fault: 'a template gives name and server',
    change: p => p.set(PUSH_SET, ['spec', 'template', 'spec', 'destination', 'name'], '{{name}}'),
    subject: `${NAMESPACE}/ApplicationSet/node-baseline`,
    severity: 'error',
    says: /by name "\{\{name\}\}" and by server "\{\{server\}\}"/,
  },
  {
    slug: 'refresh-stuck',
    fleet: 'pull-healthy',
    fault: 'somebody pressed refresh on an Application that the hub skips and nobody propagates',
    change: p => {
      const app = `hub/Application/${NAMESPACE}/branding-bm`
      p.unset(app, ['metadata', 'labels', 'apps.open-cluster-management.io/pull-to-ocm-managed-cluster'])
      p.set(app, ['metadata', 'annotations', 'argocd.argoproj.io/refresh'], 'hard')
    },
    subject: `${NAMESPACE}/Application/branding-bm`,
    severity: 'info',
    says: /waits for a hard refresh that nobody makes/,
  },
  {
    slug: 'pull-targets-hub',
    fleet: 'pull-healthy',
    fault: 'the hub is decided, and this release does not propagate to it',
    change: p =>
      void copyOf(p, `hub/Application/${NAMESPACE}/branding-bm`, 'branding-local-cluster', raw => {
        const meta = raw.metadata as { annotations: Record<string, string> }
        meta.annotations['apps.open-cluster-management.io/ocm-managed-cluster'] = 'local-cluster'
      }),
    subject: `${NAMESPACE}/ApplicationSet/branding-pull`,
    severity: 'warning',
    says: /targets the hub itself \("local-cluster"\) and is not delivered/,
  },
  {
    slug: 'pull-destination-misleading',
    fleet: 'pull-healthy',
    fault: 'a push template was copied for pull',
    change: p => p.set(PULL_SET, ['spec', 'template', 'spec', 'destination', 'server'], '{{server}}'),
    subject: `${NAMESPACE}/ApplicationSet/branding-pull`,
    severity: 'info',
    says: /has destination "\{\{server\}\}", which is not used/,
  },
  {
    slug: 'project-unrestricted',
    fleet: 'push-healthy',
    fault: 'an Application of a team uses the default project',
    change: p =>
      void copyOf(p, `hub/Application/${NAMESPACE}/baseline-bm`, 'kiosk', raw => {
        const meta = raw.metadata as Record<string, unknown>
        meta.namespace = 'kiosk-team'
        meta.ownerReferences = []
      }),
    subject: `${NAMESPACE}/AppProject/default`,
    severity: 'info',
    says: /permits everything and is used by 1 Application outside/,
  },
  {
    slug: 'project-open-to-namespaces',
    fleet: 'push-healthy',
    fault: 'a project takes Applications from every namespace that Argo CD watches',
    change: p => {
      p.set(`hub/AppProject/${NAMESPACE}/default`, ['spec', 'sourceNamespaces'], ['*'])
      p.add('hub', 'ArgoCD', {
        apiVersion: 'argoproj.io/v1beta1',
        kind: 'ArgoCD',
        metadata: { name: 'openshift-gitops', namespace: NAMESPACE },
        spec: { sourceNamespaces: ['team-*'] },
      })
    },
    subject: `${NAMESPACE}/AppProject/default`,
    severity: 'info',
    says: /takes Applications from every namespace that Argo CD watches \(team-\*\)/,
  },
  {
    slug: 'hub-controller-behind',
    fleet: 'push-healthy',
    fault: 'the application controller of the hub stopped',
    change: p => p.later(20 * 60 * 1000),
    subject: `${NAMESPACE}/Application/baseline-bm`,
    severity: 'error',
    says: /No Application of Argo CD in namespace "openshift-gitops" has been reconciled for 20m/,
  },
  {
    slug: 'hub-controller-behind',
    fleet: 'push-healthy',
    fault: 'one shard of the application controller does not come round',
    change: p => p.set(`hub/Application/${NAMESPACE}/baseline-sno`, ['status', 'reconciledAt'], '2026-11-30T16:00:00Z'),
    subject: `${NAMESPACE}/Application/baseline-sno`,
    severity: 'warning',
    says: /1 of 2 Applications of Argo CD .* have not been reconciled/,
  },
]

export const DELIVERY_CASES_2: readonly Case[] = [
  {
    slug: 'report-name-invalid',
    fleet: 'pull-healthy',
    fault: 'the label of the report is cut after a dash',
    change: p =>
      void copyOf(p, PULL_SET, `branding-of-the-fleet-in-a-very-long-series-`.padEnd(45, 'x').concat('-pull')),
    subject: `${NAMESPACE}/ApplicationSet/branding-of-the-fleet-in-a-very-long-series-x-pull`,
    severity: 'warning',
    says: /which ends in "-"/,
  },
  {
    slug: 'report-search-only',
    fleet: 'pull-healthy',
    fault: 'search knows an Application that no ManifestWork brings',
    change: p =>
      p.set(`hub/MulticlusterApplicationSetReport/${NAMESPACE}/branding-pull`, ['statuses', 'clusterConditions', 2], {
        cluster: 'local-cluster',
        conditions: [{ type: 'SyncError', message: 'x' }],
      }),
    subject: `${NAMESPACE}/MulticlusterApplicationSetReport/branding-pull`,
    severity: 'warning',
    says: /lists local-cluster, where no ManifestWork delivers it/,
  },
  {
    slug: 'report-collapses',
    fleet: 'pull-healthy',
    fault: 'a matrix delivers two Applications to one cluster',
    change: p =>
      p.set(
        'hub/ManifestWork/bm/bm-storefront-ffdd2',
        ['metadata', 'annotations', 'apps.open-cluster-management.io/hosting-applicationset'],
        `${NAMESPACE}/branding-pull`,
      ),
    subject: `${NAMESPACE}/ApplicationSet/branding-pull`,
    severity: 'info',
    says: /delivers several Applications to bm; its report has room for one/,
  },
  {
    slug: 'report-without-reason',
    fleet: 'pull-healthy',
    fault: 'a delivery fails on a cluster without search',
    change: p => {
      p.set(
        `hub/MulticlusterApplicationSetReport/${NAMESPACE}/branding-pull`,
        ['statuses', 'clusterConditions', 0, 'healthStatus'],
        'Degraded',
      )
      p.remove('hub/ManagedClusterAddOn/bm/search-collector')
    },
    subject: 'bm/ManagedClusterAddOn/search-collector',
    severity: 'info',
    says: /Reports give no reason for what fails on cluster "bm"/,
  },
  {
    slug: 'hub-status-differs',
    fleet: 'pull-healthy',
    fault: 'the status controller does not come through',
    change: p => {
      p.set(`hub/Application/${NAMESPACE}/branding-sno`, ['status', 'health', 'status'], 'Missing')
      p.later(10 * 60 * 1000)
    },
    subject: `${NAMESPACE}/MulticlusterApplicationSetReport/branding-pull`,
    severity: 'info',
    says: /Application "branding-sno" on the hub does not say what its report says/,
  },
  {
    slug: 'standalone-without-status',
    fleet: 'pull-healthy',
    fault: 'a pull Application belongs to no ApplicationSet',
    change: p => {
      const app = `hub/Application/${NAMESPACE}/branding-sno`
      p.unset(app, ['metadata', 'ownerReferences'])
      p.unset(app, ['status'])
    },
    subject: `${NAMESPACE}/Application/branding-sno`,
    severity: 'info',
    says: /belongs to no ApplicationSet, so its status on the hub stays empty/,
  },
]

const SCHEMA =
  'Failed to load live state: failed to get cluster info for "https://kubernetes.default.svc": error synchronizing cache state : failed to load open api schema while syncing cluster cache: error getting openapi resources: the server is currently unable to handle the request (duplicated path /apis/route.openshift.io/v1/routes)'

export const DELIVERY_CASES_3: readonly Case[] = [
  {
    slug: 'cluster-schema-broken',
    fleet: 'pull-healthy',
    fault: 'a CRD collides with the aggregated API of OpenShift',
    change: p => {
      for (const name of ['branding-bm', 'bm-storefront'])
        p.set(
          `bm/Application/${NAMESPACE}/${name}`,
          ['status', 'conditions'],
          [{ type: 'ComparisonError', message: SCHEMA }],
        )
      p.add('bm', 'CustomResourceDefinition', {
        metadata: { name: 'routes.route.openshift.io' },
        spec: { group: 'route.openshift.io' },
      })
    },
    subject: 'CustomResourceDefinition/routes.route.openshift.io on bm',
    severity: 'error',
    says: /Cluster "bm" cannot describe its kinds, so 2 Applications cannot be compared/,
  },
  {
    slug: 'sync-window-blocks',
    fleet: 'push-healthy',
    fault: 'a window of the project forbids syncs',
    change: p =>
      p.set(`hub/Application/${NAMESPACE}/baseline-bm`, ['status', 'operationState'], {
        phase: 'Running',
        message: 'Sync operation blocked by sync window',
        startedAt: '2026-11-30T17:15:00Z',
      }),
    subject: `${NAMESPACE}/Application/baseline-bm`,
    severity: 'warning',
    says: /waits for a sync window of project "default"/,
  },
  {
    slug: 'sync-would-empty',
    fleet: 'push-healthy',
    fault: 'the source renders nothing any more',
    change: p =>
      p.set(
        `hub/Application/${NAMESPACE}/baseline-bm`,
        ['status', 'conditions'],
        [
          {
            type: 'SyncError',
            message:
              'Skipping sync attempt to [27f5e32474e1096c756decc8aef362230d8d152b]: auto-sync will wipe out all resources',
          },
        ],
      ),
    subject: `${NAMESPACE}/Application/baseline-bm`,
    severity: 'warning',
    says: /renders to nothing/,
  },
  {
    slug: 'managed-by-ineffective',
    fleet: 'pull-healthy',
    fault: 'the operator has not answered the label, and the controller has no rights of its own',
    change: p => {
      p.set('bm/Namespace/storefront', ['metadata', 'labels', 'argocd.argoproj.io/managed-by'], NAMESPACE)
      for (const name of ['argo-admin', 'openshift-gitops-openshift-gitops-argocd-application-controller'])
        p.remove(`bm/ClusterRoleBinding/${name}`)
    },
    subject: 'Namespace/storefront on bm',
    severity: 'warning',
    says: /is labelled managed-by "openshift-gitops", but ServiceAccount/,
  },
  {
    slug: 'work-eviction',
    fleet: 'pull-healthy',
    fault: 'the hub has lost a ManifestWork',
    change: p => p.set(refLike(p, 'bm/AppliedManifestWork/'), ['status', 'evictionStartTime'], '2026-11-30T16:10:00Z'),
    subject:
      'AppliedManifestWork/d40a9dd7d8dc06954bde67491e6f5eeaad5d546a76a7d541cf0298e74316c824-bm-storefront-ffdd2 on bm',
    severity: 'error',
    says: /to evict 1 ManifestWork \(bm-storefront-ffdd2\)/,
  },
]
