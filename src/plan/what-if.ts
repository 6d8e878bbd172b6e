import { ClusterView, Fleet } from '../fleet/fleet.ts'
import { selection } from '../fleet/joins/selection.ts'
import { KIND_NAMES, type KindName } from '../fleet/kinds.ts'
import { PLACEMENT_LABEL } from '../fleet/labels.ts'
import type { LoadedFleet } from '../fleet/load.ts'
import { noCel } from '../fleet/placement/cel.ts'
import { explainPlacement, type PlacementExplanation } from '../fleet/placement/explain.ts'
import type { PlacementWorld } from '../fleet/placement/world.ts'
import { type FieldNote, projectObject } from '../fleet/project/index.ts'
import type { Base, PlacementDecision } from '../fleet/records.ts'
import { subject, subjectKey } from '../fleet/subject.ts'
import { Table } from '../fleet/table.ts'
import { valueAt } from '../raw.ts'
import { kindOfManifest, type Manifest } from './object.ts'

/** A fleet as it would be: with objects added or changed on the hub, and with what the placement controller makes of it. */
export interface WhatIf {
  readonly fleet: Fleet
  /** What the controller makes of each Placement, by `namespace/name`. */
  readonly explanations: ReadonlyMap<string, PlacementExplanation>
}

type Rows = Map<KindName, Map<string, Base>>

/** Records of the hub, with those of the objects in the place of the ones that are there. */
function overlaid(hub: ClusterView, objects: readonly Manifest[]): Rows {
  const rows: Rows = new Map()
  for (const kind of KIND_NAMES) {
    rows.set(kind, new Map(hub.of(kind).all.map((record: Base) => [subjectKey(record.subject), record])))
  }
  for (const object of objects) {
    const notes: FieldNote[] = []
    const kind = kindOfManifest(object)
    const record: Base | undefined = projectObject(kind, 'hub', object, notes)
    if (record !== undefined) rows.get(kind)?.set(subjectKey(record.subject), record)
  }
  return rows
}

function viewOf(loaded: LoadedFleet, rows: Rows): ClusterView {
  const { hub } = loaded.fleet
  const report = loaded.report.clusters.find(c => c.name === hub.name)
  if (report === undefined) throw new Error('a fleet has a hub')
  const tables = new Map<KindName, Table<never>>()
  for (const [kind, records] of rows) tables.set(kind, new Table([...records.values()]) as unknown as Table<never>)
  return new ClusterView(report, hub.readAt, tables, undefined)
}

function fleetWith(loaded: LoadedFleet, rows: Rows): Fleet {
  const { fleet, report } = loaded
  const views = new Map<string, ClusterView>([...fleet.spokes, [fleet.hub.name, viewOf(loaded, rows)]])
  return Fleet.of(fleet.now, report.clusters, views, fleet.tools)
}

function decision(namespace: string, placement: string, clusterNames: readonly string[]): PlacementDecision {
  const name = `${placement}-decision-1`
  return {
    subject: subject('hub', 'PlacementDecision', namespace, name),
    meta: {
      namespace,
      name,
      uid: '',
      generation: 0,
      labels: { [PLACEMENT_LABEL]: placement },
      annotations: {},
      finalizers: [],
      owners: [],
      created: undefined,
      deleting: undefined,
    },
    placement,
    clusterNames,
  }
}

/** Does an object hold a CEL expression that decides about a selection? */
function usesCel(object: Manifest): boolean {
  const predicates = valueAt(object, 'spec', 'predicates')
  return (
    object.kind === 'Placement' &&
    Array.isArray(predicates) &&
    predicates.some(p => valueAt(p, 'requiredClusterSelector', 'celSelector') !== undefined)
  )
}

/** The fleet with the evaluator of CEL expressions where one of the objects needs it: the fleet itself may not have. */
export async function withCel(loaded: LoadedFleet, objects: readonly Manifest[]): Promise<LoadedFleet> {
  if (loaded.fleet.tools.cel !== noCel || !objects.some(usesCel)) return loaded
  const { fleet, report } = loaded
  const views = new Map<string, ClusterView>([...fleet.spokes, [fleet.hub.name, fleet.hub]])
  const { loadCel } = await import('../fleet/placement/load-cel.ts')
  return { ...loaded, fleet: Fleet.of(fleet.now, report.clusters, views, { cel: await loadCel() }) }
}

/**
 * The fleet with these objects, and with the decisions that follow. A decision is worked out anew for every Placement, so
 * that the fleet with and the fleet without a change differ by the change alone; where that is not certain, the decision
 * that was read stands.
 *
 * @param objects whole objects, not partial ones
 */
export function whatIf(loaded: LoadedFleet, objects: readonly Manifest[]): WhatIf {
  const rows = overlaid(loaded.fleet.hub, objects)
  const before = fleetWith(loaded, rows)
  const world: PlacementWorld = {
    clusters: before.hub.of('ManagedCluster').all,
    sets: before.hub.of('ManagedClusterSet').all,
    bindings: before.hub.of('ManagedClusterSetBinding').all,
    now: before.now,
  }
  const explanations = new Map<string, PlacementExplanation>()
  const decisions = rows.get('PlacementDecision') ?? new Map<string, Base>()
  for (const [key, { placement, decisions: own, clusters }] of before.join(selection).byPlacement) {
    const explanation = explainPlacement(placement, world, { decided: clusters, cel: before.tools.cel })
    explanations.set(key, explanation)
    if (!explanation.certain) continue
    for (const d of own) decisions.delete(subjectKey(d.subject))
    const made = decision(placement.meta.namespace, placement.meta.name, explanation.selected)
    decisions.set(subjectKey(made.subject), made)
  }
  rows.set('PlacementDecision', decisions)
  return { fleet: fleetWith(loaded, rows), explanations }
}
