import type { Fleet } from '../../fleet/fleet.ts'
import { defineJoin, inputsOf } from '../../fleet/fleet.ts'
import { type AppLink, applications } from '../../fleet/joins/applications.ts'
import { appSetKey, appSets, renderFor } from '../../fleet/joins/appsets.ts'
import { clusters, condition } from '../../fleet/joins/clusters.ts'
import { flavour } from '../../fleet/joins/flavour.ts'
import { placementUsers } from '../../fleet/joins/placement-users.ts'
import { placements } from '../../fleet/joins/placements.ts'
import { placementKey, selection } from '../../fleet/joins/selection.ts'
import { groupBy } from '../../fleet/maps.ts'
import { noCel } from '../../fleet/placement/cel.ts'
import type { PlacementExplanation } from '../../fleet/placement/explain.ts'
import { compilePredicates } from '../../fleet/placement/predicates.ts'
import type { NotSelectedReason } from '../../fleet/placement/why-not.ts'
import type { Base, Placement } from '../../fleet/records.ts'
import { subject } from '../../fleet/subject.ts'
import type { Absent, Cause, Check } from '../check.ts'
import { conditionFact, fact, names } from '../support.ts'

/** Clusters that are kept out for one of these reasons, and that the predicates would let in: they come after the set. */
function keptOut(
  fleet: Fleet,
  { predicates }: Placement,
  explained: PlacementExplanation,
  reasons: readonly NotSelectedReason[],
): string[] {
  const filter = compilePredicates(predicates, noCel)
  const { byName } = fleet.join(clusters)
  return explained.notSelected
    .filter(n => reasons.includes(n.reason))
    .map(n => n.cluster)
    .filter(name => {
      const cluster = byName.get(name)
      return cluster !== undefined && filter.matches(cluster) !== false
    })
}

/** The clusters that would be selected but for a fault of their own: deleted, tainted, or lost from every set. */
function faultyClusters(fleet: Fleet, placement: Placement, explained: PlacementExplanation): Cause[] {
  return keptOut(fleet, placement, explained, ['terminating', 'taint', 'no-set', 'unknown-set']).map(cluster => ({
    subject: subject('hub', 'ManagedCluster', '', cluster),
    codes: ['FLT0001', 'FLT0002', 'FLT0003', 'FLT0005', 'FLT0006'],
  }))
}

/** What the ApplicationSets behind it would make, were the Placement not kept from selecting its clusters. */
function absentOf(
  fleet: Fleet,
  placement: Placement,
  explained: PlacementExplanation,
  users: readonly Base[],
): Absent[] {
  const { byKey } = fleet.join(appSets)
  const names = keptOut(fleet, placement, explained, ['set-not-bound', 'misconfigured', 'scheduling-disabled', 'taint'])
  return users.flatMap(user => {
    const link = user.subject.kind === 'ApplicationSet' ? byKey.get(appSetKey(user)) : undefined
    if (link === undefined) return []
    return names.map(cluster => {
      const made = renderFor(fleet, link, cluster)
      return { app: made?.name === undefined ? undefined : `${made.namespace}/${made.name}`, cluster }
    })
  })
}

function reasons(explained: PlacementExplanation): string {
  const groups = groupBy(explained.notSelected, n => n.reason)
  return [...groups].map(([reason, list]) => `${reason}: ${names(list.map(n => n.cluster))}`).join('; ')
}

/** What to change for the reason that keeps most clusters out; as a command. */
function whatToDo(namespace: string, name: string, explained: PlacementExplanation | undefined): string {
  const edit = `oc -n ${namespace} edit placement ${name}`
  const [reason = ''] =
    [...groupBy(explained?.notSelected ?? [], n => n.reason)].sort((a, b) => b[1].length - a[1].length)[0] ?? []
  const clusters = explained?.notSelected.filter(n => n.reason === reason).map(n => n.cluster) ?? []
  switch (reason) {
    case 'predicate':
      return `compare oc get managedclusters --show-labels with spec.predicates, and mend them so that the wanted clusters match: ${edit}`
    case 'taint':
      return `oc describe managedcluster ${clusters[0] ?? ''}; take the taint away, or tolerate it in spec.tolerations: ${edit}`
    case 'no-set':
      return `oc label managedcluster ${clusters[0] ?? ''} cluster.open-cluster-management.io/clusterset=SET, for a set that is bound to ${namespace}`
    default:
      return `fleetctl placement explain ${name} -n ${namespace} tells why each cluster is out; then: ${edit}`
  }
}

/** Pull Applications that no decision of their own namespace lists: ACM propagates none of them (push-pull.md 1.10 gate 7). */
function undecidedIn(fleet: Fleet, namespace: string): readonly AppLink[] {
  if (fleet.join(flavour) !== 'acm') return []
  const decided = fleet.join(selection).decidedIn.get(namespace)
  const waiting = fleet.join(pullByNamespace).get(namespace) ?? []
  return waiting.filter(l => l.app.meta.deleting === undefined && decided?.has(l.cluster) !== true)
}

const pullByNamespace = defineJoin<ReadonlyMap<string, readonly AppLink[]>>(applications.inputs, fleet =>
  groupBy(
    fleet.join(applications).all.filter(l => l.pullComplete),
    l => l.app.meta.namespace,
  ),
)

export const placementSelectsNothing: Check = {
  code: 'FLT0105',
  slug: 'placement-selects-nothing',
  title: 'Every Placement in use selects at least one cluster',
  severity: 'error',
  category: 'selection',
  models: ['push', 'pull', 'agent'],
  needs: { hub: ['Placement', 'PlacementDecision'] },
  uses: inputsOf(
    { hub: ['ManagedCluster', 'ManagedClusterSet', 'ManagedClusterSetBinding'] },
    placementUsers,
    applications,
    flavour,
  ),
  whole: { hub: ['PlacementDecision'] },
  docs: {
    why: 'A Placement that selects nothing is a success for everything behind it: the GitOpsCluster is Ready with 0 clusters, the ApplicationSets report that all Applications were generated and delete those that exist, and reports keep their last Healthy entries. The message of the condition speaks of predicates only, even when taints kept all clusters out.',
    remedy:
      'See the reason per cluster in the evidence: mend the predicate, tolerate the taint, bind the set, or put the clusters into the set.',
    sources: ['push-pull 1.4, 1.8, 5 (12, 13)'],
  },
  *run(fleet) {
    const users = fleet.join(placementUsers)
    for (const { placement, decisions, clusters: decided } of fleet.join(selection).byPlacement.values()) {
      if (decided.size > 0 || placement.meta.deleting !== undefined) continue
      if (placement.numberOfClusters === 0) continue
      const { namespace, name } = placement.meta
      const explained = fleet.join(placements).explain(namespace, name)
      if (
        decisions.length === 0 &&
        condition(placement, 'PlacementSatisfied') === undefined &&
        explained?.frozen === undefined
      )
        continue
      const by = users.get(placementKey(namespace, name)) ?? []
      const gated = by.length > 0 ? [] : undecidedIn(fleet, namespace)
      const predicates = explained?.notSelected.filter(n => n.reason === 'predicate') ?? []
      yield {
        subject: placement.subject,
        // Policies and others have Placements for clusters to come; without a delivery behind it, an empty one hurts nobody.
        severity: by.length > 0 ? 'error' : gated.length > 0 ? 'warning' : 'info',
        message: `Placement "${name}" in namespace "${namespace}" selects no cluster${explained === undefined ? '' : ` (${reasons(explained) || explained.satisfied.message})`}.`,
        evidence: [
          conditionFact(placement, 'PlacementSatisfied'),
          ...predicates.slice(0, 5).map(n => fact(subject('hub', 'ManagedCluster', '', n.cluster), '', n.detail)),
          fact(placement, '', `used by ${names(by.map(b => `${b.subject.kind}/${b.meta.name}`))}`),
        ],
        effect:
          by.length > 0
            ? 'ApplicationSets that use it delete their Applications at the next reconcile and stay green'
            : gated.length > 0
              ? `pull Applications of namespace ${namespace} are not propagated without a decision there`
              : 'nothing, as long as no GitOpsCluster and no ApplicationSet uses it',
        // It strikes those Applications alone: no way leads through a Placement that no ApplicationSet names.
        ...(gated.length > 0 ? { breaks: true, through: gated.map(l => l.app.subject) } : {}),
        fix: whatToDo(namespace, name, explained),
        ...(explained === undefined ? {} : { absent: absentOf(fleet, placement, explained, by) }),
        because: [
          // A set that clusters are taken from makes another binding no reason.
          ...(explained?.eligibleSets.length === 0 ? explained.danglingBindings : []).map(b => ({
            subject: subject('hub', 'ManagedClusterSetBinding', namespace, b),
            codes: ['FLT0101'],
          })),
          ...(explained?.unboundSets ?? []).map(s => ({
            subject: subject('hub', 'ManagedClusterSetBinding', namespace, s),
          })),
          { subject: placement.subject, codes: ['FLT0103', 'FLT0104', 'FLT0106'] },
          ...(explained === undefined ? [] : faultyClusters(fleet, placement, explained)),
        ],
      }
    }
  },
}
