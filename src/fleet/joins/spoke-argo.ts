import { type ClusterView, defineJoin } from '../fleet.ts'
import { isArgoServer } from '../labels.ts'

/** The Argo CD of one spoke, as far as its objects tell. */
interface SpokeArgo {
  /** Namespaces in which a control plane lives. */
  readonly namespaces: ReadonlySet<string>
  /** Namespaces whose Applications somebody reconciles; `*` patterns of sourceNamespaces are kept as they are. */
  readonly watched: ReadonlySet<string>
  /** True where the kind Application is served. */
  readonly installed: boolean
}

const CONTROLLER_ACCOUNT = /application-controller$/

function look(view: ClusterView): SpokeArgo {
  const namespaces = new Set<string>()
  const watched = new Set<string>()
  for (const argo of view.of('ArgoCD').all) {
    namespaces.add(argo.meta.namespace)
    for (const pattern of argo.sourceNamespaces) watched.add(pattern)
  }
  for (const service of view.of('Service').all)
    if (isArgoServer(service.meta.labels)) namespaces.add(service.meta.namespace)
  for (const account of view.of('ServiceAccount').all) {
    if (CONTROLLER_ACCOUNT.test(account.meta.name)) namespaces.add(account.meta.namespace)
  }
  for (const set of view.of('StatefulSet').all) {
    if (set.meta.labels['app.kubernetes.io/part-of'] === 'argocd') namespaces.add(set.meta.namespace)
  }
  for (const app of view.of('Application').all) {
    if (app.controllerNamespace === '') continue
    namespaces.add(app.controllerNamespace)
    if (app.reconciledAt !== undefined) watched.add(app.meta.namespace)
  }
  for (const name of namespaces) watched.add(name)
  return { namespaces, watched, installed: view.serves('Application') }
}

export const spokeArgo = defineJoin<ReadonlyMap<string, SpokeArgo>>(
  { spoke: ['Application', 'ArgoCD', 'Service', 'ServiceAccount', 'StatefulSet'] },
  fleet => new Map([...fleet.spokes].map(([name, view]) => [name, look(view)])),
)

/** Does a list of namespaces and shell-like patterns (Argo CD's sourceNamespaces) cover a namespace? */
export function covers(patterns: Iterable<string>, namespace: string): boolean {
  for (const pattern of patterns) if (globMatches(pattern, namespace)) return true
  return false
}

/** A fleet has few patterns and matches each against thousands of names. */
const GLOBS = new Map<string, RegExp>()
const MOST_GLOBS = 1000

function globOf(pattern: string): RegExp {
  const known = GLOBS.get(pattern)
  if (known !== undefined) return known
  const source = pattern
    .replace(/[.+^${}()|[\]\\]/g, '\\$&')
    .replace(/\*/g, '.*')
    .replace(/\?/g, '.')
  const glob = new RegExp(`^${source}$`)
  if (GLOBS.size >= MOST_GLOBS) GLOBS.clear()
  GLOBS.set(pattern, glob)
  return glob
}

/** Shell-like match with `*` and `?`, as Argo CD and argocd-agent use it for names. */
export function globMatches(pattern: string, text: string): boolean {
  return pattern === text || pattern === '*' || (/[*?]/.test(pattern) && globOf(pattern).test(text))
}
