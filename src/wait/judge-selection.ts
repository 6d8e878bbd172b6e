import { breaks, type Node } from '../checks/fold.ts'
import { conditionText, lasting, names, olderThan } from '../checks/support.ts'
import type { Diagnosis } from '../diagnosis.ts'
import { condition } from '../fleet/joins/clusters.ts'
import { clusterSecrets, type Registrar, registration, registrationKey } from '../fleet/joins/registration.ts'
import { type Decided, placementKey, selection } from '../fleet/joins/selection.ts'
import { type Subject, subject, subjectKey } from '../fleet/subject.ts'
import { causeOf, stateBy, theOne } from './judge-app.ts'
import { type Member, member } from './member.ts'

interface Ref {
  readonly namespace?: string
  readonly name: string
}

/** The controller writes every 5 minutes; older than this it is not running (push-pull 1.6, 7.2 G05). */
const WRITTEN_WITHIN_MS = 15 * 60_000

const keyOf = (of: { readonly meta: { readonly namespace: string; readonly name: string } }): string =>
  placementKey(of.meta.namespace, of.meta.name)

function fits(of: { readonly meta: { readonly namespace: string; readonly name: string } }, ref: Ref): boolean {
  return of.meta.name === ref.name && (ref.namespace === undefined || of.meta.namespace === ref.namespace)
}

export function findPlacement({ fleet }: Pick<Diagnosis, 'fleet'>, ref: Ref): Decided | undefined {
  const found = [...fleet.join(selection).byPlacement.values()].filter(d => fits(d.placement, ref))
  return theOne(found, d => keyOf(d.placement), ref.name)
}

export function findRegistrar({ fleet }: Pick<Diagnosis, 'fleet'>, ref: Ref): Registrar | undefined {
  const found = fleet.join(registration).all.filter(r => fits(r.goc, ref))
  return theOne(found, r => keyOf(r.goc), ref.name)
}

/** The finding that breaks an object: about it, acting through it, or the cause of such a one; its topmost cause. */
function faultAt(diagnosis: Pick<Diagnosis, 'roots'>, at: Subject): Node | undefined {
  const key = subjectKey(at)
  const hits = (node: Node): boolean =>
    (breaks(node.found) &&
      [node.found.finding.subject, ...(node.found.finding.through ?? [])].some(s => subjectKey(s) === key)) ||
    node.children.some(hits)
  return diagnosis.roots.find(root => breaks(root.found) && hits(root))
}

function failedBy(at: Subject, fault: Node): Member {
  return member(at, stateBy(fault), fault.found.finding.message, { cause: causeOf(fault) })
}

/** `ready` of a Placement. Its conditions say nothing of single clusters (push-pull 1.4). */
export function judgePlacementReady(diagnosis: Diagnosis, { placement, clusters }: Decided): Member {
  const { subject: at } = placement
  const misconfigured = condition(placement, 'PlacementMisconfigured')
  const satisfied = condition(placement, 'PlacementSatisfied')
  const fault = faultAt(diagnosis, at)
  if (fault !== undefined) return failedBy(at, fault)
  if (misconfigured?.status === 'True') return member(at, 'failed', conditionText(misconfigured))
  if (satisfied === undefined) return member(at, 'waiting', 'has not been scheduled yet')
  const asOf = satisfied.since
  if (satisfied.status !== 'True')
    return member(at, 'waiting', `PlacementSatisfied=${conditionText(satisfied)}`, { asOf })
  if (!diagnosis.fleet.hub.knows('PlacementDecision', placement.meta.namespace))
    return member(at, 'unknown', 'its PlacementDecisions could not be read')
  if (clusters.size === 0) return member(at, 'waiting', 'decides no cluster')
  return member(at, 'met', `decides ${names([...clusters].sort())}`, { asOf })
}

/** `registered` of the clusters that a Placement decides, in each Argo CD that a GitOpsCluster of it serves. */
export function judgePlacementRegistered(diagnosis: Diagnosis, decided: Decided): readonly Member[] {
  const { placement } = decided
  const serving = diagnosis.fleet.join(registration).all.filter(r => r.decided?.placement === placement)
  if (serving.length > 0) return serving.flatMap(r => judgeRegistered(diagnosis, r))
  const knows = diagnosis.fleet.hub.knows('GitOpsCluster', placement.meta.namespace)
  const reason = knows ? 'no GitOpsCluster registers its clusters' : 'GitOpsClusters could not be read'
  return [member(placement.subject, knows ? 'waiting' : 'unknown', reason)]
}

/** `registered` of a GitOpsCluster: a cluster secret of the cluster's name for each decided cluster (push-pull 1.7). */
export function judgeRegistered(diagnosis: Diagnosis, registrar: Registrar): readonly Member[] {
  const { goc, argoNamespace, decided } = registrar
  const { fleet } = diagnosis
  if (decided === undefined || decided.clusters.size === 0) {
    const fault = faultAt(diagnosis, goc.subject)
    if (fault !== undefined) return [failedBy(goc.subject, fault)]
    const reason = decided === undefined ? 'its Placement does not exist' : 'its Placement decides no cluster'
    const knows = fleet.hub.knows('Placement') && fleet.hub.knows('PlacementDecision')
    return [member(goc.subject, knows ? 'waiting' : 'unknown', knows ? reason : 'Placements could not be read')]
  }
  const { byName } = fleet.join(clusterSecrets)
  return [...decided.clusters].sort().map(cluster => {
    const at = subject('hub', 'ManagedCluster', '', cluster)
    const secrets = byName.get(registrationKey(argoNamespace, cluster)) ?? []
    const [secret, second] = secrets
    if (second !== undefined)
      return member(at, 'failed', `${secrets.length} cluster secrets in ${argoNamespace} have its name`)
    if (secret !== undefined) return member(at, 'met', `Secret ${secret.meta.name}`, { asOf: secret.meta.created })
    if (!fleet.hub.knows('Secret', argoNamespace)) return byCondition(diagnosis, registrar, at)
    const fault = faultAt(diagnosis, goc.subject)
    if (fault !== undefined) return failedBy(at, fault)
    return member(at, 'waiting', `has no cluster secret in ${argoNamespace}`)
  })
}

/** Without the right to read Secrets: what the controller says of all its clusters together. */
function byCondition({ fleet }: Diagnosis, { goc }: Registrar, at: Subject): Member {
  const said = condition(goc, 'ClustersRegistered')
  const source = 'condition ClustersRegistered'
  const isFresh = !olderThan(fleet.now, goc.lastUpdate, WRITTEN_WITHIN_MS)
  if (said?.status === 'True' && isFresh) return member(at, 'met', said.reason, { source, asOf: goc.lastUpdate })
  if (said?.status === 'False') return member(at, 'failed', conditionText(said), { source, asOf: goc.lastUpdate })
  const coverage = fleet.hub.coverage('Secret')
  const reason = 'reason' in coverage ? coverage.reason : undefined
  return member(at, 'unknown', reason ?? 'Secrets could not be read')
}

/** `ready` of a GitOpsCluster. With no cluster its controller is content, and with a dead controller it stays so (push-pull 1.6). */
export function judgeRegistrarReady(diagnosis: Diagnosis, { goc, decided }: Registrar): Member {
  const { subject: at } = goc
  const asOf = goc.lastUpdate
  const fault = faultAt(diagnosis, at)
  if (fault !== undefined) return failedBy(at, fault)
  const ready = condition(goc, 'Ready')
  if (ready === undefined && goc.phase !== 'successful')
    return member(at, 'waiting', goc.phase === '' ? 'its controller has not reported yet' : `phase is "${goc.phase}"`)
  if (ready !== undefined && ready.status !== 'True')
    return member(at, 'waiting', `Ready=${conditionText(ready)}`, { asOf })
  if (olderThan(diagnosis.fleet.now, asOf, WRITTEN_WITHIN_MS))
    return member(at, 'unknown', `its controller has written nothing for ${lasting(diagnosis.fleet.now, asOf)}`, {
      asOf,
    })
  if (decided === undefined) return member(at, 'unknown', 'what its Placement decides could not be read')
  if (decided.clusters.size === 0) return member(at, 'waiting', 'its Placement decides no cluster')
  return member(at, 'met', ready === undefined ? 'phase successful' : 'Ready', { asOf })
}
