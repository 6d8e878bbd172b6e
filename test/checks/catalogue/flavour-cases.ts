import type { RawObject } from '../../support/fleets.ts'
import type { Patch } from '../../support/patch.ts'
import type { Case } from './case.ts'

const ARGOCD = 'argocd'
const GITOPS = 'openshift-gitops'
const RIGHTS = `${GITOPS}-applicationset-controller-placement`

/** What the controller says when it may not read decisions: the ApplicationSets keep what they have. */
function refuse(patch: Patch, set: string, namespace: string, account: string): void {
  const message = `failed to get dynamic resources: placementdecisions.cluster.open-cluster-management.io is forbidden: User "system:serviceaccount:${namespace}:${account}" cannot list resource "placementdecisions" in API group "cluster.open-cluster-management.io" in the namespace "${namespace}"`
  const status = patch.edit(set).status as { conditions: RawObject[] }
  for (const condition of status.conditions)
    if (condition.type === 'ErrorOccurred')
      Object.assign(condition, { status: 'True', reason: 'ApplicationGenerationFromParamsError', message })
}

/** Faults as they look on upstream Open Cluster Management, and on releases of ACM before 2.15. */
export const FLAVOUR_CASES: readonly Case[] = [
  {
    slug: 'secret-missing',
    fleet: 'upstream-healthy',
    fault: 'somebody deleted the secret that the pull controller writes once',
    change: p => {
      p.remove(`hub/Secret/${ARGOCD}/bm-secret`)
      p.remove(`hub/Application/${ARGOCD}/bm-signboard`)
    },
    subject: `${ARGOCD}/Secret/bm-secret`,
    severity: 'error',
    says: /Cluster "bm" is decided, but namespace "argocd" has no cluster secret for it/,
  },
  {
    slug: 'generator-rbac',
    fleet: 'upstream-healthy',
    fault: 'the RoleBinding of the chart was deleted',
    change: p => {
      p.remove(`hub/RoleBinding/${ARGOCD}/ocm-placement-consumer:argocd`)
      refuse(p, `hub/ApplicationSet/${ARGOCD}/signboard`, ARGOCD, 'argocd-applicationset-controller')
    },
    subject: `${ARGOCD}/RoleBinding/ocm-placement-consumer:argocd`,
    severity: 'error',
    says: /RoleBinding "ocm-placement-consumer:argocd" does not exist/,
  },
  {
    slug: 'generator-rbac',
    fleet: 'upstream-healthy',
    fault: 'the Role of the chart was deleted, and its binding is still there',
    change: p => p.remove(`hub/Role/${ARGOCD}/ocm-placement-consumer`),
    subject: `${ARGOCD}/Role/ocm-placement-consumer`,
    severity: 'error',
    says: /Role "ocm-placement-consumer" does not exist/,
  },
  {
    slug: 'generator-rbac',
    fleet: 'pull-healthy',
    fault: 'the Role was emptied',
    change: p => p.set(`hub/Role/${GITOPS}/${RIGHTS}`, ['rules'], []),
    subject: `${GITOPS}/Role/${RIGHTS}`,
    severity: 'error',
    says: /does not permit it/,
  },
  {
    slug: 'goc-argo-server-missing',
    fleet: 'acm-2.14-healthy',
    fault: 'the Argo CD server was removed, and this release has no conditions',
    change: p => {
      p.removeAll(
        o => o.cluster === 'hub' && o.kind === 'Service' && (o.raw.metadata as RawObject).namespace === GITOPS,
      )
      const goc = `hub/GitOpsCluster/${GITOPS}/gitops-production`
      p.set(goc, ['status', 'phase'], 'failed')
      p.set(
        goc,
        ['status', 'message'],
        'invalid gitops namespace because argo server pod was not found, will try again',
      )
    },
    subject: `${GITOPS}/GitOpsCluster/gitops-production`,
    severity: 'error',
    says: /finds no Argo CD server in namespace "openshift-gitops"/,
  },
]
