import type { Manifest } from '../object.ts'
import type { ApiVersionOf } from './served.ts'

interface AppProjectInput {
  readonly namespace: string
  readonly name: string
  readonly description: string
  readonly sourceRepos: readonly string[]
  readonly destinations: readonly { readonly name?: string; readonly server?: string; readonly namespace: string }[]
  /** Namespaces beside Argo CD's own in which Applications of the project may lie. */
  readonly sourceNamespaces?: readonly string[]
}

/** A project that allows what the bootstrapped Applications need, cluster-scoped kinds included, and nothing else. */
export function appProject(version: ApiVersionOf, input: AppProjectInput): Manifest {
  const { namespace, name, description, sourceRepos, destinations, sourceNamespaces } = input
  return {
    apiVersion: version('AppProject'),
    kind: 'AppProject',
    metadata: { name, namespace },
    spec: {
      description,
      sourceRepos: [...sourceRepos],
      destinations: destinations.map(destination => ({ ...destination })),
      ...(sourceNamespaces === undefined ? {} : { sourceNamespaces: [...sourceNamespaces] }),
      clusterResourceWhitelist: [{ group: '*', kind: '*' }],
    },
  }
}

/**
 * The fields by which the principal hands a project to agents: an entry of `destinations` whose name matches the agent, and
 * for agents before 0.9 `sourceNamespaces` that do (agent-mode.md 2.3, step 3). Lists of a project are replaced as a whole, so
 * the entries that are there come along; a list that is not given is not touched.
 */
export function projectForAgents(
  version: ApiVersionOf,
  input: {
    readonly namespace: string
    readonly name: string
    readonly destinations?: readonly Readonly<Record<string, unknown>>[] | undefined
    /** Default: every agent. */
    readonly agents?: readonly string[]
    readonly sourceNamespaces?: readonly string[] | undefined
  },
): Manifest {
  const agents = input.agents ?? ['*']
  const { destinations, sourceNamespaces } = input
  return {
    apiVersion: version('AppProject'),
    kind: 'AppProject',
    metadata: { name: input.name, namespace: input.namespace },
    spec: {
      ...(destinations === undefined
        ? {}
        : { destinations: [...destinations, ...agents.map(name => ({ name, server: '*', namespace: '*' }))] }),
      ...(sourceNamespaces === undefined ? {} : { sourceNamespaces: [...sourceNamespaces] }),
    },
  }
}
