import type { Fleet } from '../fleet.ts'
import { getOrAdd, pushTo } from '../maps.ts'
import { subject, subjectKey } from '../subject.ts'
import {
  clusterStops,
  credentialStops,
  generationStops,
  ownStops,
  placementStops,
  registrarStops,
  registrarsOf,
  selectionStops,
  type Way,
} from './way-stops.ts'

/** Stops that many ways have in common: those of a Placement, of an ApplicationSet, of a cluster. */
interface Group {
  readonly ways: Way[]
  /** Groups that the ways of this one are in as well. */
  readonly within: readonly Group[]
}

const NONE: readonly Way[] = []

/** How the keys of Applications on the hub begin. */
const APPLICATION = subjectKey(subject('hub', 'Application', '', '')).replace(/\|\|$/, '|')

/**
 * Which ways lead through an object. A way has dozens of stops, nearly all in common with others: those are listed once for the
 * group, so that the index grows with the objects and not with objects times Applications.
 */
export class WayIndex {
  readonly #fleet: Fleet
  readonly #byKey: ReadonlyMap<string, Way>
  /** Nearly all of these objects are one way's alone. */
  readonly #own = new Map<string, Way | Way[]>()
  readonly #groups = new Map<string, Group[]>()
  readonly #byCause = new Map<object | string, Group>()

  /** @param byKey the same ways by `namespace/name` of their Application */
  constructor(fleet: Fleet, all: readonly Way[], byKey: ReadonlyMap<string, Way>) {
    this.#fleet = fleet
    this.#byKey = byKey
    for (const way of all) this.#add(way)
  }

  through(key: string): readonly Way[] {
    const own = this.#ownOf(key)
    const groups = this.#groups.get(key)
    if (groups === undefined) return own ?? NONE
    const [only, ...more] = groups
    if (own === undefined && only !== undefined && more.length === 0) return only.ways
    return [...new Set([...(own ?? NONE), ...groups.flatMap(g => g.ways)])]
  }

  #ownOf(key: string): readonly Way[] | undefined {
    if (key.startsWith(APPLICATION)) {
      const way = this.#byKey.get(key.slice(APPLICATION.length).replace('|', '/'))
      return way === undefined ? undefined : [way]
    }
    const found = this.#own.get(key)
    return found === undefined || Array.isArray(found) ? found : [found]
  }

  #add(way: Way): void {
    const { appSet, cluster, argoNamespace } = way
    const groups = new Set<Group>()
    if (cluster !== '') this.#enter(groups, this.#cluster(argoNamespace, cluster))
    if (appSet !== undefined) this.#enter(groups, this.#appSet(appSet, argoNamespace))
    for (const group of groups) group.ways.push(way)
    for (const key of new Set(ownStops(this.#fleet, way).map(subjectKey))) {
      // That is found by the way's own key.
      if (key.startsWith(APPLICATION)) continue
      const known = this.#own.get(key)
      if (known === undefined) this.#own.set(key, way)
      else if (Array.isArray(known)) known.push(way)
      else this.#own.set(key, [known, way])
    }
  }

  #enter(groups: Set<Group>, group: Group): void {
    groups.add(group)
    for (const outer of group.within) groups.add(outer)
  }

  #cluster(argoNamespace: string, cluster: string): Group {
    return getOrAdd(this.#byCause, `${argoNamespace}/${cluster}`, () => {
      const registrars = registrarsOf(this.#fleet, argoNamespace, cluster)
      const stops = [
        ...clusterStops(this.#fleet, cluster),
        ...registrars.flatMap(registrarStops),
        ...credentialStops(this.#fleet, argoNamespace, cluster, registrars),
      ]
      const selections = registrars.flatMap(r => r.decided ?? [])
      return this.#group(
        stops,
        selections.map(d => this.#selection(d)),
      )
    })
  }

  #appSet(appSet: NonNullable<Way['appSet']>, argoNamespace: string): Group {
    const { namespace, name } = appSet.appSet.meta
    return getOrAdd(this.#byCause, `${argoNamespace} ${namespace}/${name}`, () => {
      const selections = appSet.generators.flatMap(g => g.placements)
      return this.#group(
        [...placementStops(appSet, argoNamespace), ...generationStops(appSet, argoNamespace)],
        selections.map(d => this.#selection(d)),
      )
    })
  }

  #selection(decided: Parameters<typeof selectionStops>[1]): Group {
    return getOrAdd(this.#byCause, decided, () => this.#group(selectionStops(this.#fleet, decided), []))
  }

  #group(stops: Parameters<typeof subjectKey>[0][], within: readonly Group[]): Group {
    const group: Group = { ways: [], within }
    for (const key of new Set(stops.map(subjectKey))) pushTo(this.#groups, key, group)
    return group
  }
}
