import { SourceError } from '../errors.ts'
import { type KindName, kindOfResource } from '../fleet/kinds.ts'
import { chooseHub } from './hub.ts'
import { looseClusters } from './loose.ts'
import { clusterFolders, gatheredKind, gatherRoot } from './must-gather.ts'
import { printable } from './printable.ts'
import type { RecordingIndex } from './recording.ts'
import { type IndexFile, readIndexes } from './recording-files.ts'
import type { SourceProblem } from './source.ts'
import { baseOf, dirOf, type FileTree, join, stemOf } from './tree.ts'

/** A file that belongs to a cluster. */
export interface ClusterFile {
  readonly path: string
  /** Kind that the file's place or name promises. */
  readonly kind: KindName | undefined
  /** May be anything: what is no Kubernetes object in it is no problem. */
  readonly lenient?: true
}

interface ClusterBase {
  /** `hub`, or the name of the ManagedCluster. */
  readonly name: string
  readonly role: 'hub' | 'spoke'
  readonly folder: string
}

export interface RecordedCluster extends ClusterBase {
  readonly layout: 'recording'
  /** Undefined when the index could not be read: then the files tell what there is, and nothing tells what is not. */
  readonly index: RecordingIndex | undefined
  /** Files beside the index. */
  readonly files: readonly ClusterFile[]
}

interface GatheredCluster extends ClusterBase {
  readonly layout: 'must-gather'
  /** The folders of the tree: several when several images gathered. */
  readonly trees: readonly string[]
  readonly files: readonly ClusterFile[]
}

interface LooseCluster extends ClusterBase {
  readonly layout: 'files'
  readonly files: readonly ClusterFile[]
}

/** How the files of a source make up clusters. The hub comes first, then the spokes by name. */
export type ClusterLayout = RecordedCluster | GatheredCluster | LooseCluster

export interface Layout {
  readonly type: 'recording' | 'must-gather' | 'files'
  readonly clusters: readonly ClusterLayout[]
  /** Files that lie in no cluster's folder. */
  readonly strays: readonly string[]
  readonly problems: readonly SourceProblem[]
}

type Unnamed<C> = C extends ClusterLayout ? Omit<C, 'name' | 'role'> & { readonly managedClusters: boolean } : never
type Candidate = Unnamed<ClusterLayout>

/**
 * Finds the clusters in a tree of files. Folders with an index are recorded clusters, folders with the tree of
 * `oc adm inspect` are gathered ones, a folder beside such a one is a cluster too; where there is neither, the files are
 * loose, and `looseClusters` decides.
 *
 * @param name of the source for messages; @param base its last folder or file name.
 * @throws SourceError when there are no files, or no way to tell the hub.
 */
export async function layoutOf(tree: FileTree, name: string, base: string, hub: string | undefined): Promise<Layout> {
  const paths = tree.files.map(file => file.path).filter(path => baseOf(path) !== 'timestamp')
  if (paths.length === 0) throw nothingIn(tree, name)
  const { indexes, problems } = await readIndexes(tree, paths)
  const candidates = structured(paths, indexes, base)
  const strays: string[] = []
  let type: Layout['type'] = 'files'
  if (candidates.length === 0) {
    const loose = await looseClusters(tree, paths, hub, name)
    candidates.push(...loose.clusters.map(c => ({ ...c, layout: 'files' as const, files: c.paths.map(looseFile) })))
    strays.push(...loose.strays)
  } else {
    type = candidates.some(c => c.layout === 'recording') ? 'recording' : 'must-gather'
    const owned = new Set(candidates.flatMap(c => (c.layout === 'must-gather' ? c.trees : [c.folder])))
    const rest = paths.filter(path => nearest(path, owned) === undefined)
    const beside = siblings(rest, tree, candidates)
    candidates.push(...beside)
    const besides = new Set(beside.map(c => c.folder))
    strays.push(...rest.filter(path => nearest(path, besides) === undefined))
  }
  const first = chooseHub(candidates, hub, name)
  // Of an archive that ends early the hub may be in the part that is missing.
  const known = hub !== undefined || first.managedClusters || first.folder === '' || baseOf(first.folder) === 'hub'
  if (tree.cutOff !== undefined && !known)
    throw new SourceError(`${name} cannot be read to its end (${tree.cutOff}), and the hub is not in the part before`)
  return { type, clusters: nameClusters(candidates, first, name), strays, problems }
}

function nothingIn(tree: FileTree, name: string): SourceError {
  const gap = tree.gaps[0]
  if (tree.cutOff !== undefined) return new SourceError(`nothing in ${name} can be read: ${tree.cutOff}`)
  if (gap !== undefined)
    return new SourceError(`nothing in ${name} can be read: ${printable(gap.path)}: ${gap.message}`)
  const note = tree.notes[0]
  return new SourceError(`no YAML or JSON file in ${name}${note === undefined ? '' : `; ${note}`}`)
}

/** The innermost of some folders that a path lies in. */
function nearest(path: string, folders: ReadonlySet<string>): string | undefined {
  for (let dir = dirOf(path); ; dir = dirOf(dir)) {
    if (folders.has(dir)) return dir
    if (dir === '') return undefined
  }
}

/** Paths by the folder that `key` gives; those without one are left out. */
function groupPaths(paths: readonly string[], key: (path: string) => string | undefined): Map<string, string[]> {
  const groups = new Map<string, string[]>()
  for (const path of paths) {
    const folder = key(path)
    if (folder === undefined) continue
    const group = groups.get(folder)
    if (group === undefined) groups.set(folder, [path])
    else group.push(path)
  }
  return groups
}

/** Recorded and gathered clusters. */
function structured(paths: readonly string[], indexes: ReadonlyMap<string, IndexFile>, base: string): Candidate[] {
  const recordings = new Set(indexes.keys())
  const besideIndex = groupPaths(paths, path => (recordings.has(dirOf(path)) ? dirOf(path) : undefined))
  const recorded = [...indexes].map(([folder, { index }]): Candidate => {
    const files = (besideIndex.get(folder) ?? []).filter(path => !/^index\.[a-z]+$/i.test(baseOf(path)))
    const held = index?.entries.get('ManagedCluster')?.some(entry => entry.file !== undefined)
    return { layout: 'recording', folder, index, files: files.map(looseFile), managedClusters: held ?? false }
  })
  const trees = groupPaths(paths, path => (nearest(path, recordings) === undefined ? gatherRoot(path) : undefined))
  const roots = new Set(trees.keys())
  // A tree inside a tree (what a hosted cluster left in its host's must-gather) is another cluster, which nobody asked for.
  const outer = new Set([...roots].filter(root => root === '' || nearest(root, roots) === undefined))
  const inTree = groupPaths(paths, path => nearest(path, outer))
  const gathered = [...clusterFolders([...outer], base)].map(([folder, own]): Candidate => {
    const files = own.flatMap(root => (inTree.get(root) ?? []).flatMap(path => gatheredFile(path, root)))
    const managedClusters = files.some(file => file.kind === 'ManagedCluster')
    return { layout: 'must-gather', folder, trees: own, files, managedClusters }
  })
  return [...recorded, ...gathered]
}

function gatheredFile(path: string, root: string): ClusterFile[] {
  const kind = gatheredKind(root === '' ? path : path.slice(root.length + 1))
  if (kind === 'other') return []
  return [kind === undefined ? { path, kind, lenient: true } : { path, kind }]
}

function looseFile(path: string): ClusterFile {
  return { path, kind: kindOfResource(stemOf(path)) }
}

/** Folders beside a recorded or gathered cluster, with files or unreadable: clusters that somebody dumped in another way. */
function siblings(rest: readonly string[], tree: FileTree, clusters: readonly Candidate[]): Candidate[] {
  const folders = clusters.map(c => c.folder).filter(folder => folder !== '')
  const parents = new Set(folders.map(dirOf))
  const taken = new Set<string>()
  for (const folder of folders) for (let dir = folder; dir !== ''; dir = dirOf(dir)) taken.add(dir)
  const unreadable = tree.gaps.filter(gap => gap.folder && gap.outside === undefined).map(gap => `${gap.path}/`)
  const found = groupPaths([...rest, ...unreadable], path => {
    const parent = path.includes('/') ? nearest(dirOf(path), parents) : undefined
    if (parent === undefined) return undefined
    const folder = join(parent, path.slice(parent === '' ? 0 : parent.length + 1).replace(/\/.*$/, ''))
    return taken.has(folder) ? undefined : folder
  })
  return [...found].map(([folder, paths]) => ({
    layout: 'files',
    folder,
    files: paths.filter(path => !path.endsWith('/')).map(looseFile),
    managedClusters: false,
  }))
}

function nameClusters(candidates: readonly Candidate[], hub: Candidate, source: string): ClusterLayout[] {
  const names = new Map<string, string>()
  const clusters = candidates.map(({ managedClusters: _, ...cluster }, i): ClusterLayout => {
    const role = candidates[i] === hub ? 'hub' : 'spoke'
    const name = role === 'hub' ? 'hub' : baseOf(cluster.folder)
    const other = names.get(name)
    if (other !== undefined)
      throw new SourceError(
        `${source} holds several fleets: ${printable(other)} and ${printable(cluster.folder)} have the same cluster name; pass the folder of one fleet`,
      )
    names.set(name, cluster.folder)
    return { ...cluster, name, role }
  })
  const rank = (c: ClusterLayout) => (c.role === 'hub' ? 0 : 1)
  return clusters.sort((a, b) => rank(a) - rank(b) || (a.name < b.name ? -1 : 1))
}
