import { isObject } from '../../src/raw.ts'
import { type Case, copyOf, DAY } from '../checks/catalogue/case.ts'

/** Faults that a machine can mend, where neither a recording nor a case of the catalogue is one of these. */
export const OWN_CASES: readonly Case[] = [
  {
    slug: 'msa-token-expiring',
    fleet: 'push-healthy',
    fault: 'rotation was switched off and the token runs out',
    change: p => {
      for (const cluster of ['local-cluster', 'sno'])
        p.remove(`hub/ManagedServiceAccount/${cluster}/application-manager`)
      p.set('hub/ManagedServiceAccount/bm/application-manager', ['spec', 'rotation'], { enabled: false })
      p.later(350 * DAY)
    },
    subject: 'bm/ManagedServiceAccount/application-manager',
    severity: 'warning',
    says: /rotation is off/,
  },
  {
    slug: 'secret-orphaned',
    fleet: 'push-healthy',
    fault: 'a cluster was detached and left every decision, and its secret stayed',
    change: p => {
      p.remove('hub/ManagedCluster/sno')
      p.remove('hub/Application/openshift-gitops/baseline-sno')
      const decision = p.edit('hub/PlacementDecision/openshift-gitops/emea-openshift-decision-1')
      decision.status = { decisions: [{ clusterName: 'bm', reason: '' }] }
    },
    subject: 'openshift-gitops/Secret/sno-application-manager-cluster-secret',
    severity: 'warning',
    says: /left from clusters that the hub does not manage: sno/,
  },
  {
    slug: 'destination-server-stale',
    fleet: 'push-healthy',
    fault: 'an Application that no ApplicationSet made has the API URL of before the upgrade',
    change: p => {
      copyOf(p, 'hub/Application/openshift-gitops/baseline-bm', 'by-hand', raw => {
        if (isObject(raw.metadata)) delete raw.metadata.ownerReferences
        if (isObject(raw.spec)) raw.spec.destination = { server: 'https://api.bm.example.test:6443' }
      })
      p.set(
        'hub/ManagedCluster/bm',
        ['spec', 'managedClusterClientConfigs'],
        [{ url: 'https://api.bm.example.test:6443' }],
      )
    },
    subject: 'openshift-gitops/Application/by-hand',
    severity: 'error',
    says: /but the cluster secret of "bm" says/,
  },
  {
    slug: 'appset-unwatched',
    fleet: 'agent-healthy',
    fault: 'a team put its ApplicationSet into its own namespace',
    change: p => {
      copyOf(p, 'hub/ApplicationSet/openshift-gitops/branding-bottom-agent', 'kiosk', raw => {
        if (isObject(raw.metadata)) raw.metadata.namespace = 'team-a'
        if (isObject(raw.spec)) raw.spec.generators = [{ list: { elements: [] } }]
        delete raw.status
      })
    },
    subject: 'team-a/ApplicationSet/kiosk',
    severity: 'error',
    says: /which no ApplicationSet controller watches/,
  },
  {
    slug: 'principal-redis-unresolved',
    fleet: 'agent-healthy',
    fault: 'Redis was made highly available and has a proxy now',
    change: p => {
      copyOf(p, 'hub/Service/openshift-gitops/openshift-gitops-redis', 'openshift-gitops-redis-ha-haproxy')
      p.remove('hub/Service/openshift-gitops/openshift-gitops-redis')
    },
    subject: 'openshift-gitops/ArgoCD/openshift-gitops',
    severity: 'warning',
    says: /looks for Redis at "openshift-gitops-redis:6379"/,
  },
  {
    slug: 'appset-generator-incomplete',
    fleet: 'push-healthy',
    fault: 'the generator names no ConfigMap',
    change: p =>
      p.unset('hub/ApplicationSet/openshift-gitops/node-baseline', [
        'spec',
        'generators',
        0,
        'clusterDecisionResource',
        'configMapRef',
      ]),
    subject: 'openshift-gitops/ApplicationSet/node-baseline',
    severity: 'warning',
    says: /has no configMapRef/,
  },
  ...['baseline-bm'].flatMap((name): Case[] => {
    const failed =
      (message: string): Case['change'] =>
      p =>
        p.set(`hub/Application/openshift-gitops/${name}`, ['status', 'operationState'], {
          phase: 'Failed',
          message,
          startedAt: '2026-11-30T17:00:00Z',
          finishedAt: '2026-11-30T17:01:00Z',
        })
    return [
      {
        slug: 'sync-failed',
        fleet: 'push-healthy',
        fault: 'an object is too large for the annotation of a client-side apply',
        change: failed(
          'CustomResourceDefinition.apiextensions.k8s.io "shops.example.test" is invalid: metadata.annotations: Too long: must have at most 262144 bytes',
        ),
        subject: `openshift-gitops/Application/${name}`,
        severity: 'error',
        says: /cannot be synced/,
      },
      {
        slug: 'sync-failed',
        fleet: 'push-healthy',
        fault: 'another writer was faster',
        change: failed(
          'Operation cannot be fulfilled on configmaps "branding-bottom": the object has been modified; please apply your changes to the latest version and try again',
        ),
        subject: `openshift-gitops/Application/${name}`,
        severity: 'error',
        says: /cannot be synced/,
      },
    ]
  }),
]
