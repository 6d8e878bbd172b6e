import type { Fleet } from '../../fleet/fleet.ts'
import { applications, IN_CLUSTER_SERVER, SOURCE_UID } from '../../fleet/joins/applications.ts'
import { appSets } from '../../fleet/joins/appsets.ts'
import { PULL_LABEL } from '../../fleet/labels.ts'
import type { Destination, Source } from '../../fleet/records.ts'

/** What an AppProject has to permit for those who name it. */
interface ProjectUses {
  readonly repositories: readonly string[]
  readonly destinations: readonly { readonly name?: string; readonly server?: string; readonly namespace: string }[]
  /** Namespaces of its Applications beside the Argo CD namespace. */
  readonly sourceNamespaces: readonly string[]
}

/** A template expression may become anything. */
const loose = (text: string): string => text.replace(/\{\{[^}]*\}\}/g, '*')

function destinationOf({ name, server, namespace }: Destination, isPull: boolean): ProjectUses['destinations'][number] {
  const where = namespace === '' ? '*' : loose(namespace)
  // What a spoke pulls deploys in place, whatever its Application on the hub says.
  if (isPull) return { server: IN_CLUSTER_SERVER, namespace: where }
  return name === '' ? { server: loose(server), namespace: where } : { name: loose(name), namespace: where }
}

/** Everything that ApplicationSets and Applications of a project use. */
export function usesOf(fleet: Fleet, argoNamespace: string, project: string): ProjectUses {
  const users: { sources: readonly Source[]; destination: Destination; isPull: boolean; namespace: string }[] = []
  for (const { appSet, argoNamespace: at } of fleet.join(appSets).all) {
    const { template } = appSet
    if (at === argoNamespace && template.project === project)
      users.push({ ...template, isPull: PULL_LABEL in template.labels, namespace: appSet.meta.namespace })
  }
  for (const { app, model, argoNamespace: at } of fleet.join(applications).all) {
    if (at === argoNamespace && app.project === project && !(SOURCE_UID in app.meta.annotations))
      users.push({ ...app, isPull: model === 'pull', namespace: app.meta.namespace })
  }
  const once = <T>(list: readonly T[]): readonly T[] => [
    ...new Map(list.map(item => [JSON.stringify(item), item])).values(),
  ]
  return {
    repositories: once(users.flatMap(u => u.sources.map(s => loose(s.repoURL)).filter(url => url !== ''))),
    destinations: once(users.map(u => destinationOf(u.destination, u.isPull))),
    sourceNamespaces: once(users.map(u => u.namespace).filter(n => n !== argoNamespace)),
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
  const texts = new Set(destinations.map(d => JSON.stringify(d)))
  const isOpen = repositories.includes('*')
  return {
    sourceRepos: isOpen ? repositories : [...new Set([...repositories, ...uses.repositories])],
    destinations: [...destinations, ...uses.destinations.filter(d => !texts.has(JSON.stringify(d)))],
  }
}
