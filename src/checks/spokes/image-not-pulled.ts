import type { ClusterView, Fleet } from '../../fleet/fleet.ts'
import { groupBy } from '../../fleet/maps.ts'
import { subject } from '../../fleet/subject.ts'
import { ADDON_NAMESPACE, KLUSTERLET_NAMESPACE } from '../../fleet/well-known.ts'
import type { Check } from '../check.ts'
import { fact, names } from '../support.ts'

const WAITS = new Set(['ImagePullBackOff', 'ErrImagePull', 'InvalidImageName'])

/** Namespaces of what delivers: Argo CD, its agents and operator, and the agents of add-ons wherever they were put. */
function delivers(view: ClusterView, { hub }: Fleet): ReadonlySet<string> {
  const addons = hub.of('ManagedClusterAddOn').in(view.name)
  const found = new Set<string>([KLUSTERLET_NAMESPACE, ADDON_NAMESPACE, ...addons.map(a => a.installNamespace)])
  for (const argo of view.of('ArgoCD').all) found.add(argo.meta.namespace)
  for (const d of view.of('Deployment').all) {
    const part = d.meta.labels['app.kubernetes.io/part-of'] ?? ''
    if (part.startsWith('argocd') || /gitops-operator|argocd-operator/.test(d.meta.name)) found.add(d.meta.namespace)
  }
  return found
}

export const imageNotPulled: Check = {
  code: 'FLT0532',
  slug: 'image-not-pulled',
  title: 'The images of Argo CD and its agents can be pulled',
  severity: 'warning',
  category: 'spokes',
  models: ['push', 'pull', 'agent'],
  needs: { hub: ['ManagedCluster'], spoke: ['Pod', 'Deployment'] },
  uses: { hub: ['Pod', 'Deployment', 'ArgoCD', 'ManagedClusterAddOn'], spoke: ['ArgoCD'] },
  docs: {
    why: 'The GitOps add-on brings images of registry.redhat.io to clusters whose pull secret may not cover it, and mirrors of a disconnected cluster may lack the tag. Pods then wait; the hub sees an add-on that is not available, or a policy that is not compliant.',
    remedy: 'Give the namespace a pull secret for the registry, or mirror the image.',
    sources: ['agent-mode 1.10, 5 (55)'],
  },
  *run(fleet) {
    const views: ClusterView[] = [fleet.hub, ...fleet.spokes.values()]
    for (const view of views) {
      const matter = delivers(view, fleet)
      const waiting = view
        .of('Pod')
        .all.filter(p => matter.has(p.meta.namespace))
        .flatMap(pod => pod.containers.filter(c => WAITS.has(c.waitingReason)).map(container => ({ pod, container })))
      for (const [namespace, list] of groupBy(waiting, w => w.pod.meta.namespace)) {
        const first = list[0]
        if (first === undefined) continue
        yield {
          subject: first.pod.subject,
          message: `${names(
            list.map(w => `Pod "${w.pod.meta.name}"`),
            3,
          )} in namespace "${namespace}"${view.role === 'hub' ? '' : ` of cluster "${view.name}"`} cannot pull ${list.length === 1 ? 'its image' : 'their images'}.`,
          evidence: list
            .slice(0, 5)
            .map(w => fact(w.pod, `.status.containerStatuses[${w.container.name}]`, w.container.waitingReason)),
          effect: 'this part of Argo CD or of its add-on does not run',
          fix: `give ${namespace} a pull secret that covers the registry, or mirror the image`,
          because: view.role === 'hub' ? [] : [{ subject: subject('hub', 'ManagedCluster', '', view.name) }],
          breaks: false,
          through: [],
        }
      }
    }
  },
}
