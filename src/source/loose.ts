import { SourceError } from '../errors.ts'
import { parseDocuments } from './documents.ts'
import { normalizeHub } from './hub.ts'
import { nameOf, visitObjects } from './objects.ts'
import { printable } from './printable.ts'
import { takeText } from './text.ts'
import { baseOf, dirOf, type FileContent, type FileTree, isIn, join, stemOf } from './tree.ts'

interface LooseFolders {
  readonly clusters: readonly {
    readonly folder: string
    readonly paths: readonly string[]
    readonly managedClusters: boolean
  }[]
  readonly strays: readonly string[]
}

/**
 * Which clusters a tree of loose files shows. Folders are clusters when one is called `hub` (or named as the hub), or when
 * one holds ManagedClusters and others have the names of those; so are files beside a file called `hub`; else everything is one cluster.
 *
 * @throws SourceError when several folders lie side by side and nothing tells what they are.
 */
export async function looseClusters(
  tree: FileTree,
  paths: readonly string[],
  hub: string | undefined,
  source: string,
): Promise<LooseFolders> {
  const one: LooseFolders = { clusters: [{ folder: '', paths, managedClusters: false }], strays: [] }
  const named = hub === undefined ? undefined : normalizeHub(hub)
  if (named === '') return one
  if (named !== undefined) {
    const folder = foldersOf(paths).find(f => f === named) ?? foldersOf(paths).find(f => f.endsWith(`/${named}`))
    if (folder !== undefined) return split(paths, dirOf(folder))
    throw new SourceError(`--hub ${printable(hub ?? '')} is no folder with files in ${source}`)
  }
  const top = topOf(paths)
  const folders = branches(paths, top)
  if (folders.includes('hub')) return split(paths, top)
  if (folders.length === 0) return (await clusterFiles(tree, paths)) ?? one
  const held = await managedClustersIn(tree, paths)
  const holders = [...new Set([...held.keys()].map(path => branchOf(path, top)))]
  const names = new Set([...held.values()].flat())
  const spokes = folders.filter(folder => names.has(folder) && !holders.includes(folder))
  const [holder] = holders
  if (holder !== undefined && holders.length === 1 && spokes.length > 0)
    return holder === '' ? hubAround(paths, top, spokes) : split(paths, top, holder)
  // Files on the same level as the folders: one dump, sorted into folders by whoever made it. So is a folder of clusters.
  if (holders.length === 1 || folders.length === 1 || paths.some(path => dirOf(path) === top)) return one
  const all = folders.map(printable).slice(0, 5).join(', ')
  const fault =
    holders.length > 1 ? 'several of them hold ManagedClusters' : 'none is called hub or holds ManagedClusters'
  throw new SourceError(
    `cannot tell which of the folders in ${source} is the hub (${all}): ${fault}; name it with --hub DIR, or pass --hub . if all files are of the hub`,
  )
}

/**
 * `hub.yaml`, `bm.yaml`, `sno.yaml`: one dump a cluster, where the one called `hub` holds ManagedClusters with the names of others.
 * Files with other names beside them belong to the hub.
 */
async function clusterFiles(tree: FileTree, paths: readonly string[]): Promise<LooseFolders | undefined> {
  const ofHub = paths.filter(path => stemOf(path) === 'hub')
  if (ofHub.length === 0 || ofHub.length === paths.length) return undefined
  const names = new Set([...(await managedClustersIn(tree, ofHub)).values()].flat())
  const spokes = [...new Set(paths.map(stemOf))].filter(stem => stem !== 'hub' && names.has(stem))
  if (spokes.length === 0) return undefined
  const folder = (stem: string) => join(dirOf(ofHub[0] ?? ''), stem)
  const rest = paths.filter(path => !spokes.includes(stemOf(path)))
  const clusters = spokes.map(stem => ({
    folder: folder(stem),
    paths: paths.filter(path => stemOf(path) === stem),
    managedClusters: false,
  }))
  return { clusters: [{ folder: folder('hub'), paths: rest, managedClusters: true }, ...clusters], strays: [] }
}

function foldersOf(paths: readonly string[]): string[] {
  const folders = new Set<string>()
  for (const path of paths) for (let dir = dirOf(path); dir !== ''; dir = dirOf(dir)) folders.add(dir)
  return [...folders].sort((a, b) => a.length - b.length || (a < b ? -1 : 1))
}

/** The folder below which the tree branches or the first files lie. A lone folder called `hub` is no wrapper. */
function topOf(paths: readonly string[]): string {
  let top = ''
  for (;;) {
    const [only, ...more] = branches(paths, top)
    if (only === undefined || more.length > 0 || only === 'hub' || paths.some(path => dirOf(path) === top)) return top
    top = join(top, only)
  }
}

/** Names of the folders directly below `top`. */
function branches(paths: readonly string[], top: string): string[] {
  return [...new Set(paths.map(path => branchOf(path, top)))].filter(name => name !== '').sort()
}

/** First folder of a path below `top`; `''` for a file directly in it, or not below it. */
function branchOf(path: string, top: string): string {
  if (!isIn(path, top)) return ''
  const inside = top === '' ? path : path.slice(top.length + 1)
  const slash = inside.indexOf('/')
  return slash < 0 ? '' : inside.slice(0, slash)
}

function split(paths: readonly string[], top: string, holder?: string): LooseFolders {
  const clusters = branches(paths, top).map(name => ({
    folder: join(top, name),
    paths: paths.filter(path => branchOf(path, top) === name),
    managedClusters: name === holder,
  }))
  return { clusters, strays: paths.filter(path => branchOf(path, top) === '') }
}

/** The hub's files lie beside the folders of the spokes. */
function hubAround(paths: readonly string[], top: string, spokes: readonly string[]): LooseFolders {
  const folders = split(paths, top).clusters.filter(c => spokes.includes(baseOf(c.folder)))
  const rest = paths.filter(path => !spokes.includes(branchOf(path, top)))
  return { clusters: [{ folder: top, paths: rest, managedClusters: true }, ...folders], strays: [] }
}

/** Names of the ManagedClusters in each file that has some. Only files that contain the word are parsed. */
async function managedClustersIn(tree: FileTree, paths: readonly string[]): Promise<Map<string, string[]>> {
  const found = new Map<string, string[]>()
  await tree.read(paths, (path, content) => {
    const names = managedClusterNames(content)
    if (names.length > 0) found.set(path, names)
  })
  return found
}

function managedClusterNames(content: FileContent): string[] {
  const decoded = takeText(content)
  if ('failure' in decoded || !/\bManagedCluster(List)?\b/.test(decoded.text)) return []
  const names: string[] = []
  const ignore = () => {}
  for (const document of parseDocuments(decoded.text)) {
    if (document.error !== undefined) continue
    visitObjects(document.value, undefined, {
      object(kind, raw) {
        const name = kind === 'ManagedCluster' ? nameOf(kind, raw)?.name : undefined
        if (name !== undefined) names.push(name)
      },
      list: ignore,
      odd: ignore,
      lost: ignore,
      foreign: ignore,
    })
  }
  return names
}
