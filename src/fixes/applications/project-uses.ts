import type { Fleet } from '../../fleet/fleet.ts'
import { applications, IN_CLUSTER_SERVER, SOURCE_UID } from '../../fleet/joins/applications.ts'
import { appSets } from '../../fleet/joins/appsets.ts'
import { PULL_LABEL } from '../../fleet/labels.ts'
import type { Destination, Source } from '../../fleet/records.ts'
import { textAt } from '../../raw.ts'

/** What an AppProject has to permit for those who name it. */
interface ProjectUses {
  readonly repositories: readonly string[]
  readonly destinations: readonly { readonly name?: string; readonly server?: string; readonly namespace: string }[]
  /** Namespaces of its Applications beside the Argo CD namespace. */
  readonly sourceNamespaces: readonly string[]
}

const EXPRESSION = /\{\{[^}]*\}\}/g

/** A template expression may become anything. */
const loose = (text: string): string => text.replace(EXPRESSION, '*')

const isFixed = (text: string): boolean => loose(text) === text

function destinationOf({ name, server, namespace }: Destination, isPull: boolean): ProjectUses['destinations'][number] {
  const where = namespace === '' ? '*' : namespace
  // What a spoke pulls deploys in place, whatever its Application on the hub says.
  if (isPull) return { server: IN_CLUSTER_SERVER, namespace: where }
  return name === '' ? { server, namespace: where } : { name, namespace: where }
}

function loosened({
  name,
  server,
  namespace,
}: ProjectUses['destinations'][number]): ProjectUses['destinations'][number] {
  return {
    ...(name === undefined ? {} : { name: loose(name) }),
    ...(server === undefined ? {} : { server: loose(server) }),
    namespace: loose(namespace),
  }
}

/** Tells destinations apart, in whatever order their fields stand. */
const placeKey = (place: unknown): string => ['name', 'server', 'namespace'].map(key => textAt(place, key)).join('\n')

/**
 * Everything that ApplicationSets and Applications of a project use. What the expressions of a template become is read from the
 * Applications that it made: an expression alone would open the project to everything.
 */
export function usesOf(fleet: Fleet, argoNamespace: string, project: string): ProjectUses {
  const all = fleet.join(applications).all
  const makers = new Set(all.map(l => l.appSet?.appSet))
  const sources: Source[] = []
  const destinations: ProjectUses['destinations'][number][] = []
  const namespaces: string[] = []
  for (const { appSet, argoNamespace: at } of fleet.join(appSets).all) {
    const { template, meta } = appSet
    if (at !== argoNamespace || template.project !== project) continue
    const isTold = (...texts: readonly string[]): boolean => !makers.has(appSet) || texts.every(isFixed)
    const place = destinationOf(template.destination, PULL_LABEL in template.labels)
    sources.push(...template.sources.filter(s => isTold(s.repoURL)))
    if (isTold(place.name ?? '', place.server ?? '', template.destination.namespace)) destinations.push(loosened(place))
    namespaces.push(meta.namespace)
  }
  for (const { app, model, argoNamespace: at } of all) {
    if (at !== argoNamespace || app.project !== project || SOURCE_UID in app.meta.annotations) continue
    sources.push(...app.sources)
    destinations.push(destinationOf(app.destination, model === 'pull'))
    namespaces.push(app.meta.namespace)
  }
  return {
    repositories: [...new Set(sources.map(s => loose(s.repoURL)).filter(url => url !== ''))],
    destinations: [...new Map(destinations.map(d => [placeKey(d), d])).values()],
    sourceNamespaces: [...new Set(namespaces)].filter(n => n !== argoNamespace),
  }
}

/** The lists of a project with what its users need added. */
export function permitting(
  uses: ProjectUses,
  {
    repositories,
    destinations,
  }: { readonly repositories: readonly unknown[]; readonly destinations: readonly unknown[] },
): { readonly sourceRepos: readonly unknown[]; readonly destinations: readonly unknown[] } {
  const there = new Set(destinations.map(placeKey))
  const isOpen = repositories.includes('*')
  return {
    sourceRepos: isOpen ? repositories : [...new Set([...repositories, ...uses.repositories])],
    destinations: [...destinations, ...uses.destinations.filter(d => !there.has(placeKey(d)))],
  }
}
