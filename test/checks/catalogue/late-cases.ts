import { type Case, copyOf, refLike } from './case.ts'

const NAMESPACE = 'openshift-gitops'

export const LATE_CASES: readonly Case[] = [
  {
    slug: 'destination-name-unknown',
    fleet: 'agent-healthy',
    fault: 'an Application names a cluster that no agent has',
    change: p =>
      void copyOf(p, `hub/Application/${NAMESPACE}/branding-bottom-bm`, 'kiosk', raw => {
        const meta = raw.metadata as Record<string, unknown>
        meta.ownerReferences = []
        const spec = raw.spec as Record<string, unknown>
        spec.destination = { name: 'bmm' }
      }),
    subject: `${NAMESPACE}/Application/kiosk`,
    severity: 'error',
    says: /goes to cluster "bmm", which is not registered/,
  },
  {
    slug: 'image-not-pulled',
    fleet: 'agent-healthy',
    fault: 'the pull secret does not cover the registry',
    change: p => {
      const pod = refLike(p, `bm/Pod/${NAMESPACE}/acm-openshift-gitops-agent-agent-`)
      p.set(pod, ['status', 'containerStatuses', 0], {
        name: 'agent',
        ready: false,
        restartCount: 0,
        state: { waiting: { reason: 'ImagePullBackOff' } },
      })
    },
    subject: `${NAMESPACE}/Pod/acm-openshift-gitops-agent-agent-59fffbb44c-fvz9b on bm`,
    severity: 'warning',
    says: /cannot pull its image/,
  },
  {
    slug: 'image-not-pulled',
    fleet: 'agent-healthy',
    fault: 'a mirror lacks the image of an add-on agent that was put into a namespace of its own',
    change: p => {
      p.set('hub/ManagedClusterAddOn/bm/gitops-addon', ['status', 'namespace'], 'addons-of-ours')
      copyOf(p, refLike(p, 'bm/Pod/'), 'gitops-addon-1', raw => {
        ;(raw.metadata as Record<string, unknown>).namespace = 'addons-of-ours'
        raw.status = { containerStatuses: [{ name: 'agent', state: { waiting: { reason: 'ErrImagePull' } } }] }
      })
    },
    subject: 'addons-of-ours/Pod/gitops-addon-1 on bm',
    severity: 'warning',
    says: /cannot pull its image/,
  },
  {
    slug: 'agent-keepalive-refused',
    fleet: 'agent-healthy',
    fault: 'an agent pings every ten seconds',
    change: p => {
      const agent = p.edit(`bm/Deployment/${NAMESPACE}/acm-openshift-gitops-agent-agent`) as {
        spec: { template: { spec: { containers: { env: { name: string; value: string }[] }[] } } }
      }
      for (const e of agent.spec.template.spec.containers[0]?.env ?? [])
        if (e.name === 'ARGOCD_AGENT_KEEP_ALIVE_PING_INTERVAL') e.value = '10s'
    },
    subject: `${NAMESPACE}/Deployment/acm-openshift-gitops-agent-agent on bm`,
    severity: 'warning',
    says: /pings every 10s, but the principal permits it every 30s only/,
  },
  {
    slug: 'tracking-by-label',
    fleet: 'agent-healthy',
    fault: 'an old instance tracks by label',
    change: p => p.set(`hub/ConfigMap/${NAMESPACE}/argocd-cm`, ['data', 'application.resourceTrackingMethod'], 'label'),
    subject: `${NAMESPACE}/ArgoCD/openshift-gitops`,
    severity: 'warning',
    says: /tracks resources by label/,
  },
  {
    slug: 'autonomous-project-missing',
    fleet: 'agent-autonomous-healthy',
    fault: 'the mirror of a project was deleted at a restart of the principal',
    change: p => p.remove(`hub/AppProject/${NAMESPACE}/bm-default`),
    subject: `${NAMESPACE}/AppProject/bm-default`,
    severity: 'warning',
    says: /has no mirror "bm-default" on the hub/,
  },
  {
    slug: 'autonomous-operation-ignored',
    fleet: 'agent-autonomous-healthy',
    fault: 'somebody pressed sync on the hub',
    change: p => p.set('hub/Application/bm/branding-bm', ['operation'], { sync: {} }),
    subject: 'bm/Application/branding-bm',
    severity: 'info',
    says: /waits for an operation that was asked for on the hub/,
  },
  {
    slug: 'autonomous-unreported',
    fleet: 'agent-autonomous-healthy',
    fault: 'an Application lies in the namespace of a team',
    change: p =>
      void copyOf(p, `bm/Application/${NAMESPACE}/branding-bm`, 'kiosk', raw => {
        const meta = raw.metadata as Record<string, unknown>
        meta.namespace = 'kiosk-team'
      }),
    subject: 'kiosk-team/Application/kiosk on bm',
    severity: 'warning',
    says: /lies outside "openshift-gitops", so the autonomous agent does not report it/,
  },
  {
    slug: 'agent-certificates-blocked',
    fleet: 'agent-healthy',
    fault: 'a certificate was blocked and forgotten',
    change: p =>
      p.add('hub', 'ConfigMap', {
        metadata: { name: 'argocd-agent-tls-blocklist', namespace: NAMESPACE },
        data: { blocklist: '4711' },
      }),
    subject: `${NAMESPACE}/ConfigMap/argocd-agent-tls-blocklist`,
    severity: 'info',
    says: /has 1 entry/,
  },
  {
    slug: 'project-will-deny',
    fleet: 'push-healthy',
    fault: 'a project was narrowed a moment ago',
    change: p =>
      p.set(`hub/AppProject/${NAMESPACE}/default`, ['spec', 'sourceRepos'], ['https://git.example.test/other.git']),
    subject: `${NAMESPACE}/AppProject/default`,
    severity: 'warning',
    says: /does not permit Application "baseline-bm", Application "baseline-sno" \(repository /,
  },
  {
    slug: 'project-will-deny',
    fleet: 'push-healthy',
    fault: 'the destinations of a project were taken away',
    change: p => p.set(`hub/AppProject/${NAMESPACE}/default`, ['spec', 'destinations'], []),
    subject: `${NAMESPACE}/AppProject/default`,
    severity: 'warning',
    says: /does not permit .*\(destination https:/,
  },
  {
    slug: 'app-owner-missing',
    fleet: 'push-healthy',
    fault: 'the ApplicationSet was deleted a moment ago',
    change: p => p.remove(`hub/ApplicationSet/${NAMESPACE}/node-baseline`),
    subject: `${NAMESPACE}/ApplicationSet/node-baseline`,
    severity: 'warning',
    says: /belong to ApplicationSet "node-baseline", which does not exist/,
  },
  {
    slug: 'app-owner-missing',
    fleet: 'push-healthy',
    fault: 'the ApplicationSet was recreated under its name',
    change: p => p.set(`hub/ApplicationSet/${NAMESPACE}/node-baseline`, ['metadata', 'uid'], 'another'),
    subject: `${NAMESPACE}/ApplicationSet/node-baseline`,
    severity: 'warning',
    says: /is another one now/,
  },
  {
    slug: 'appset-placement-missing',
    fleet: 'push-healthy',
    fault: 'the label of the Placement is misspelt',
    change: p =>
      p.set(
        `hub/ApplicationSet/${NAMESPACE}/node-baseline`,
        [
          'spec',
          'generators',
          0,
          'clusterDecisionResource',
          'labelSelector',
          'matchLabels',
          'cluster.open-cluster-management.io/placement',
        ],
        'emea-openshfit',
      ),
    subject: `${NAMESPACE}/ApplicationSet/node-baseline`,
    severity: 'warning',
    says: /there is none of Placement "emea-openshfit"; there is one of "emea-openshift"/,
  },
  {
    slug: 'appset-generator-incomplete',
    fleet: 'push-healthy',
    fault: 'name and labelSelector are both given',
    change: p =>
      p.set(
        `hub/ApplicationSet/${NAMESPACE}/node-baseline`,
        ['spec', 'generators', 0, 'clusterDecisionResource', 'name'],
        'emea-openshift-decision-1',
      ),
    subject: `${NAMESPACE}/ApplicationSet/node-baseline`,
    severity: 'warning',
    says: /has both name and labelSelector/,
  },
  {
    slug: 'app-differs-from-template',
    fleet: 'push-healthy',
    fault: 'the template was changed and the controller does not run',
    change: p =>
      p.set(
        `hub/ApplicationSet/${NAMESPACE}/node-baseline`,
        ['spec', 'template', 'spec', 'source', 'targetRevision'],
        'release-2',
      ),
    subject: `${NAMESPACE}/ApplicationSet/node-baseline`,
    severity: 'warning',
    says: /Application "baseline-bm", Application "baseline-sno" are not what the template/,
  },
  {
    slug: 'secret-foreign',
    fleet: 'push-healthy',
    fault: 'the labels of a secret were stripped',
    change: p =>
      p.unset(`hub/Secret/${NAMESPACE}/bm-application-manager-cluster-secret`, [
        'metadata',
        'labels',
        'apps.open-cluster-management.io/acm-cluster',
      ]),
    subject: `${NAMESPACE}/Secret/bm-application-manager-cluster-secret`,
    severity: 'warning',
    says: /is not ACM's, so GitOpsCluster "emea-push" cannot register the cluster/,
  },
]
