import { toYaml } from '../output/yaml.ts'
import { readmeOf } from './export-readme.ts'
import type { Manifest } from './object.ts'
import { type ObjectStep, objectSteps, type Plan } from './plan.ts'
import { shellLine } from './shell.ts'

/** How the files lie: all together, in a folder per section, or those of one cluster together. */
export type Layout = 'flat' | 'kustomize' | 'by-cluster'
export const LAYOUTS: readonly Layout[] = ['flat', 'kustomize', 'by-cluster']

export interface ExportFile {
  /** Relative, with slashes. */
  readonly path: string
  readonly text: string
}

/** First line of every file that is written: only such files are ever replaced. */
export const MARK = '# Written by fleetctl'

const slug = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')

/** Managed cluster that an object is about: those in its namespace, and itself. */
function clusterOf({ subject }: ObjectStep, clusters: ReadonlySet<string>): string {
  const name = subject.kind === 'ManagedCluster' ? subject.name : subject.namespace
  return clusters.has(name) ? name : ''
}

function clustersOf(steps: readonly ObjectStep[]): ReadonlySet<string> {
  const kinds = new Set(['ManagedServiceAccount', 'ClusterPermission', 'ManagedClusterAddOn'])
  return new Set(
    steps.flatMap(({ subject }) =>
      subject.kind === 'ManagedCluster' ? [subject.name] : kinds.has(subject.kind) ? [subject.namespace] : [],
    ),
  )
}

function folderOf(step: ObjectStep, layout: Layout, clusters: ReadonlySet<string>): string {
  if (layout === 'flat') return ''
  if (layout === 'kustomize') return slug(step.section)
  const cluster = clusterOf(step, clusters)
  return cluster === '' ? 'hub' : `clusters/${cluster}`
}

/** `placement-openshift-gitops-demo.yaml`; the namespace only where two would have one name. */
function fileName({ subject }: ObjectStep, others: readonly ObjectStep[]): string {
  const isTwin = (o: ObjectStep): boolean => o.subject.kind === subject.kind && o.subject.name === subject.name
  const namespace = others.filter(isTwin).length > 1 && subject.namespace !== '' ? `${subject.namespace}-` : ''
  return `${subject.kind.toLowerCase()}-${namespace}${subject.name}.yaml`
}

function kustomization(resources: readonly string[]): string {
  return `${MARK}\n${toYaml({ apiVersion: 'kustomize.config.k8s.io/v1beta1', kind: 'Kustomization', resources })}`
}

/** A step with the file that it goes to. */
export interface Placed {
  readonly step: ObjectStep
  readonly path: string
}

/** The file of each object, in the order of the steps. */
function placedSteps(plan: Plan, layout: Layout): readonly Placed[] {
  // What lasts only as long as a run is no state for Git.
  const passing = new Set(
    objectSteps(plan).flatMap(step => (step.undoes === undefined ? [] : [step.number, step.undoes])),
  )
  const steps = objectSteps(plan).filter(step => step.action !== 'delete' && !passing.has(step.number))
  const clusters = clustersOf(steps)
  return steps.map(step => {
    const folder = folderOf(step, layout, clusters)
    const beside = steps.filter(other => folderOf(other, layout, clusters) === folder)
    const name = fileName(step, beside)
    return { step, path: folder === '' ? name : `${folder}/${name}` }
  })
}

/** Kustomizations: one at the top, and one in each folder. */
function kustomizations(paths: readonly string[]): readonly ExportFile[] {
  const byFolder = new Map<string, string[]>()
  for (const path of paths) {
    const slash = path.lastIndexOf('/')
    const folder = path.slice(0, Math.max(0, slash))
    const names = byFolder.get(folder) ?? []
    byFolder.set(folder, [...names, path.slice(slash + 1)])
  }
  const inside = [...byFolder].filter(([folder]) => folder !== '')
  const top = [...(byFolder.get('') ?? []), ...inside.map(([folder]) => folder)]
  return [
    { path: 'kustomization.yaml', text: kustomization(top) },
    ...inside.map(([folder, names]) => ({ path: `${folder}/kustomization.yaml`, text: kustomization(names) })),
  ]
}

/**
 * The plan as files for Git: one object each, kustomizations in the plan's order, and a README that says what takes effect
 * when. The same plan gives the same bytes.
 *
 * @param shared files of objects that belong to others as well, by step (see `filesForGit`)
 */
export function exportFiles(plan: Plan, layout: Layout, shared: ReadonlyMap<number, Manifest>): readonly ExportFile[] {
  const placed = placedSteps(plan, layout)
  const objects = placed.map(({ step, path }) => ({
    path,
    text: `${MARK}\n${toYaml(shared.get(step.number) ?? step.manifest)}`,
  }))
  return [
    ...objects,
    ...(placed.length === 0 ? [] : kustomizations(placed.map(p => p.path))),
    { path: 'README.md', text: readmeOf(plan, placed, shared, `fleetctl ${shellLine(plan.command)}`) },
  ]
}
