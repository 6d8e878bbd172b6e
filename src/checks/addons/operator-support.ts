import type { ClusterView, Fleet } from '../../fleet/fleet.ts'
import type { ClusterServiceVersion, Subscription } from '../../fleet/records.ts'

/** Packages of the operators that delivery rests on: OpenShift GitOps, Argo CD, ACM, multicluster engine. */
const PACKAGES = /^(openshift-gitops-operator|argocd-operator|advanced-cluster-management|multicluster-engine)$/

export function relevantSubscriptions(view: ClusterView): readonly Subscription[] {
  return view.of('Subscription').all.filter(s => PACKAGES.test(s.packageName))
}

/** The GitOps operator as it is installed. A copy in every namespace (OLM) counts once. */
export function gitopsVersion(view: ClusterView): ClusterServiceVersion | undefined {
  return view
    .of('ClusterServiceVersion')
    .all.find(
      c =>
        /^openshift-gitops-operator\.v/.test(c.meta.name) &&
        c.phase === 'Succeeded' &&
        !('olm.copiedFrom' in c.meta.labels),
    )
}

export function allViews(fleet: Fleet): readonly ClusterView[] {
  return [fleet.hub, ...fleet.spokes.values()]
}

/** ` of cluster "x"` for a spoke, nothing for the hub. */
export function placeOf(view: ClusterView): string {
  return view.role === 'hub' ? '' : ` of cluster "${view.name}"`
}

/** Compares the first numbers of two versions; 0 where they are equal or cannot be compared. */
export function compareVersions(a: string, b: string): number {
  const parts = (text: string): number[] =>
    (/^v?(\d+)\.(\d+)(?:\.(\d+))?/.exec(text) ?? []).slice(1).map(n => Number(n ?? 0))
  const [left, right] = [parts(a), parts(b)]
  if (left.length === 0 || right.length === 0) return 0
  for (let i = 0; i < 3; i++) {
    const d = (left[i] ?? 0) - (right[i] ?? 0)
    if (d !== 0) return d
  }
  return 0
}
