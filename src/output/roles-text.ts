import { shellLine } from '../plan/shell.ts'
import type { Right } from '../rbac/rights.ts'
import type { Grant, RbacObject } from '../rbac/roles.ts'
import type { RenderOptions } from './options.ts'
import { oneLine } from './sanitize.ts'
import { toYaml } from './yaml.ts'

/** What the roles are for: the comments of the text form. */
export interface RolesAbout {
  /** The command that they are for. */
  readonly what: string
  /** The cluster that they are for, in words. */
  readonly where: string
  readonly side: 'hub' | 'spoke'
  readonly rights: readonly Right[]
  readonly grants: readonly Grant[]
  readonly bindings: readonly RbacObject[]
  /** Are bindings among the documents? Else commands for them are told. */
  readonly isBound: boolean
  /** Arguments that print the roles of the other side. */
  readonly other: string
  readonly secrets: boolean
  /** Why there may be further namespaces that matter; empty where there are none. */
  readonly doubt: string
}

/** YAML documents for `kubectl apply -f -`, with comments on what each is for and how to bind it. */
export function renderRoles(about: RolesAbout, { command }: RenderOptions): string {
  const { what, where, side, grants, bindings, isBound, other, secrets, doubt } = about
  const how = isBound ? [] : ['', 'Bind them to whoever runs it:', ...grants.flatMap(bindCommands).map(s => `  ${s}`)]
  const writes = about.rights.some(r => r.verb !== 'list' && r.verb !== 'get')
  const head = [
    ...(writes
      ? [
          `What ${what} reads and writes on ${oneLine(where)}, and what taking it back deletes. Whoever may write`,
          'ClusterPermissions and Policies there gives out rights on the managed clusters.',
        ]
      : [`What ${what} reads on ${oneLine(where)}. It writes nothing and watches nothing.`]),
    ...(secrets ? [] : ['Secrets are left out: what depends on them is unknown, so run it with --no-secrets.']),
    ...(doubt === '' ? [] : [`Further namespaces may matter: ${oneLine(doubt)}`]),
    ...how,
    ...(writes ? [] : ['']),
    ...(writes
      ? []
      : [`${side === 'hub' ? 'Managed clusters that are read as well' : 'The hub'}: ${command} ${other}`]),
  ]
  const documents = [
    ...grants.map(({ role, purpose }) => `---\n# ${oneLine(purpose)}\n${toYaml(role)}`),
    ...bindings.map(binding => `---\n${toYaml(binding)}`),
  ]
  return head.map(line => `${`# ${line}`.trimEnd()}\n`).join('') + documents.join('')
}

function bindCommands({ role, boundIn }: Grant): readonly string[] {
  const { name } = role.metadata
  const flags = [`--${role.kind.toLowerCase()}=${name}`, '--user=USER']
  if (boundIn === 'cluster') return [shellLine(['kubectl', 'create', 'clusterrolebinding', name, ...flags])]
  const namespaces = boundIn.length === 0 ? ['NAMESPACE_OF_ARGO_CD'] : boundIn
  return namespaces.map(ns => shellLine(['kubectl', 'create', 'rolebinding', name, '-n', oneLine(ns), ...flags]))
}
