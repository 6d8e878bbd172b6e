import { type KindName, kindOfResource } from '../fleet/kinds.ts'
import { dirOf, join } from './tree.ts'

/*
 * The tree that `oc adm inspect` writes, and with it every must-gather (openshift/oc, pkg/cli/admin/inspect): per resource
 * one list, or one file per object, in a folder named after the API group; the core group is called `core`.
 */
const CLUSTER_SCOPED = 'cluster-scoped-resources'
const NAMESPACES = 'namespaces'

/** `other`: a place where objects lie, of a kind that fleetctl does not read. */
type Gathered = KindName | 'other'

/** What a file holds by its path inside a cluster's folder; undefined where it is none of the tree's own places. */
export function gatheredKind(path: string): Gathered | undefined {
  const parts = path.split('/')
  if (parts[0] === CLUSTER_SCOPED) return resourceAt(parts.slice(1))
  if (parts[0] !== NAMESPACES) return undefined
  const [, namespace, second, third, fourth] = parts
  if (parts.length === 3 && second?.replace(/\.[^.]*$/, '') === namespace) return 'Namespace'
  if (parts.length === 5 && second === 'pods') return fourth?.replace(/\.[^.]*$/, '') === third ? 'Pod' : undefined
  return resourceAt(parts.slice(2))
}

/** `GROUP/PLURAL.yaml` or `GROUP/PLURAL/NAME.yaml`. */
function resourceAt(parts: readonly string[]): Gathered | undefined {
  const [group, second] = parts
  if (group === undefined || second === undefined || parts.length > 3 || !isGroup(group)) return undefined
  const plural = parts.length === 2 ? second.replace(/\.[^.]*$/, '') : second
  return kindOfResource(group === 'core' ? plural : `${plural}.${group}`) ?? 'other'
}

/** API groups have a dot, but for the few old ones. */
function isGroup(name: string): boolean {
  return name.includes('.') || ['core', 'apps', 'batch', 'autoscaling', 'policy', 'extensions'].includes(name)
}

/** Folder of the cluster whose tree a path belongs to, by the path alone; undefined for other paths. */
export function gatherRoot(path: string): string | undefined {
  const parts = path.split('/')
  const at = parts.findIndex(part => part === CLUSTER_SCOPED || part === NAMESPACES)
  if (at < 0 || gatheredKind(parts.slice(at).join('/')) === undefined) return undefined
  return parts.slice(0, at).join('/')
}

/** Namespace whose contents (and not only some custom resources in it) a file of the tree shows. */
export function gatheredNamespace(path: string): string | undefined {
  const [top, namespace, group] = path.split('/')
  if (top !== NAMESPACES || namespace === undefined) return undefined
  return group === 'core' || group === 'apps' || group === 'pods' ? namespace : undefined
}

/** Kinds that a must-gather holds only for the namespaces that it was asked for. */
export const NAMESPACE_CONTENTS: readonly KindName[] = [
  'Secret',
  'ConfigMap',
  'Service',
  'ServiceAccount',
  'Pod',
  'Event',
  'Deployment',
  'StatefulSet',
  'Role',
  'RoleBinding',
  'Lease',
  'Route',
]

/** `oc adm must-gather` and `oc adm inspect` name their own folder like this. */
function isRun(name: string): boolean {
  return /^(must-gather|inspect)\.local\.\d+$/.test(name)
}

/** Inside, each image that gathered has a folder named after it: several folders of the same cluster. */
function isImage(name: string, parent: string): boolean {
  return /-sha256-[0-9a-f]{8,}/.test(name) || (isRun(parent) && name.includes('must-gather'))
}

/**
 * The folders that stand for clusters, each with the trees in it: the folders that the tools themselves make around a tree
 * are taken away. `base` is the name of the folder or archive that everything lies in.
 */
export function clusterFolders(roots: readonly string[], base: string): Map<string, string[]> {
  const runs = new Map<string, string[]>()
  for (const root of roots) {
    const parts = root === '' ? [] : root.split('/')
    const image = parts.at(-1)
    const run = image !== undefined && isImage(image, parts.at(-2) ?? base) ? dirOf(root) : root
    runs.set(run, [...(runs.get(run) ?? []), root])
  }
  const perParent = new Map<string, number>()
  for (const run of runs.keys()) perParent.set(dirOf(run), (perParent.get(dirOf(run)) ?? 0) + 1)
  const folders = new Map<string, string[]>()
  for (const [run, trees] of runs) {
    const parent = dirOf(run)
    // Two runs side by side are two clusters (or two times): then their own names tell them apart.
    const alone = isRun(run.slice(parent === '' ? 0 : parent.length + 1)) && perParent.get(parent) === 1
    folders.set(alone ? parent : run, trees)
  }
  return folders
}

/** Where a must-gather notes its start, seen from each tree in turn: beside it, or in a folder around it. */
export function timestampPaths(root: string): string[] {
  const paths: string[] = []
  for (let dir = root; ; dir = dirOf(dir)) {
    paths.push(join(dir, 'timestamp'))
    if (dir === '') return paths
  }
}

/** First line of `timestamp`, as Go prints a time: `2026-05-26 15:00:41.226094372 +0000 UTC m=+0.23`. Epoch milliseconds. */
export function parseTimestamp(text: string): number | undefined {
  const found = /^(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d(?:\.\d+)?) ([+-]\d\d)(\d\d)\b/.exec(text)
  if (found === null) return undefined
  const [, day, time = '', hours, minutes] = found
  const at = Date.parse(`${day}T${time.slice(0, 12)}${hours}:${minutes}`)
  return Number.isNaN(at) ? undefined : at
}
