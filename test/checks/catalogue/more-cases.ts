import { type Case, MINUTE, refLike, setCondition } from './case.ts'

const NAMESPACE = 'openshift-gitops'
const GOC = `hub/GitOpsCluster/${NAMESPACE}/emea-push`
const PLACEMENT = `hub/Placement/${NAMESPACE}/emea-openshift`
const APP = `hub/Application/${NAMESPACE}/baseline-bm`
const SPOKE_APP = `bm/Application/${NAMESPACE}/branding-bm`
const FORBIDDEN =
  'one or more objects failed to apply, reason: configmaps is forbidden: User "system:serviceaccount:openshift-gitops:openshift-gitops-argocd-application-controller" cannot create resource "configmaps" in API group "" in the namespace "branding" (retried 5 times).'

/** Faults of which no fleet was recorded. */
export const MORE_CASES: readonly Case[] = [
  {
    slug: 'cluster-not-accepted',
    fleet: 'push-healthy',
    fault: 'the hub denied the cluster again',
    change: p => p.set('hub/ManagedCluster/bm', ['spec', 'hubAcceptsClient'], false),
    subject: 'ManagedCluster/bm',
    severity: 'error',
    says: /is not accepted by the hub/,
  },
  {
    slug: 'cluster-clock-skewed',
    fleet: 'push-healthy',
    fault: 'the clock of a cluster runs away',
    change: p =>
      setCondition(p, 'hub/ManagedCluster/bm', 'ManagedClusterConditionClockSynced', {
        status: 'False',
        reason: 'ManagedClusterClockOutOfSync',
        message: '',
      }),
    subject: 'ManagedCluster/bm',
    severity: 'warning',
    says: /The clock of cluster "bm" differs/,
  },
  {
    slug: 'placement-scheduling-disabled',
    fleet: 'push-healthy',
    fault: 'scheduling was switched off and forgotten',
    change: p =>
      p.set(
        PLACEMENT,
        ['metadata', 'annotations', 'cluster.open-cluster-management.io/experimental-scheduling-disable'],
        'true',
      ),
    subject: `${NAMESPACE}/Placement/emea-openshift`,
    severity: 'error',
    says: /is switched off by an annotation/,
  },
  {
    slug: 'placement-set-unknown',
    fleet: 'push-healthy',
    fault: 'a set is misspelt',
    change: p => p.set(PLACEMENT, ['spec', 'clusterSets'], ['retail-emea', 'retail-emae']),
    subject: `${NAMESPACE}/Placement/emea-openshift`,
    severity: 'warning',
    says: /asks for ManagedClusterSet "retail-emae", which does not exist/,
  },
  {
    slug: 'cluster-not-selected',
    fleet: 'push-healthy',
    fault: 'a label that the predicate wants was changed, and the decision followed',
    change: p => {
      p.set('hub/ManagedCluster/sno', ['metadata', 'labels', 'vendor'], 'MicroShift')
      p.set(
        `hub/PlacementDecision/${NAMESPACE}/emea-openshift-decision-1`,
        ['status', 'decisions'],
        [{ clusterName: 'bm', reason: '' }],
      )
    },
    subject: 'ManagedCluster/sno',
    severity: 'warning',
    says: /was registered in Argo CD but is not selected any more/,
  },
  {
    slug: 'placement-selects-hub',
    fleet: 'agent-healthy',
    fault: 'the Placement of the add-on takes the hub too',
    change: p =>
      p.set(
        refLike(p, `hub/PlacementDecision/${NAMESPACE}/production-clusters`),
        ['status', 'decisions'],
        [
          { clusterName: 'bm', reason: '' },
          { clusterName: 'local-cluster', reason: '' },
          { clusterName: 'sno', reason: '' },
        ],
      ),
    subject: `${NAMESPACE}/Placement/production-clusters`,
    severity: 'error',
    says: /selects the hub itself \("local-cluster"\)/,
  },
  {
    slug: 'decision-differs',
    fleet: 'push-healthy',
    fault: 'the placement controller does not run',
    change: p =>
      p.set(
        `hub/PlacementDecision/${NAMESPACE}/emea-openshift-decision-1`,
        ['status', 'decisions'],
        [{ clusterName: 'bm', reason: '' }],
      ),
    subject: `${NAMESPACE}/Placement/emea-openshift`,
    severity: 'warning',
    says: /is not what it selects; it lacks sno/,
  },
  {
    slug: 'goc-namespace-not-authorised',
    fleet: 'push-healthy',
    fault: 'the Argo CD namespace lacks the label of the gate',
    change: p =>
      setCondition(p, GOC, 'ArgoServerVerified', {
        status: 'False',
        reason: 'InvalidConfiguration',
        message:
          'cross-namespace argoNamespace openshift-gitops is not permitted: target Namespace must carry label apps.open-cluster-management.io/gitops-argo-namespace=true',
      }),
    subject: `${NAMESPACE}/GitOpsCluster/emea-push`,
    severity: 'error',
    says: /may not register clusters in namespace "openshift-gitops"/,
  },
  {
    slug: 'goc-stale',
    fleet: 'push-healthy',
    fault: 'the controller does not run',
    change: p => p.later(20 * MINUTE),
    subject: `${NAMESPACE}/GitOpsCluster/emea-push`,
    severity: 'error',
    says: /was last reconciled 20m ago/,
  },
  {
    slug: 'sync-gave-up',
    fleet: 'pull-healthy',
    fault: 'the right was granted after the last retry',
    change: p => {
      p.set(SPOKE_APP, ['status', 'operationState'], {
        phase: 'Failed',
        message: FORBIDDEN,
        startedAt: '2026-11-30T16:00:00Z',
        finishedAt: '2026-11-30T14:00:00Z',
        retryCount: 5,
      })
      p.set(SPOKE_APP, ['status', 'sync', 'status'], 'OutOfSync')
    },
    subject: `${NAMESPACE}/Application/branding-bm on bm`,
    severity: 'error',
    says: /failed while a right was missing that is there now/,
  },
  {
    slug: 'sync-failed',
    fleet: 'push-healthy',
    fault: 'the operator of a kind is not installed',
    change: p =>
      p.set(APP, ['status', 'operationState'], {
        phase: 'Failed',
        message: 'one or more synchronization tasks completed unsuccessfully (retried 5 times).',
        startedAt: '2026-11-30T17:00:00Z',
        syncResult: {
          resources: [
            {
              group: 'cert-manager.io',
              kind: 'Certificate',
              name: 'shop',
              namespace: 'shop',
              status: 'SyncFailed',
              message:
                'The Kubernetes API could not find cert-manager.io/Certificate for requested resource shop/shop. Make sure the "Certificate" CRD is installed on the destination cluster.',
            },
          ],
        },
      }),
    subject: `${NAMESPACE}/Application/baseline-bm`,
    severity: 'error',
    says: /could not find cert-manager\.io\/Certificate/,
  },
  {
    slug: 'workload-unhealthy',
    fleet: 'push-healthy',
    fault: 'a Deployment passed its deadline',
    change: p => {
      p.set(APP, ['status', 'health', 'status'], 'Degraded')
      p.set(APP, ['status', 'health', 'message'], 'Deployment "till" exceeded its progress deadline')
    },
    subject: `${NAMESPACE}/Application/baseline-bm`,
    severity: 'error',
    says: /is Degraded: Deployment "till" exceeded its progress deadline/,
  },
  {
    slug: 'out-of-sync',
    fleet: 'push-healthy',
    fault: 'a revision was tried once and is not tried again',
    change: p => {
      p.set(APP, ['status', 'sync', 'status'], 'OutOfSync')
      p.set(APP, ['status', 'operationState', 'finishedAt'], '2026-11-30T16:00:00Z')
    },
    subject: `${NAMESPACE}/Application/baseline-bm`,
    severity: 'warning',
    says: /has been OutOfSync for some time/,
  },
  {
    slug: 'spoke-app-drifted',
    fleet: 'pull-healthy',
    fault: 'somebody edited the Application on the spoke',
    change: p => p.set(SPOKE_APP, ['spec', 'source', 'targetRevision'], 'hotfix'),
    subject: `${NAMESPACE}/Application/branding-bm on bm`,
    severity: 'error',
    says: /differs from what ManifestWork "branding-bm-49ce0" delivers/,
  },
  {
    slug: 'spoke-controller-stopped',
    fleet: 'pull-healthy',
    fault: 'the application controller of a spoke stopped',
    change: p => {
      for (const name of ['branding-bm', 'bm-storefront'])
        p.set(`bm/Application/${NAMESPACE}/${name}`, ['status', 'reconciledAt'], '2026-11-30T15:50:00Z')
    },
    subject: `${NAMESPACE}/Application/bm-storefront on bm`,
    severity: 'error',
    says: /its application controller does not work/,
  },
  {
    slug: 'spoke-app-deletion-stuck',
    fleet: 'pull-healthy',
    fault: 'nobody removes the finalizer on the spoke',
    change: p => p.set(SPOKE_APP, ['metadata', 'deletionTimestamp'], '2026-11-30T16:00:00Z'),
    subject: `${NAMESPACE}/Application/branding-bm on bm`,
    severity: 'error',
    says: /on cluster "bm" was deleted \d+m ago and cannot go/,
  },
  {
    slug: 'work-missing',
    fleet: 'pull-healthy',
    fault: 'a ManifestWork was deleted by hand',
    change: p => p.remove('hub/ManifestWork/bm/branding-bm-49ce0'),
    subject: 'bm/ManifestWork/branding-bm-49ce0',
    severity: 'error',
    says: /has no ManifestWork "branding-bm-49ce0"/,
  },
  {
    slug: 'work-deletion-stuck',
    fleet: 'pull-healthy',
    fault: 'the spoke does not let the Application go',
    change: p => {
      const work = 'hub/ManifestWork/bm/branding-bm-49ce0'
      p.set(work, ['metadata', 'deletionTimestamp'], '2026-11-30T16:00:00Z')
      setCondition(p, work, 'Deleting', { status: 'True', reason: 'WorkDeleting', message: '' })
    },
    subject: 'bm/ManifestWork/branding-bm-49ce0',
    severity: 'error',
    says: /was deleted \d+m ago and cannot go/,
  },
  {
    slug: 'skip-reconcile-missing',
    fleet: 'agent-healthy',
    fault: 'the controller is on and the secret of an agent is not marked',
    change: p => {
      p.set(`hub/ArgoCD/${NAMESPACE}/openshift-gitops`, ['spec', 'controller', 'enabled'], true)
      p.unset(`hub/Secret/${NAMESPACE}/cluster-bm`, ['metadata', 'annotations', 'argocd.argoproj.io/skip-reconcile'])
    },
    subject: `${NAMESPACE}/Secret/cluster-bm`,
    severity: 'error',
    says: /lacks skip-reconcile while the application controller/,
  },
  {
    slug: 'agent-address-stale',
    fleet: 'agent-healthy',
    fault: 'the Route got another host',
    change: p =>
      p.set(
        `hub/Route/${NAMESPACE}/openshift-gitops-agent-principal`,
        ['spec', 'host'],
        'agents.apps.hub.example.test',
      ),
    subject: `${NAMESPACE}/GitOpsCluster/gitops-agent-clusters`,
    severity: 'error',
    says: /but the Route of the principal has "agents\.apps\.hub\.example\.test"/,
  },
  {
    slug: 'spoke-reports-trouble',
    fleet: 'pull-healthy',
    fault: 'a spoke that was not read says that its workload is broken',
    change: p => {
      p.forget('bm')
      const work = p.edit('hub/ManifestWork/bm/branding-bm-49ce0') as {
        status: {
          resourceStatus: {
            manifests: { statusFeedback?: { values?: { name: string; fieldValue: { string: string } }[] } }[]
          }
        }
      }
      for (const m of work.status.resourceStatus.manifests)
        for (const v of m.statusFeedback?.values ?? []) if (v.name === 'healthStatus') v.fieldValue.string = 'Degraded'
    },
    subject: `${NAMESPACE}/Application/branding-bm on bm`,
    severity: 'error',
    says: /Degraded/,
  },
  {
    slug: 'agent-status-stale',
    fleet: 'agent-healthy',
    fault: 'an agent has gone silent',
    change: p => {
      const app = `hub/Application/${NAMESPACE}/branding-bottom-bm`
      p.set(app, ['status', 'reconciledAt'], '2026-11-30T14:00:00Z')
      p.unset(app, ['metadata', 'managedFields'])
    },
    subject: `${NAMESPACE}/Application/branding-bottom-bm`,
    severity: 'error',
    says: /has sent no status for \d+/,
  },
]
