import type { RawObject } from '../../support/fleets.ts'
import type { Case } from './case.ts'

const NAMESPACE = 'openshift-gitops'
const PRINCIPAL = `hub/ArgoCD/${NAMESPACE}/openshift-gitops`
const GOC = `hub/GitOpsCluster/${NAMESPACE}/gitops-agent-clusters`

/** Cases that the mutation of recorded fleets asked for: changes that no check saw. */
export const GAP_CASES: readonly Case[] = [
  {
    slug: 'decision-orphaned',
    fleet: 'push-healthy',
    fault: 'the Placement was deleted and its decision is still there',
    change: p => p.remove(`hub/Placement/${NAMESPACE}/emea-openshift`),
    subject: `${NAMESPACE}/Placement/emea-openshift`,
    severity: 'warning',
    says: /does not exist in namespace "openshift-gitops", but its decision is still there \(bm, sno\)/,
  },
  {
    slug: 'work-malformed',
    fleet: 'pull-healthy',
    fault: 'somebody edited the destination inside a ManifestWork',
    change: p => {
      const work = p.edit('hub/ManifestWork/bm/branding-bm-49ce0') as {
        spec: { workload: { manifests: RawObject[] } }
      }
      const app = work.spec.workload.manifests.find(m => m.kind === 'Application')
      const spec = app?.spec as { destination: RawObject }
      spec.destination.server = 'https://elsewhere.example.test:6443'
    },
    subject: 'bm/ManifestWork/branding-bm-49ce0',
    severity: 'warning',
    says: /branding-bm-49ce0/,
  },
  {
    slug: 'principal-missing',
    fleet: 'agent-healthy',
    fault: 'the principal was switched off',
    change: p => p.set(PRINCIPAL, ['spec', 'argoCDAgent', 'principal', 'enabled'], false),
    subject: `${NAMESPACE}/ArgoCD/openshift-gitops`,
    severity: 'error',
    says: /has no principal switched on/,
  },
  {
    slug: 'agents-unregistered',
    fleet: 'agent-healthy',
    fault: 'the agent mode was taken off the GitOpsCluster',
    change: p => p.set(GOC, ['spec', 'gitopsAddon', 'argoCDAgent', 'enabled'], false),
    subject: `${NAMESPACE}/GitOpsCluster/gitops-agent-clusters`,
    severity: 'warning',
    says: /which is not in agent mode/,
  },
  {
    slug: 'agent-address-differs',
    fleet: 'agent-healthy',
    fault: 'the address in the GitOpsCluster was changed, and nothing was written anew',
    change: p => p.set(GOC, ['spec', 'gitopsAddon', 'argoCDAgent', 'serverAddress'], 'principal.example.test'),
    subject: `${NAMESPACE}/GitOpsCluster/gitops-agent-clusters`,
    severity: 'warning',
    says: /says principal\.example\.test:443, but openshift-gitops-agent-principal/,
  },
  {
    slug: 'resource-proxy-missing',
    fleet: 'agent-healthy',
    fault: 'the Service of the resource proxy was deleted',
    change: p => p.remove(`hub/Service/${NAMESPACE}/openshift-gitops-agent-principal-resource-proxy`),
    subject: `${NAMESPACE}/Service/openshift-gitops-agent-principal-resource-proxy`,
    severity: 'warning',
    says: /cluster secrets of bm, sno lead to it/,
  },
  {
    slug: 'proxy-service-missing',
    fleet: 'push-healthy',
    fault: 'the cluster proxy was disabled',
    change: p => p.remove('hub/Service/multicluster-engine/cluster-proxy-addon-user'),
    subject: 'multicluster-engine/Service/cluster-proxy-addon-user',
    severity: 'warning',
    says: /the cluster secrets of bm, sno lead to it/,
  },
  {
    slug: 'addon-config-missing',
    fleet: 'agent-healthy',
    fault: 'somebody took the config off an add-on',
    change: p => p.set('hub/ManagedClusterAddOn/bm/gitops-addon', ['spec', 'configs'], []),
    subject: 'bm/ManagedClusterAddOn/gitops-addon',
    severity: 'warning',
    says: /does not name bm\/gitops-addon-config/,
  },
  {
    slug: 'agent-copy-differs',
    fleet: 'agent-healthy',
    fault: 'somebody changed the path on the spoke while the agent was away',
    change: p => p.set(`bm/Application/${NAMESPACE}/branding-bottom-bm`, ['spec', 'source', 'path'], 'elsewhere'),
    subject: `${NAMESPACE}/Application/branding-bottom-bm on bm`,
    severity: 'warning',
    says: /is not what the hub says \(\.spec\.source\[0\]\.path\)/,
  },
  {
    slug: 'report-outdated',
    fleet: 'pull-healthy',
    fault: 'the aggregation dropped the entries',
    change: p =>
      p.set(`hub/MulticlusterApplicationSetReport/${NAMESPACE}/branding-pull`, ['statuses', 'clusterConditions'], []),
    subject: `${NAMESPACE}/MulticlusterApplicationSetReport/branding-pull`,
    severity: 'error',
    says: /is older than what its ManifestWorks say/,
  },
  {
    slug: 'project-will-deny',
    fleet: 'agent-healthy',
    fault: 'the repositories of a project that agents share were narrowed',
    change: p =>
      p.set(`hub/AppProject/${NAMESPACE}/default`, ['spec', 'sourceRepos'], ['https://git.example.test/only']),
    subject: `${NAMESPACE}/AppProject/default`,
    severity: 'warning',
    says: /does not permit/,
  },
]
