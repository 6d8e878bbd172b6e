import { type Case, copyOf, setCondition } from './case.ts'

const NAMESPACE = 'openshift-gitops'
const ARGO = `hub/ArgoCD/${NAMESPACE}/openshift-gitops`
const SET = `hub/ApplicationSet/${NAMESPACE}/branding-bottom-agent`
const PRINCIPAL = `hub/Deployment/${NAMESPACE}/openshift-gitops-agent-principal`
const DESTINATION = ['spec', 'template', 'spec', 'destination']
const LAST_APPLIED = ['metadata', 'annotations', 'kubectl.kubernetes.io/last-applied-configuration']
const app = (cluster: string): string => `hub/Application/${NAMESPACE}/branding-bottom-${cluster}`

interface WithEnv {
  spec: { template: { spec: { containers: { env: { name: string; value: string }[] }[] } } }
}

/** What takes Applications from their agents (agent-mode.md 2.6), and what keeps argocd-agent from them. */
export const ROUTING_CASES: readonly Case[] = [
  {
    slug: 'agent-routing-lost',
    fleet: 'agent-healthy',
    fault: 'the template was changed from the name to the server',
    change: p => p.set(SET, DESTINATION, { server: '{{server}}' }),
    subject: `${NAMESPACE}/ApplicationSet/branding-bottom-agent`,
    severity: 'error',
    says: /takes Application "branding-bottom-bm", Application "branding-bottom-sno" from their agents: it says destination\.server https:.*agentName=bm without a name/,
  },
  {
    slug: 'agent-routing-lost',
    fleet: 'agent-healthy',
    fault: 'the template sends everything to the hub itself',
    change: p => p.set(SET, DESTINATION, { name: 'in-cluster' }),
    subject: `${NAMESPACE}/ApplicationSet/branding-bottom-agent`,
    severity: 'error',
    says: /it says destination\.name in-cluster/,
  },
  {
    slug: 'agent-routing-lost',
    fleet: 'agent-healthy',
    fault: 'the template sends everything to one agent',
    change: p => p.set(SET, DESTINATION, { name: 'sno' }),
    subject: `${NAMESPACE}/ApplicationSet/branding-bottom-agent`,
    severity: 'error',
    says: /takes Application "branding-bottom-bm" from its agent/,
  },
  {
    slug: 'agent-routing-lost',
    fleet: 'agent-healthy',
    fault: 'the destination of one Application was edited to the API of the cluster',
    change: p => p.set(app('bm'), ['spec', 'destination'], { server: 'https://api.bm.example.test:6443' }),
    subject: `${NAMESPACE}/Application/branding-bottom-bm`,
    severity: 'error',
    says: /was carried out by an agent, and its destination names none any more/,
  },
  {
    slug: 'project-excludes-agent',
    fleet: 'agent-healthy',
    fault: 'the template moves its Applications to a project for another agent',
    change: p => {
      copyOf(p, `hub/AppProject/${NAMESPACE}/default`, 'edge', raw => {
        raw.spec = { sourceRepos: ['*'], destinations: [{ name: 'sno', server: '*', namespace: '*' }] }
      })
      p.set(SET, ['spec', 'template', 'spec', 'project'], 'edge')
    },
    subject: `${NAMESPACE}/AppProject/edge`,
    severity: 'error',
    says: /matches no destination of bm/,
  },
  {
    slug: 'project-excludes-agent',
    fleet: 'agent-healthy',
    fault: 'agents before 0.9 want sourceNamespaces too',
    change: p => {
      const image = ['spec', 'template', 'spec', 'containers', 0, 'image']
      p.set(PRINCIPAL, image, 'quay.io/argoprojlabs/argocd-agent:v0.8.1')
      p.set(`hub/AppProject/${NAMESPACE}/default`, ['spec', 'sourceNamespaces'], [])
    },
    subject: `${NAMESPACE}/AppProject/default`,
    severity: 'error',
    says: /^AppProject "default" has no sourceNamespaces that match bm, sno, so the principal does not send it/,
  },
  {
    slug: 'agent-application-ignored',
    fleet: 'agent-healthy',
    fault: 'an Application is labelled not to be synced to its agent',
    change: p => p.set(app('bm'), ['metadata', 'labels', 'argocd-agent.argoproj-labs.io/ignore-sync'], 'true'),
    subject: `${NAMESPACE}/ApplicationSet/branding-bottom-agent`,
    severity: 'error',
    says: /"branding-bottom-bm" is left alone by argocd-agent: it has label/,
  },
  {
    slug: 'agent-application-ignored',
    fleet: 'agent-healthy',
    fault: 'the principal was given a label selector, and nothing has the label',
    change: p =>
      (p.edit(PRINCIPAL) as unknown as WithEnv).spec.template.spec.containers[0]?.env.push({
        name: 'ARGOCD_PRINCIPAL_LABEL_SELECTOR',
        value: 'argocd-agent=true',
      }),
    subject: `${NAMESPACE}/ApplicationSet/branding-bottom-agent`,
    severity: 'error',
    says: /are left alone by argocd-agent: the principal takes only those with labels argocd-agent=true/,
  },
  {
    slug: 'agent-application-ignored',
    fleet: 'agent-healthy',
    fault: 'the Applications have the label of the selector, their project has not',
    change: p => {
      ;(p.edit(PRINCIPAL) as unknown as WithEnv).spec.template.spec.containers[0]?.env.push({
        name: 'ARGOCD_PRINCIPAL_LABEL_SELECTOR',
        value: 'argocd-agent in (true)',
      })
      for (const cluster of ['bm', 'sno']) p.set(app(cluster), ['metadata', 'labels', 'argocd-agent'], 'true')
    },
    subject: `${NAMESPACE}/ApplicationSet/branding-bottom-agent`,
    severity: 'error',
    says: /and AppProject default has not/,
  },
  {
    slug: 'argocd-field-dropped',
    fleet: 'agent-healthy',
    fault: 'the namespaces were given one level too high, as older documents show',
    change: p =>
      p.set(
        ARGO,
        LAST_APPLIED,
        JSON.stringify({ spec: { argoCDAgent: { principal: { enabled: true, allowedNamespaces: ['*'] } } } }),
      ),
    subject: `${NAMESPACE}/ArgoCD/openshift-gitops`,
    severity: 'warning',
    says: /does not hold \.spec\.argoCDAgent\.principal\.allowedNamespaces, which was applied to it/,
  },
  {
    slug: 'agent-certificate-expiring',
    fleet: 'agent-healthy',
    fault: 'the hub knows that the certificate of an agent is over, and the spoke was not read',
    change: p => {
      p.forget('bm')
      setCondition(p, 'hub/ManagedClusterAddOn/bm/gitops-addon', 'ClusterCertificateRotated', {
        status: 'True',
        reason: 'ClientCertificateUpdated',
        message:
          'client certificate rotated starting from 2026-11-29 16:02:41 +0000 UTC to 2026-11-30 16:02:41 +0000 UTC',
      })
    },
    subject: 'bm/ManagedClusterAddOn/gitops-addon',
    severity: 'error',
    says: /agent of cluster "bm" was issued expired 34m ago/,
  },
]
