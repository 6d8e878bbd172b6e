/**
 * What messages of Argo CD say, by their form. Texts are those of real controllers (the recorded fleets, and the Argo CD and
 * Kubernetes sources named beside each); what is not known is quoted as it is.
 */
export interface Forbidden {
  readonly account: { readonly namespace: string; readonly name: string }
  readonly verb: string
  readonly resource: string
  readonly group: string
  /** Empty at the cluster scope. */
  readonly namespace: string
}

const FORBIDDEN =
  /User "system:serviceaccount:([^":]+):([^":]+)" cannot (\S+) resource "([^"]+)" in API group "([^"]*)"(?: in the namespace "([^"]+)")?/

/**
 * Who may not do what (k8s.io/apiserver responsewriters Forbidden). A terminating namespace says "is forbidden … because it is
 * being terminated", which is no matter of rights and does not match.
 */
export function parseForbidden(text: string): Forbidden | undefined {
  const m = FORBIDDEN.exec(text)
  if (m === null || text.includes('because it is being terminated')) return undefined
  const [, namespace = '', name = '', verb = '', resource = '', group = '', target = ''] = m
  return { account: { namespace, name }, verb, resource, group, namespace: target }
}

/** What an Application suffers from, told by its message. */
export type MessageKind =
  | 'forbidden'
  | 'terminating'
  | 'unauthorized'
  | 'path-missing'
  | 'revision-missing'
  | 'repository-auth'
  | 'repository-unreachable'
  | 'rendering'
  | 'namespace-missing'
  | 'kind-missing'
  | 'project-missing'
  | 'project-denies'
  | 'cluster-unknown'
  | 'cluster-ambiguous'
  | 'cluster-unreachable'
  | 'hook'
  | 'immutable'
  | 'webhook'
  | 'conflict'
  | 'quota'
  | 'other'

const FORMS: readonly (readonly [MessageKind, RegExp])[] = [
  ['terminating', /because it is being terminated/],
  ['forbidden', /is forbidden: User "/],
  ['hook', /waiting for (completion|healthy state) of hook|hook .* failed|one or more hooks? failed/i],
  ['project-missing', /referenc\w+ project \S+ which does not exist/],
  [
    'project-denies',
    /not match any of the allowed destinations|is not permitted in project|not permitted to use project/,
  ],
  ['cluster-ambiguous', /there are \d+ clusters with the same name/],
  [
    'cluster-unknown',
    /there are no clusters with this name|error getting cluster by server|unable to find destination server/,
  ],
  ['path-missing', /app path does not exist|no such file or directory/],
  [
    'repository-auth',
    /authentication required|authentication failed|authorization failed|invalid credentials|permission denied \(publickey\)|repository not accessible/i,
  ],
  [
    'revision-missing',
    /unable to resolve '.*' to a commit SHA|reference not found|couldn't find remote ref|unknown revision/,
  ],
  [
    'repository-unreachable',
    /failed to list refs|error testing repository connectivity|repository not found|dial tcp.*(git|repo)|knownhosts/i,
  ],
  ['rendering', /failed to generate manifest|kustomize build|helm template|Manifest generation error/],
  ['unauthorized', /: Unauthorized\b|\bUnauthorized$|the server has asked for the client to provide credentials/],
  [
    'cluster-unreachable',
    /failed to get cluster info|connection refused|no such host|i\/o timeout|context deadline exceeded|connect: no route to host|x509:/,
  ],
  ['namespace-missing', /namespaces "[^"]+" not found/],
  [
    'kind-missing',
    /could not find (the requested resource|\S+\/\S+)|no matches for kind|the server doesn't have a resource type|resource mapping not found/,
  ],
  ['immutable', /field is immutable|are forbidden: updates to|may not change once set/i],
  ['webhook', /admission webhook "[^"]+" denied/],
  ['conflict', /Apply failed with \d+ conflicts?/],
  ['quota', /exceeded quota/],
]

/** The kind of a message; `other` for forms that are not known. */
export function messageKind(text: string): MessageKind {
  for (const [kind, form] of FORMS) if (form.test(text)) return kind
  return 'other'
}

/** The namespace that a message misses. */
export function missingNamespace(text: string): string | undefined {
  return /namespaces "([^"]+)" not found/.exec(text)?.[1]
}

/** `Kind/name` of the hook that a sync waits for (gitops-engine sync_context). */
export function waitedHook(
  text: string,
): { readonly group: string; readonly kind: string; readonly name: string } | undefined {
  const m = /of hook (?:([^/\s]*)\/)?([A-Za-z]+)\/(\S+)/.exec(text)
  return m?.[2] === undefined || m[3] === undefined ? undefined : { group: m[1] ?? '', kind: m[2], name: m[3] }
}

/** A message without the controller's wrapping, for a sentence: `Failed last sync attempt to […]: ` and `rpc error: …` go. */
export function shortMessage(text: string): string {
  return text
    .replace(/^Failed last sync attempt to \[[^\]]*\]: /, '')
    .replace(/^Failed to load (target|live) state: /, '')
    .replace(/failed to generate manifest for source \d+ of \d+: /, '')
    .replace(/rpc error: code = \w+ desc = /, '')
    .replace(/\s+/g, ' ')
    .trim()
}
