/**
 * What messages of Argo CD say, by their form. Texts are those of real controllers (the recorded fleets, and the Argo CD,
 * gitops-engine and Kubernetes sources named beside each); what is not known is quoted as it is.
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
  | 'escalation'
  | 'terminating'
  | 'unauthorized'
  | 'path-missing'
  | 'revision-missing'
  | 'signature'
  | 'repository-auth'
  | 'repository-host-key'
  | 'repository-tls'
  | 'repository-unreachable'
  | 'plugin-missing'
  | 'rendering'
  | 'namespace-missing'
  | 'agent-namespace'
  | 'kind-missing'
  | 'project-missing'
  | 'project-denies'
  | 'cluster-unknown'
  | 'cluster-ambiguous'
  | 'cluster-schema'
  | 'cluster-unreachable'
  | 'hook'
  | 'immutable'
  | 'webhook'
  | 'webhook-down'
  | 'admission'
  | 'conflict'
  | 'modified'
  | 'quota'
  | 'too-large'
  | 'annotation-size'
  | 'invalid'
  | 'sync-window'
  | 'would-empty'
  | 'other'

/** Words that only a repository server's address or protocol bring into an error (argo-cd util/git, util/helm, go-git). */
const REPOSITORY = String.raw`failed to list refs|git-upload-pack|index\.yaml|error testing repository|git fetch|git clone|failed to (?:fetch|initialize) repo|helm (?:pull|registry login)|chart repository`

/** In the order in which they are tried: what is more exact comes first. */
const FORMS: readonly (readonly [MessageKind, RegExp])[] = [
  // k8s.io/apiserver namespace lifecycle admission.
  ['terminating', /because it is being terminated/],
  ['forbidden', /is forbidden: User "/],
  // k8s.io/kubernetes pkg/registry/rbac escalation_check.go.
  ['escalation', /is attempting to grant RBAC permissions not currently held/],
  // k8s.io/apiserver admission webhook dispatcher: the webhook itself does not answer, whatever it would have said.
  ['webhook-down', /failed calling webhook|failed to call webhook|no endpoints available for service/],
  [
    'hook',
    /waiting for (completion|healthy state) of hook|\bhook\b.* failed|one or more hooks? failed|has reached the specified backoff limit|was active longer than specified deadline/i,
  ],
  // argo-cd controller/sync.go and the auto-sync guard of appcontroller.go.
  ['sync-window', /blocked by sync window/i],
  ['would-empty', /auto-sync will wipe out all resources/],
  ['project-missing', /referenc\w+ project \S+ which does not exist/],
  [
    'project-denies',
    /not match any of the allowed destinations|is not permitted in project|not permitted to use project/,
  ],
  // argocd-agent internal/manager: what an agent answers to a create event.
  ['agent-namespace', /is not permitted: not in allowed namespaces list/],
  ['cluster-ambiguous', /there are \d+ clusters with the same name/],
  [
    'cluster-unknown',
    /there are no clusters with this name|error getting cluster by (server|name)|unable to find destination server|has not been configured/,
  ],
  ['path-missing', /app path does not exist|app path is absolute|app path outside root|no such file or directory/],
  ['repository-host-key', /knownhosts: key (is unknown|mismatch)|host key verification failed/i],
  ['signature', /is not signed, but a signature is required|signature verification|gpg: BAD signature/i],
  [
    'repository-auth',
    /authentication required|authentication failed|authorization failed|invalid credentials|invalid username or (password|token)|permission denied \(publickey\)|unable to authenticate, attempted methods|could not read (Username|Password)|repository not accessible|invalid auth method/i,
  ],
  [
    'repository-tls',
    new RegExp(String.raw`(?:${REPOSITORY})[\s\S]*(?:x509:|tls: |certificate signed by unknown authority)`),
  ],
  [
    'revision-missing',
    /unable to resolve '.*' to a commit SHA|reference not found|couldn't find remote ref|unknown revision|chart ".*" (version ".*" )?not found|unable to find .* version|no matching version/i,
  ],
  [
    'repository-unreachable',
    /failed to list refs|error testing repository connectivity|repository not found|dial tcp.*(git|repo)|is not a valid chart repository/i,
  ],
  [
    'plugin-missing',
    /could not find plugin supporting the given repository|plugin sidecar failed|couldn't find cmp-server plugin/i,
  ],
  // gitops-engine pkg/cache: the cluster answers, but its description of its own kinds cannot be used.
  [
    'cluster-schema',
    /open ?api[\s\S]*(SchemaError|duplicated path|unable to handle the request|rejected our request|unknown model in reference)/i,
  ],
  [
    'rendering',
    /failed to generate manifest|kustomize build|helm template|helm dependency build|Manifest generation error|error unmarshall?ing|error converting YAML|failed to unmarshal|failed to (parse|unmarshal) manifest/i,
  ],
  ['unauthorized', /: Unauthorized\b|\bUnauthorized$|the server has asked for the client to provide credentials/],
  ['webhook', /admission webhook "[^"]+" denied/],
  [
    'admission',
    /ValidatingAdmissionPolicy '[^']+'|violates PodSecurity|unable to validate against any security context constraint/,
  ],
  ['quota', /exceeded quota|failed quota|(maximum|minimum) \S+ usage per/],
  ['conflict', /Apply failed with \d+ conflicts?/],
  ['modified', /the object has been modified; please apply your changes to the latest version/],
  ['annotation-size', /metadata\.annotations: Too long/],
  [
    'too-large',
    /request entity too large|request is too large|exceeds the \S+ limit|trying to send message larger than max/i,
  ],
  [
    'immutable',
    /field is immutable|is immutable after creation|are forbidden: updates to|updates to statefulset spec for fields other than|may not change once set|cannot change roleRef/i,
  ],
  ['namespace-missing', /namespaces "[^"]+" not found/],
  [
    'kind-missing',
    /could not find (the requested resource|\S+\/\S+|version ")|no matches for kind|the server doesn't have a resource type|resource mapping not found/,
  ],
  [
    'invalid',
    /is invalid: |error validating data|ValidationError|strict decoding error|unknown field "|field not declared in schema/,
  ],
  [
    'cluster-unreachable',
    /failed to get cluster info|failed to discover server resources|connection refused|no such host|i\/o timeout|TLS handshake timeout|context deadline exceeded|connect: no route to host|connection reset by peer|x509:|unexpected EOF/,
  ],
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

/** A kind that the API server does not know; `version` and `group` are empty where the message does not name them. */
interface MissingKind {
  readonly group: string
  readonly version: string
  readonly kind: string
  /** The kind is there, in other versions than the one asked for. */
  readonly otherVersion: boolean
}

/** The kind that a cluster lacks (argo-cd controller/state.go FormatSyncMsg; apimachinery meta.NoKindMatchError). */
export function missingKind(text: string): MissingKind | undefined {
  const version = /could not find version "([^"]+)" of ([\w.-]+)\/(\w+)/.exec(text)
  if (version !== null) {
    const [, v = '', group = '', kind = ''] = version
    return { group, version: v, kind, otherVersion: true }
  }
  const asked = /could not find ([\w.-]+)\/(\w+) for requested resource/.exec(text)
  if (asked !== null) return { group: asked[1] ?? '', version: '', kind: asked[2] ?? '', otherVersion: false }
  const match = /no matches for kind "([^"]+)" in version "([^"]+)"/.exec(text)
  if (match !== null) {
    const [, kind = '', apiVersion = ''] = match
    const slash = apiVersion.indexOf('/')
    const group = slash < 0 ? '' : apiVersion.slice(0, slash)
    return { group, version: apiVersion.slice(slash + 1), kind, otherVersion: false }
  }
  const type = /the server doesn't have a resource type "([^"]+)"/.exec(text)?.[1]
  return type === undefined ? undefined : { group: '', version: '', kind: type, otherVersion: false }
}

/** Who else owns fields that a server-side apply wants, and which (apimachinery managedfields conflict.go). */
interface Conflict {
  readonly managers: readonly string[]
  readonly fields: readonly string[]
}

export function parseConflict(text: string): Conflict | undefined {
  if (!/Apply failed with \d+ conflicts?/.test(text)) return undefined
  const managers = [...text.matchAll(/conflicts? with "([^"]+)"/g)].map(m => m[1] ?? '')
  const fields = [...text.matchAll(/(?:^|[\s:])(\.[A-Za-z][^\s,]*)/g)].map(m => m[1] ?? '')
  return { managers: [...new Set(managers)], fields: [...new Set(fields)] }
}

/** The object that the API server refuses, as it is called in the message: `Deployment.apps "till"`. */
export function refusedObject(text: string): string | undefined {
  return /([A-Z]\w*(?:\.[a-z][\w.-]*)? "[^"]+") is invalid/.exec(text)?.[1]
}

/** Name of the admission webhook or policy that refused, or that could not be asked. */
export function admissionName(text: string): string | undefined {
  const m =
    /(?:admission webhook|calling webhook) "([^"]+)"|ValidatingAdmissionPolicy '([^']+)'|violates (PodSecurity) /.exec(
      text,
    )
  return m?.slice(1).find(name => name !== undefined)
}

/** The quota that is used up. */
export function quotaName(text: string): string | undefined {
  return /(?:exceeded|failed) quota: ([^,:\s]+)/.exec(text)?.[1]
}

/** Name of the plugin, chart or revision in quotes that a repository does not have. */
export function missingRevision(text: string): string | undefined {
  return /unable to resolve '([^']+)' to a commit SHA/.exec(text)?.[1] ?? /version "([^"]+)" not found/.exec(text)?.[1]
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
    .replace(/rpc error: code = \w+ desc = /g, '')
    .replace(
      /^one or more (?:objects failed to apply|synchronization tasks (?:completed unsuccessfully|are not valid)), reason: /,
      '',
    )
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/\.$/, '')
}
