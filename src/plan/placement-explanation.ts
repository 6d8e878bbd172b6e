import { API_VERSION, type SourceInfo } from '../checks/report.ts'
import { UsageError } from '../errors.ts'
import { condition } from '../fleet/joins/clusters.ts'
import { placementKey, selection } from '../fleet/joins/selection.ts'
import { type KindName, resourceName } from '../fleet/kinds.ts'
import type { LoadedFleet } from '../fleet/load.ts'
import type { ExpectedCondition } from '../fleet/placement/conditions.ts'
import type { NotSelected } from '../fleet/placement/why-not.ts'
import { type Subject, subject } from '../fleet/subject.ts'
import { didYouMean } from '../ui/nearest.ts'
import { VERSION } from '../version.ts'
import type { Manifest } from './object.ts'
import { type ApplicationPreview, type PlacementPreview, previewOf } from './preview.ts'
import { whatIf, withCel } from './what-if.ts'

/** What a Placement selects and why not the rest, as scripts see it. Fields are only ever added within v1. */
export interface PlacementExplanationReport {
  readonly apiVersion: typeof API_VERSION
  readonly kind: 'PlacementExplanation'
  readonly version: string
  readonly source: SourceInfo
  readonly placement: Subject
  /** What the controller selects; where that is not certain, what it surely selects. */
  readonly selected: readonly string[]
  readonly notSelected: readonly Pick<NotSelected, 'cluster' | 'reason' | 'detail'>[]
  readonly certain: boolean
  /** Clusters that pass every filter, or may pass. */
  readonly candidates: readonly string[]
  /** How many of the candidates the scheduler chooses, where it is not certain which; null otherwise. */
  readonly chooses: number | null
  readonly doubts: readonly string[]
  /** Why the controller leaves the Placement alone; empty where it does not. */
  readonly frozen: string
  /** What the conditions ought to say; status `''` where that cannot be told. */
  readonly satisfied: ExpectedCondition
  readonly misconfigured: ExpectedCondition
  /** What they say on the hub; null for a Placement that is not there. */
  readonly reported: { readonly satisfied: ExpectedCondition; readonly misconfigured: ExpectedCondition } | null
  /** Clusters in its decisions now; null for a Placement that is not there. */
  readonly decided: readonly string[] | null
  readonly sets: {
    readonly eligible: readonly string[]
    readonly bound: readonly string[]
    readonly unbound: readonly string[]
    readonly unknown: readonly string[]
    readonly dangling: readonly string[]
  }
  /** What an edit changes; null without one. */
  readonly edit: PlacementEdit | null
  /** Kinds that could not be read wholly: the answer may be wrong without them. */
  readonly unseen: readonly { readonly resource: string; readonly reason: string }[]
}

interface PlacementEdit {
  readonly comes: readonly string[]
  /** Clusters that surely go. */
  readonly goes: readonly string[]
  /** Clusters that are selected now, and of which it cannot be told whether they still are. */
  readonly mayGo: readonly string[]
  /** Other Placements that select otherwise because of the edit. */
  readonly others: readonly PlacementPreview[]
  readonly applications: {
    readonly made: readonly ApplicationPreview[]
    readonly lost: readonly ApplicationPreview[]
  }
}

/** Kinds that decide about a selection, besides the Placement itself. */
const NEEDED: readonly KindName[] = ['ManagedCluster', 'ManagedClusterSet', 'ManagedClusterSetBinding']

export interface PlacementRef {
  readonly namespace?: string
  readonly name: string
}

/** The Placement that is meant. @throws UsageError where there is none, or several */
export function findPlacement(loaded: LoadedFleet, ref: PlacementRef): { namespace: string; name: string } {
  const all = loaded.fleet.hub.of('Placement').all.map(p => p.meta)
  const found = all.filter(m => m.name === ref.name && (ref.namespace === undefined || m.namespace === ref.namespace))
  const [only, ...more] = found
  if (only !== undefined && more.length === 0) return only
  if (only !== undefined) {
    const where = found.map(m => `${m.namespace}/${m.name}`).sort()
    throw new UsageError(
      `several Placements are called "${ref.name}": ${where.join(', ')}; name one with its namespace`,
    )
  }
  const wanted = ref.namespace === undefined ? `"${ref.name}"` : `"${ref.name}" in namespace "${ref.namespace}"`
  const names = all.map(m => (ref.namespace === undefined ? m.name : `${m.namespace}/${m.name}`)).sort()
  const like = ref.namespace === undefined ? ref.name : `${ref.namespace}/${ref.name}`
  const have = names.length === 0 ? '; the hub has none' : `; the hub has ${names.slice(0, 8).join(', ')}`
  throw new UsageError(`there is no Placement ${wanted}${didYouMean(like, names, have)}`)
}

function reportedConditions(loaded: LoadedFleet, namespace: string, name: string) {
  const placement = loaded.fleet.hub.of('Placement').get(namespace, name)
  if (placement === undefined) return null
  const read = (type: string): ExpectedCondition => {
    const { status = '', reason = '', message = '' } = condition(placement, type) ?? {}
    return { status: status === 'True' || status === 'False' ? status : '', reason, message }
  }
  return { satisfied: read('PlacementSatisfied'), misconfigured: read('PlacementMisconfigured') }
}

/**
 * Explains a Placement as it is, or as it would be with the objects of an edit.
 *
 * @param edit whole objects in the place of those that are there; empty to explain what is there
 */
export async function explainOnHub(
  read: LoadedFleet,
  source: SourceInfo,
  placement: { readonly namespace: string; readonly name: string },
  edit: readonly Manifest[],
): Promise<PlacementExplanationReport> {
  const { namespace, name } = placement
  const loaded = await withCel(read, edit)
  const key = placementKey(namespace, name)
  const after = whatIf(loaded, edit)
  const explained = after.explanations.get(key)
  if (explained === undefined) throw new Error(`no Placement ${key}`)
  const decided = loaded.fleet.join(selection).byPlacement.get(key)?.clusters
  const preview = edit.length === 0 ? undefined : previewOf(whatIf(loaded, []), after, new Set([key]))
  const own = preview?.placements.find(p => p.namespace === namespace && p.name === name)
  const { hub } = loaded.fleet
  return {
    apiVersion: API_VERSION,
    kind: 'PlacementExplanation',
    version: VERSION,
    source,
    placement: subject('hub', 'Placement', namespace, name),
    selected: explained.selected,
    notSelected: explained.notSelected.map(({ cluster, reason, detail }) => ({ cluster, reason, detail })),
    certain: explained.certain,
    candidates: explained.candidates,
    chooses: explained.chooses ?? null,
    doubts: explained.doubts,
    frozen: explained.frozen ?? '',
    satisfied: explained.satisfied,
    misconfigured: explained.misconfigured,
    reported: reportedConditions(loaded, namespace, name),
    decided: decided === undefined ? null : [...decided].sort(),
    sets: {
      eligible: explained.eligibleSets,
      bound: explained.boundSets,
      unbound: explained.unboundSets,
      unknown: explained.unknownSets,
      dangling: explained.danglingBindings,
    },
    edit:
      preview === undefined
        ? null
        : {
            comes: own?.comes ?? [],
            goes: own?.goes ?? [],
            mayGo: own?.mayGo ?? [],
            others: preview.placements.filter(p => p !== own),
            applications: preview.applications,
          },
    unseen: NEEDED.filter(kind => !hub.knows(kind)).map(kind => {
      const coverage = hub.coverage(kind)
      return { resource: resourceName(kind), reason: 'reason' in coverage ? (coverage.reason ?? '') : '' }
    }),
  }
}
