import { type Case, refLike } from './case.ts'

const NAMESPACE = 'openshift-gitops'

/** Breaks of healthy fleets that once went unreported. */
export const SURVIVOR_CASES: readonly Case[] = [
  {
    slug: 'spoke-app-drifted',
    fleet: 'pull-healthy',
    fault: 'somebody took the finalizer off the Application on the spoke',
    change: p => p.set(`bm/Application/${NAMESPACE}/branding-bm`, ['metadata', 'finalizers'], []),
    subject: `${NAMESPACE}/Application/branding-bm on bm`,
    severity: 'warning',
    says: /has lost finalizer resources-finalizer\.argocd\.argoproj\.io/,
  },
  {
    slug: 'work-malformed',
    fleet: 'pull-healthy',
    fault: 'the project in a ManifestWork was put into another namespace',
    change: p =>
      p.set(
        refLike(p, 'hub/ManifestWork/bm/bm-storefront-'),
        ['spec', 'workload', 'manifests', 1, 'metadata', 'namespace'],
        'default',
      ),
    subject: 'bm/ManifestWork/bm-storefront-ffdd2',
    severity: 'warning',
    says: /payload AppProject namespace default, on the hub it is in openshift-gitops/,
  },
  {
    slug: 'work-malformed',
    fleet: 'pull-healthy',
    fault: 'something else was added to a ManifestWork',
    change: p => {
      const ref = refLike(p, 'hub/ManifestWork/bm/bm-storefront-')
      p.set(ref, ['spec', 'workload', 'manifests', 3], {
        apiVersion: 'v1',
        kind: 'ConfigMap',
        metadata: { name: 'extra', namespace: 'default' },
      })
    },
    subject: 'bm/ManifestWork/bm-storefront-ffdd2',
    severity: 'warning',
    says: /payload ConfigMap extra, which the controller does not write/,
  },
  {
    slug: 'project-will-deny',
    fleet: 'push-healthy',
    fault: 'a project was narrowed to namespaces other than those of the resources',
    change: p =>
      p.set(`hub/AppProject/${NAMESPACE}/default`, ['spec', 'destinations'], [{ server: '*', namespace: '' }]),
    subject: `${NAMESPACE}/AppProject/default`,
    severity: 'warning',
    says: /does not permit .* namespace "[a-z-]+"/,
  },
  {
    slug: 'app-differs-from-template',
    fleet: 'pull-healthy',
    fault: 'an option was taken out of the template and the controller does not run',
    change: p =>
      p.set(
        `hub/ApplicationSet/${NAMESPACE}/storefront-pull`,
        ['spec', 'template', 'spec', 'syncPolicy', 'syncOptions'],
        [],
      ),
    subject: `${NAMESPACE}/ApplicationSet/storefront-pull`,
    severity: 'warning',
    says: /are not what the template/,
  },
  {
    slug: 'principal-route-unusable',
    fleet: 'agent-healthy',
    fault: 'the Route was switched off a moment ago',
    change: p =>
      p.set(
        `hub/ArgoCD/${NAMESPACE}/openshift-gitops`,
        ['spec', 'argoCDAgent', 'principal', 'server', 'route', 'enabled'],
        false,
      ),
    subject: `${NAMESPACE}/ArgoCD/openshift-gitops`,
    severity: 'warning',
    says: /switches the Route of its principal off/,
  },
  {
    slug: 'principal-service-selects-nothing',
    fleet: 'agent-healthy',
    fault: 'the selector of a Service of the principal was edited',
    change: p =>
      p.set(`hub/Service/${NAMESPACE}/openshift-gitops-agent-principal-resource-proxy`, ['spec', 'selector'], {
        app: 'principal',
      }),
    subject: `${NAMESPACE}/Service/openshift-gitops-agent-principal-resource-proxy`,
    severity: 'warning',
    says: /selects no pod/,
  },
]
