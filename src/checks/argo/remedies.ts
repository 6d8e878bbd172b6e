import type { AccessRule } from '../../plan/manifests/service-account.ts'
import { providerOf } from './kind-providers.ts'
import {
  admissionName,
  type Forbidden,
  type MessageKind,
  missingKind,
  missingRevision,
  parseConflict,
  quotaName,
  refusedObject,
} from './messages.ts'

/** How to mend what a message says, told from its text alone; for forms that are not known: what the message names. */
export function remedy(kind: MessageKind | string, text: string): string {
  const tell = REMEDIES[kind]
  return tell === undefined ? 'mend what the message names' : tell(text)
}

const REMEDIES: Readonly<Record<string, (text: string) => string>> = {
  'kind-missing': kindRemedy,
  immutable: text =>
    `delete ${refusedObject(text) ?? 'the resource'} so that Argo CD makes it anew, or annotate it argocd.argoproj.io/sync-options: Replace=true,Force=true (both interrupt what it runs)`,
  webhook: text =>
    `change the manifest to what webhook ${quoted(admissionName(text))} permits; its answer says what it refuses`,
  'webhook-down': text =>
    `bring back the Service behind webhook ${quoted(admissionName(text))} (its pods, its endpoints), then sync; it refuses nothing, it does not answer`,
  admission: text =>
    `change the manifest to what ${admissionName(text) ?? 'the admission policy'} permits, or give its ServiceAccount or Namespace the wider profile`,
  conflict: conflictRemedy,
  modified: () =>
    'sync again: another writer changed the object at the same moment; if it comes back, find that writer',
  quota: text =>
    `raise ResourceQuota or LimitRange ${quoted(quotaName(text))} on the cluster, or ask for less in the manifest`,
  'annotation-size': () =>
    'add syncOptions ServerSideApply=true: client-side apply keeps a copy of the object in an annotation of at most 256 KiB',
  'too-large': () => 'split the object: it is larger than what the API server or etcd accepts',
  invalid: text =>
    `correct the manifest of ${refusedObject(text) ?? 'the object'} in Git: the API server of that cluster does not accept it (its version may be older than the manifest)`,
  escalation: () =>
    'whoever applies a Role must hold its rights: grant them to the account that applies, or verbs escalate and bind on roles',
  'repository-auth': () =>
    'give the repository Secret valid credentials (password or token, key, or GitHub App) for this URL',
  'repository-host-key': () =>
    "add the host key of the Git server to ConfigMap argocd-ssh-known-hosts-cm (argocd cert add-ssh), or correct it if the server's key has changed",
  'repository-tls': () =>
    'add the CA of the Git server to ConfigMap argocd-tls-certs-cm under its host name (argocd cert add-tls)',
  'repository-unreachable': () =>
    'check the URL of the repository, and that the repo server reaches it (DNS, proxy, firewall)',
  'revision-missing': text => `push ${quoted(missingRevision(text))} to the repository, or correct targetRevision`,
  'path-missing': () => 'add the path to the repository, or correct path',
  'plugin-missing': () =>
    'install the config management plugin as a sidecar of the repo server, or take it out of the source',
  rendering: () => 'render the source by hand at that revision (kustomize build, helm template) and mend what it says',
  signature: () => 'sign the commit with a key of the project, or take the signature keys out of the project',
  unauthorized: () => 'renew the token of the cluster secret (its ManagedServiceAccount), then sync',
  'cluster-unreachable': () => 'mend the way to the cluster (cluster proxy, network, API server), then sync',
  'cluster-unknown': () =>
    'correct the destination, or register the cluster: no cluster secret has this name or server',
  'cluster-ambiguous': () => 'delete all but one of the cluster secrets with this name',
}

function quoted(name: string | undefined): string {
  return name === undefined ? 'of the message' : `"${name}"`
}

function kindRemedy(text: string): string {
  const lacking = missingKind(text)
  if (lacking === undefined) return 'install the operator that brings the kind first'
  const name = lacking.group === '' ? lacking.kind : `${lacking.group}/${lacking.kind}`
  if (lacking.otherVersion)
    return `write ${name} in a version that the cluster serves (it does not serve "${lacking.version}"), or update what brings the kind`
  const provider = providerOf(lacking.group)
  const install =
    provider === undefined ? `install what brings kind ${name}` : `install ${provider}: it brings kind ${name}`
  return `${install}; if the same Application does, put it into an earlier sync wave or add SkipDryRunOnMissingResource=true`
}

function conflictRemedy(text: string): string {
  const conflict = parseConflict(text)
  const who =
    conflict === undefined || conflict.managers.length === 0 ? 'another manager' : conflict.managers.join(', ')
  const what =
    conflict === undefined || conflict.fields.length === 0 ? 'these fields' : conflict.fields.slice(0, 3).join(', ')
  return `let one manager own ${what}: take it out of Git (ignoreDifferences with RespectIgnoreDifferences=true), or stop ${who} from writing it; ServerSideApply of Argo CD forces only with its own field manager`
}

/** How an account is given the rights that it lacks: by whose hand, and with what kind of object. */
type GrantBy = 'binding' | 'cluster-permission'

/** Rights that were refused, put together as rules: one per API group and resource, with all its verbs. */
function rulesOf(
  refused: readonly Forbidden[],
): { group: string; resource: string; namespace: string; verbs: Set<string> }[] {
  const rules = new Map<string, { group: string; resource: string; namespace: string; verbs: Set<string> }>()
  for (const f of refused) {
    const key = `${f.namespace}|${f.group}|${f.resource}`
    const rule = rules.get(key) ?? {
      group: f.group,
      resource: f.resource,
      namespace: f.namespace,
      verbs: new Set<string>(),
    }
    rule.verbs.add(f.verb)
    // Server-side and client-side apply read before they write, and Argo CD watches what it has deployed.
    if (['create', 'patch', 'update'].includes(f.verb))
      for (const v of ['get', 'list', 'watch', 'create', 'patch']) rule.verbs.add(v)
    if (['list', 'watch'].includes(f.verb)) for (const v of ['get', 'list', 'watch']) rule.verbs.add(v)
    rules.set(key, rule)
  }
  return [...rules.values()]
}

const VERB_ORDER = ['get', 'list', 'watch', 'create', 'update', 'patch', 'delete', 'deletecollection']

/** The smallest rules that would have let these requests through. Verbs that go together in an apply are granted together. */
export function accessRules(refused: readonly Forbidden[]): readonly AccessRule[] {
  const rank = (v: string): number => (VERB_ORDER.includes(v) ? VERB_ORDER.indexOf(v) : VERB_ORDER.length)
  return rulesOf(refused).map(({ group, resource, verbs }) => ({
    apiGroups: [group],
    resources: [resource],
    verbs: [...verbs].sort((a, b) => rank(a) - rank(b) || (a < b ? -1 : 1)),
  }))
}

/**
 * The same rules as YAML lines of a Role (all in one namespace) or ClusterRole, or of the `clusterRole` of a
 * ClusterPermission.
 */
export function grantRules(refused: readonly Forbidden[], by: GrantBy): string[] {
  const quotedAll = (list: readonly string[]): string => `[${list.map(v => `"${v}"`).join(', ')}]`
  const lines = accessRules(refused).flatMap(({ apiGroups, resources, verbs }) => [
    `- apiGroups: ${quotedAll(apiGroups)}`,
    `  resources: ${quotedAll(resources)}`,
    `  verbs: ${quotedAll(verbs)}`,
  ])
  const indent = (by: number) => (line: string) => `${' '.repeat(by)}${line}`
  if (by === 'cluster-permission') return ['  spec:', '    clusterRole:', '      rules:', ...lines.map(indent(6))]
  return ['  rules:', ...lines.map(indent(2))]
}

/** The namespace that all refused requests were for; empty where one was for the cluster or they were for several. */
export function grantNamespace(refused: readonly Forbidden[]): string {
  const all = new Set(refused.map(f => f.namespace))
  const [only = ''] = all
  return all.size === 1 ? only : ''
}
