import { SourceError } from '../errors.ts'
import { printable } from './printable.ts'
import { baseOf } from './tree.ts'

/** A folder that stands for a cluster. */
interface Candidate {
  /** `''` when the whole source is one cluster. */
  readonly folder: string
  /** Does it hold ManagedClusters, as only a hub does? */
  readonly managedClusters: boolean
}

/** The folder that is the hub, in the form in which the user may name it: `./hub/` is `hub`, `.` is everything. */
export function normalizeHub(hub: string): string {
  const parts = hub
    .replaceAll('\\', '/')
    .split('/')
    .filter(part => part !== '' && part !== '.')
  return parts.join('/')
}

/**
 * Which folder is the hub: the one that the user names, else the one called `hub`, else the one that holds
 * ManagedClusters, else the only one.
 *
 * @throws SourceError when nothing tells, or two folders could be it.
 */
export function chooseHub<C extends Candidate>(clusters: readonly C[], hub: string | undefined, source: string): C {
  if (hub !== undefined) return namedHub(clusters, normalizeHub(hub), hub, source)
  const called = clusters.filter(c => baseOf(c.folder) === 'hub')
  const [first, second] = called
  if (first !== undefined && second !== undefined)
    throw new SourceError(
      `${source} holds several fleets: ${list(called)} are all called hub; pass the folder of one fleet`,
    )
  if (first !== undefined) return first
  const [only] = clusters
  if (only !== undefined && clusters.length === 1) return only
  const holders = clusters.filter(c => c.managedClusters)
  const [holder] = holders
  if (holder !== undefined && holders.length === 1) return holder
  throw new SourceError(
    holders.length > 1
      ? `cannot tell which cluster in ${source} is the hub: ${list(holders)} all hold ManagedClusters; name it with --hub DIR`
      : `cannot tell which cluster in ${source} is the hub: none of ${list(clusters)} is called hub or holds ManagedClusters; name it with --hub DIR`,
  )
}

function namedHub<C extends Candidate>(clusters: readonly C[], path: string, given: string, source: string): C {
  const found =
    clusters.find(c => c.folder === path) ??
    // The folders of an archive often lie in one more folder, which nobody thinks of.
    only(clusters.filter(c => path === '' || c.folder.endsWith(`/${path}`)))
  if (found === undefined)
    throw new SourceError(`--hub ${printable(given)} is no cluster folder in ${source}: there is ${list(clusters)}`)
  const other = clusters.find(c => c !== found && baseOf(c.folder) === 'hub')
  if (other !== undefined)
    throw new SourceError(
      `--hub names ${printable(given)}, but ${printable(other.folder)} is called hub: no spoke can have that name; rename the folder after its ManagedCluster`,
    )
  return found
}

function only<C>(found: readonly C[]): C | undefined {
  return found.length === 1 ? found[0] : undefined
}

const MOST_NAMED = 5

function list(clusters: readonly Candidate[]): string {
  const names = clusters.slice(0, MOST_NAMED).map(c => (c.folder === '' ? '.' : printable(c.folder)))
  const more = clusters.length - names.length
  return more > 0 ? `${names.join(', ')} and ${more} more` : names.join(', ')
}
