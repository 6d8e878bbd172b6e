import type { AccessRule } from '../plan/manifests/service-account.ts'

/** One setting of a bootstrap: the same by flag, in a FleetBootstrap file, in the wizard and in the equivalent command line. */
interface SettingInfo {
  /** Text, a list of texts, a whole number, yes or no, one of a few words, or access rules. */
  readonly type: 'text' | 'list' | 'number' | 'switch' | 'choice' | 'rules'
  /** Words of a choice. */
  readonly values?: readonly string[]
  /** Long flag with its placeholder; its camel-case form is the key of the setting. */
  readonly flag: string
  readonly short?: string
  /** Where it stands in `spec` of a FleetBootstrap. */
  readonly file: readonly [string, string] | readonly [string]
  readonly help: string
  /** Commas separate the values of a list; else each value has a flag of its own. */
  readonly commas?: boolean
}

/**
 * Every setting, in the order of flags and files. The key is the flag in camel case. A setting that is left out is worked
 * out from the hub.
 */
const SETTINGS = {
  model: {
    type: 'choice',
    values: ['push', 'pull', 'agent'],
    flag: '--model <model>',
    file: ['model'],
    help: 'delivery model: push, pull or agent',
  },
  namespace: {
    type: 'text',
    flag: '--namespace <name>',
    short: '-n',
    file: ['namespace'],
    help: 'namespace of Argo CD on the hub (default: the only one there)',
  },
  set: {
    type: 'text',
    flag: '--set <name>',
    file: ['clusterSet', 'name'],
    help: 'ManagedClusterSet; made where it does not exist',
  },
  clusters: {
    type: 'list',
    commas: true,
    flag: '--clusters <names>',
    file: ['clusterSet', 'clusters'],
    help: 'managed clusters to put into the set',
  },
  selector: {
    type: 'text',
    flag: '--selector <selector>',
    short: '-l',
    file: ['clusterSet', 'selector'],
    help: 'label selector of managed clusters to put into the set',
  },
  placement: {
    type: 'text',
    flag: '--placement <name>',
    file: ['placement', 'name'],
    help: 'Placement (default: SET-clusters)',
  },
  predicate: {
    type: 'list',
    flag: '--predicate <selector>',
    file: ['placement', 'predicates'],
    help: 'label selector that a cluster must match; several are alternatives (repeatable)',
  },
  claim: {
    type: 'list',
    flag: '--claim <selector>',
    file: ['placement', 'claims'],
    help: 'selector over cluster claims that must match besides (repeatable)',
  },
  cel: {
    type: 'list',
    flag: '--cel <expression>',
    file: ['placement', 'cel'],
    help: 'CEL expression over managedCluster that must hold besides (repeatable)',
  },
  numberOfClusters: {
    type: 'number',
    flag: '--number-of-clusters <n>',
    file: ['placement', 'numberOfClusters'],
    help: 'take only so many clusters',
  },
  gitopscluster: {
    type: 'text',
    flag: '--gitopscluster <name>',
    file: ['gitOpsCluster', 'name'],
    help: 'GitOpsCluster (default: the one that uses the Placement, else gitops-SET)',
  },
  blankSecrets: {
    type: 'switch',
    flag: '--blank-secrets',
    file: ['gitOpsCluster', 'blankSecrets'],
    help: 'pull: register clusters without credentials, so that the hub holds no token of them',
  },
  appset: {
    type: 'text',
    flag: '--appset <name>',
    file: ['applicationSet', 'name'],
    help: 'ApplicationSet (default: SET-MODEL)',
  },
  appName: {
    type: 'text',
    flag: '--app-name <template>',
    file: ['applicationSet', 'applicationName'],
    help: 'name of the Applications (default: APPSET-{{name}})',
  },
  repoUrl: {
    type: 'text',
    flag: '--repo-url <url>',
    file: ['applicationSet', 'repoURL'],
    help: 'Git repository of the Applications',
  },
  path: {
    type: 'text',
    flag: '--path <template>',
    file: ['applicationSet', 'path'],
    help: 'folder in the repository, such as apps/{{name}}',
  },
  revision: {
    type: 'text',
    flag: '--revision <revision>',
    file: ['applicationSet', 'targetRevision'],
    help: 'branch, tag or commit (default: HEAD)',
  },
  project: {
    type: 'text',
    flag: '--project <name>',
    file: ['applicationSet', 'project'],
    help: 'AppProject; made where it does not exist (default: default)',
  },
  destNamespace: {
    type: 'text',
    flag: '--dest-namespace <name>',
    file: ['applicationSet', 'destinationNamespace'],
    help: 'namespace on the cluster for resources that name none',
  },
  sync: {
    type: 'choice',
    values: ['auto', 'manual'],
    flag: '--sync <how>',
    file: ['applicationSet', 'sync'],
    help: 'auto (prune and self-heal, the default) or manual',
  },
  onLeave: {
    type: 'choice',
    values: ['keep', 'remove'],
    flag: '--on-leave <what>',
    file: ['applicationSet', 'onLeave'],
    help: 'workload of a cluster that leaves the Placement: keep (default for push) or remove',
  },
  requeueSeconds: {
    type: 'number',
    flag: '--requeue-seconds <n>',
    file: ['applicationSet', 'requeueAfterSeconds'],
    help: 'how often the ApplicationSet looks at the decisions (default: 180, agent 30)',
  },
  serviceAccount: {
    type: 'text',
    flag: '--service-account <name>',
    file: ['serviceAccount', 'name'],
    help: 'push: ManagedServiceAccount of its own instead of application-manager',
  },
  preset: {
    type: 'choice',
    values: ['deployer', 'namespace-admin', 'read-only'],
    flag: '--preset <rights>',
    file: ['serviceAccount', 'preset'],
    help: 'its rights in the granted namespaces: deployer (default), namespace-admin or read-only',
  },
  grantNamespaces: {
    type: 'list',
    commas: true,
    flag: '--grant-namespaces <names>',
    file: ['serviceAccount', 'namespaces'],
    help: 'namespaces on the clusters in which it may write',
  },
  rules: {
    type: 'rules',
    flag: '--rules <file>',
    file: ['serviceAccount', 'rules'],
    help: 'YAML file with rules of its own instead of a preset',
  },
  readSecrets: {
    type: 'switch',
    flag: '--read-secrets',
    file: ['serviceAccount', 'readSecrets'],
    help: 'let it read Secrets in the whole cluster, which it may not otherwise',
  },
  spokeGitops: {
    type: 'choice',
    values: ['policy', 'addon', 'none'],
    flag: '--spoke-gitops <how>',
    file: ['spokes', 'gitops'],
    help: 'pull: who installs Argo CD on the clusters: policy (default), addon or none',
  },
  spokeNamespace: {
    type: 'text',
    flag: '--spoke-namespace <name>',
    file: ['spokes', 'argoNamespace'],
    help: "namespace of the clusters' own Argo CD (default: openshift-gitops, upstream argocd)",
  },
  policyNamespace: {
    type: 'text',
    flag: '--policy-namespace <name>',
    file: ['spokes', 'policyNamespace'],
    help: "namespace of the policies (default: Argo CD's, bound to the same Placement)",
  },
  channel: {
    type: 'text',
    flag: '--channel <name>',
    file: ['spokes', 'channel'],
    help: "channel of the operator on the clusters (default: the hub's)",
  },
  spokeRights: {
    type: 'choice',
    values: ['cluster-admin', 'namespaces', 'none'],
    flag: '--spoke-rights <rights>',
    file: ['spokes', 'rights'],
    help: "rights of the clusters' own Argo CD: cluster-admin (default), namespaces or none",
  },
  managedNamespaces: {
    type: 'list',
    commas: true,
    flag: '--managed-namespaces <names>',
    file: ['spokes', 'namespaces'],
    help: 'namespaces that it manages, with --spoke-rights namespaces',
  },
  setup: {
    type: 'choice',
    values: ['documented', 'hybrid'],
    flag: '--setup <name>',
    file: ['agent', 'setup'],
    help: 'agent: documented (the hub stops deploying itself, default) or hybrid',
  },
} as const satisfies Readonly<Record<string, SettingInfo>>

export type SettingName = keyof typeof SETTINGS
export const SETTING_NAMES = Object.keys(SETTINGS) as readonly SettingName[]

type ValueOf<S extends SettingInfo> = S extends { type: 'choice'; values: readonly (infer V)[] }
  ? V
  : S extends { type: 'text' }
    ? string
    : S extends { type: 'list' }
      ? readonly string[]
      : S extends { type: 'number' }
        ? number
        : S extends { type: 'rules' }
          ? readonly AccessRule[]
          : boolean

/** What the user said. Everything is optional here; what a model needs is asked for when it is known. */
export type Settings = { readonly [K in SettingName]?: ValueOf<(typeof SETTINGS)[K]> }

export type Model = 'push' | 'pull' | 'agent'

export const infoOf = (name: SettingName): SettingInfo => SETTINGS[name]

/** `--app-name`, without its placeholder. */
export function flagOf(name: SettingName): string {
  return SETTINGS[name].flag.split(' ')[0] ?? ''
}
