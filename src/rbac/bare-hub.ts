import type { PlanInput } from '../bootstrap/make-plan.ts'
import { type KindName, kindOf } from '../fleet/kinds.ts'
import { loadFleet } from '../fleet/load.ts'
import { keepObjects } from '../plan/object-reader.ts'
import type { FleetSource } from '../source/source.ts'

/** Names on the bare hub; none of them gets into a rule. */
export const [ARGO, CLUSTER, SET, ACCOUNT] = ['argo', 'cluster', 'set', 'account'] as const

const OPERATORS = 'operators'

/** The least hub on which everything has to be made: ACM, one cluster in no set, one Argo CD. */
const BARE_HUB: readonly object[] = [
  {
    apiVersion: 'cluster.open-cluster-management.io/v1',
    kind: 'ManagedCluster',
    metadata: { name: CLUSTER, uid: CLUSTER, labels: {} },
    spec: { hubAcceptsClient: true },
  },
  { apiVersion: 'argoproj.io/v1beta1', kind: 'ArgoCD', metadata: { name: ARGO, namespace: ARGO, uid: ARGO }, spec: {} },
  {
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'AppProject',
    metadata: { name: 'default', namespace: ARGO, uid: ARGO },
    spec: { destinations: [{ server: 'https://kubernetes.default.svc', namespace: 'default' }] },
  },
  {
    apiVersion: 'operators.coreos.com/v1alpha1',
    kind: 'Subscription',
    metadata: { name: OPERATORS, namespace: OPERATORS, uid: OPERATORS },
    spec: { name: 'openshift-gitops-operator' },
  },
  definition('gitopsclusters.apps.open-cluster-management.io', 'v1beta1'),
  definition('multiclusterapplicationsetreports.apps.open-cluster-management.io', 'v1alpha1'),
]

function definition(name: string, version: string): object {
  const spec = { versions: [{ name: version, served: true }] }
  return { apiVersion: 'apiextensions.k8s.io/v1', kind: 'CustomResourceDefinition', metadata: { name }, spec }
}

/** The bare hub, read: what plans are made for whose rights are told. */
export async function bareHub(): Promise<PlanInput> {
  const kept = keepObjects(bareSource())
  const loaded = await loadFleet(kept.source, new Set())
  return { loaded, source: kept.source, reader: kept.reader, now: new Date(0) }
}

function bareSource(): FleetSource {
  return {
    type: 'files',
    name: 'bare hub',
    read: (_, sink) => {
      for (const raw of BARE_HUB) {
        const kind = kindOfRaw(raw)
        if (kind !== undefined) sink.object('hub', kind, structuredClone(raw), 'bare hub')
      }
      const otherwise = { state: 'read', complete: true } as const
      return Promise.resolve({
        clusters: [{ name: 'hub', role: 'hub', readAt: 0, coverage: new Map(), otherwise }],
        problems: [],
      })
    },
  }
}

function kindOfRaw(raw: object): KindName | undefined {
  const [apiVersion, kind] = ['apiVersion' in raw ? raw.apiVersion : '', 'kind' in raw ? raw.kind : '']
  return kindOf(String(apiVersion), String(kind))
}
