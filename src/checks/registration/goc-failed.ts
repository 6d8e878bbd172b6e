import { clusterSecrets, type Registrar, registration, registrationKey } from '../../fleet/joins/registration.ts'
import { ARGO_SERVER_SELECTOR } from '../../fleet/labels.ts'
import { subject } from '../../fleet/subject.ts'
import { MSA_ADDON } from '../../fleet/well-known.ts'
import type { Cause, Check } from '../check.ts'
import { conditionFact, cut, fact, names } from '../support.ts'
import { clustersNamed, failed, failedConditions } from './goc-support.ts'

/** Where to look, and what to set, for the condition that failed first; as commands. */
function whatToDo(
  { goc, msa, argoNamespace }: Registrar,
  type: string,
  named: readonly string[],
  argo: string,
): string {
  const { namespace, name } = goc.meta
  const [cluster] = named
  switch (type) {
    case 'ArgoServerVerified':
      return `oc -n ${argoNamespace} get services -l ${ARGO_SERVER_SELECTOR}; bring the server back, or correct spec.argoServer.argoNamespace`
    case 'PlacementResolved':
      return `oc -n ${namespace} get placements; correct spec.placementRef: oc -n ${namespace} edit gitopscluster ${name}`
    case 'ArgoCDAgentPrereqsReady':
      return `let the principal be reached: oc -n ${argoNamespace} patch argocd ${argo} --type=merge -p '{"spec":{"argoCDAgent":{"principal":{"server":{"route":{"enabled":true}}}}}}', or give serverAddress and serverPort in spec.gitopsAddon.argoCDAgent`
    default:
      return cluster === undefined
        ? `oc -n ${namespace} describe gitopscluster ${name}; mend what the condition names`
        : `oc -n ${cluster} get managedserviceaccount ${msa} -o yaml; oc -n ${cluster} get managedclusteraddon managed-serviceaccount; mend what they say about the token`
  }
}

export const gocFailed: Check = {
  code: 'FLT0205',
  slug: 'goc-failed',
  title: 'No GitOpsCluster reports a failure',
  severity: 'error',
  category: 'registration',
  models: ['push', 'pull', 'agent'],
  needs: { hub: ['GitOpsCluster'] },
  uses: { hub: ['Placement', 'PlacementDecision', 'ManagedClusterSetBinding', 'Secret', 'ArgoCD'] },
  docs: {
    why: '`Ready` is False with the same reason whatever failed; the other conditions tell. Messages often name the last fallback that was tried (a legacy secret) and hide the cause (no ManagedServiceAccount token). One cluster without a token makes the whole object fail while the other clusters are still served. An empty phase only means that a reconcile is under way.',
    remedy:
      'Read the first False condition in the order of the reconcile; mend what it names for the cluster it names.',
    sources: ['push-pull 1.6', 'agent-mode 2.7'],
  },
  *run(fleet) {
    for (const r of fleet.join(registration).all) {
      const { goc } = r
      if (!failed(goc)) continue
      const bad = failedConditions(goc)
      const first = bad[0]
      const named = clustersNamed(r)
      const perCluster = named.flatMap((c): Cause[] => [
        { subject: subject('hub', 'ManagedCluster', '', c) },
        { subject: subject('hub', 'ManagedServiceAccount', c, r.msa) },
        { subject: subject('hub', 'ManagedClusterAddOn', c, MSA_ADDON) },
        ...(fleet.join(clusterSecrets).byName.get(registrationKey(r.argoNamespace, c)) ?? []).map(s => ({
          subject: s.subject,
        })),
        { subject: subject('hub', 'Secret', r.argoNamespace, `${c}-${r.msa}-cluster-secret`) },
      ])
      yield {
        subject: goc.subject,
        message: cut(
          `GitOpsCluster "${goc.meta.name}" has failed: ${first === undefined ? goc.message || 'phase failed' : `${first.type} (${first.reason}): ${first.message}`}`,
        ),
        evidence: [
          ...bad.map(c => conditionFact(goc, c.type)),
          fact(goc, '.status.phase', goc.phase || 'empty'),
          ...(goc.conditions.length === 0 ? [fact(goc, '.status.message', goc.message)] : []),
        ],
        effect:
          named.length > 0
            ? `not registered: ${names(named)}`
            : 'clusters are not registered, or their credentials not renewed',
        fix: whatToDo(r, first?.type ?? '', named, fleet.hub.of('ArgoCD').in(r.argoNamespace)[0]?.meta.name ?? 'NAME'),
        because: [
          { subject: goc.subject, codes: ['FLT0202', 'FLT0203', 'FLT0204', 'FLT0206'] },
          { subject: subject('hub', 'Placement', goc.meta.namespace, goc.placementRef.name) },
          ...fleet.hub
            .of('ArgoCD')
            .in(r.argoNamespace)
            .map(a => ({ subject: a.subject })),
          ...perCluster,
        ],
        ...(named.length > 0 ? { clusters: named } : {}),
      }
    }
  },
}
