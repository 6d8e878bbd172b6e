import { type Fleet, inputsOf } from '../../fleet/fleet.ts'
import { appSets } from '../../fleet/joins/appsets.ts'
import { clusters } from '../../fleet/joins/clusters.ts'
import { flavour } from '../../fleet/joins/flavour.ts'
import { clusterOfKey, clusterSecrets, registration, registrationKey } from '../../fleet/joins/registration.ts'
import type { Base } from '../../fleet/records.ts'
import { missing, subject } from '../../fleet/subject.ts'
import { MSA_ADDON } from '../../fleet/well-known.ts'
import type { Check, Finding } from '../check.ts'
import { conditionFact, fact, olderThan, SECOND } from '../support.ts'

/** A reconcile that writes secrets takes seconds; with a GitOpsCluster, cluster or account that is younger some may lack. */
const WRITTEN_WITHIN = 30 * SECOND

function isYoung(fleet: Fleet, objects: readonly (Base | undefined)[]): boolean {
  return objects.some(o => o?.meta.created !== undefined && !olderThan(fleet.now, o.meta.created, WRITTEN_WITHIN))
}

/**
 * Upstream a controller makes a secret for every ManagedCluster, once, and a GitOpsCluster has no part in it; what an
 * ApplicationSet takes its clusters from says which are missed (push-pull.md 1.7, 4.1).
 */
function* lackingUpstream(fleet: Fleet): Generator<Finding> {
  const { byName } = fleet.join(clusterSecrets)
  const managed = fleet.join(clusters).byName
  const told = new Set<string>(fleet.join(registration).of.keys())
  for (const { appSet, argoNamespace, generators } of fleet.join(appSets).all) {
    for (const name of new Set(generators.flatMap(g => [...g.clusters]))) {
      const key = registrationKey(argoNamespace, name)
      const cluster = managed.get(name)
      if (argoNamespace === '' || told.has(key) || byName.has(key) || cluster === undefined) continue
      told.add(key)
      const secret = `${name}-secret`
      if (isYoung(fleet, [cluster, appSet]) || !fleet.hub.knows('Secret', argoNamespace, secret)) continue
      const at = missing(subject('hub', 'Secret', argoNamespace, secret))
      yield {
        subject: at,
        message: `Cluster "${name}" is decided, but namespace "${argoNamespace}" has no cluster secret for it.`,
        evidence: [fact(at, '', 'does not exist'), fact(appSet, '', `its generator decides ${name}`)],
        effect: `ApplicationSets skip ${name} without an error; an Application that was there is deleted`,
        fix: `restart the pull controller (Deployment argocd-pull-integration), which writes it once for each ManagedCluster; where you push, register ${name} again`,
        because: [{ subject: cluster.subject }],
        clusters: [name],
      }
    }
  }
}

export const secretMissing: Check = {
  code: 'FLT0213',
  slug: 'secret-missing',
  title: 'Every decided cluster has its cluster secret',
  severity: 'error',
  category: 'registration',
  models: ['push', 'pull', 'agent'],
  needs: { hub: ['Placement', 'PlacementDecision', 'Secret'] },
  uses: inputsOf(registration, appSets, flavour, {
    hub: ['ManagedCluster', 'ManagedServiceAccount', 'ManagedClusterAddOn'],
  }),
  whole: { hub: ['Secret'] },
  perObject: ['Secret'],
  docs: {
    why: 'The generator of an ApplicationSet finds a cluster by the secret whose `name` is the decided cluster. A decided cluster without a secret is skipped with a log line only: no Application for it, and a deleted one if it had one, with all conditions green.',
    remedy:
      'Find out why the secret could not be written: no ManagedServiceAccount token, cluster not joined, a foreign secret of the same name, or a GitOpsCluster whose reconcile stops earlier.',
    sources: ['push-pull 1.7, 1.8, 4.1', 'agent-mode 5 (65)'],
  },
  *run(fleet) {
    if (fleet.join(flavour) === 'upstream') yield* lackingUpstream(fleet)
    const { byName } = fleet.join(clusterSecrets)
    const managed = fleet.join(clusters).byName
    for (const [key, registrars] of fleet.join(registration).of) {
      if (byName.has(key)) continue
      const r = registrars[0]
      if (r === undefined) continue
      const name = clusterOfKey(key)
      const cluster = managed.get(name)
      const accounts = registrars.flatMap(x => fleet.hub.of('ManagedServiceAccount').get(name, x.msa) ?? [])
      if (isYoung(fleet, [r.goc, cluster, ...accounts])) continue
      const secret = subject(
        'hub',
        'Secret',
        r.argoNamespace,
        r.writes === 'agent' ? `cluster-${name}` : `${name}-${r.msa}-cluster-secret`,
      )
      yield {
        subject: missing(secret),
        message: `Cluster "${name}" is decided, but namespace "${r.argoNamespace}" has no cluster secret for it.`,
        evidence: [
          fact(r.goc, '', `GitOpsCluster decides ${name}`),
          conditionFact(r.goc, 'ClustersRegistered'),
          ...(r.goc.conditions.length === 0 ? [fact(r.goc, '.status.message', r.goc.message)] : []),
        ],
        effect: `ApplicationSets skip ${name} without an error; an Application that was there is deleted`,
        fix: `mend what keeps GitOpsCluster ${r.goc.meta.name} from writing it`,
        because: [
          ...(cluster === undefined ? [] : [{ subject: cluster.subject }]),
          ...registrars.flatMap(x => [
            { subject: subject('hub', 'ManagedServiceAccount', name, x.msa) },
            { subject: subject('hub', 'ManagedClusterAddOn', name, MSA_ADDON) },
            { subject: x.goc.subject, codes: ['FLT0202', 'FLT0203', 'FLT0204', 'FLT0205'] },
          ]),
        ],
        clusters: [name],
      }
    }
  },
}
