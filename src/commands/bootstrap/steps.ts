import { MODEL_PARTS, type Part } from '../../bootstrap/part-names.ts'
import type { Model, SettingName } from '../../bootstrap/settings.ts'

/** A command of `bootstrap`: a whole model, or one part of it. */
export interface BootstrapStep {
  readonly name: string
  readonly summary: string
  readonly description: string
  readonly parts: readonly Part[]
  /** Undefined: the same in every model, or chosen by --model. */
  readonly model: Model | undefined
  /** Settings that the command takes, besides those that choose clusters. */
  readonly settings: readonly SettingName[]
  /** A setting that stands as the argument. */
  readonly argument?: { readonly setting: SettingName; readonly help: string }
  readonly examples: readonly (readonly [comment: string, args: string])[]
}

const SET: readonly SettingName[] = ['set', 'clusters', 'selector']
const PLACEMENT: readonly SettingName[] = ['placement', 'predicate', 'claim', 'cel', 'numberOfClusters']
const APPSET: readonly SettingName[] = [
  'appset',
  'appName',
  'repoUrl',
  'path',
  'revision',
  'project',
  'destNamespace',
  'sync',
  'onLeave',
  'requeueSeconds',
]
const ACCOUNT: readonly SettingName[] = ['serviceAccount', 'preset', 'grantNamespaces', 'rules', 'readSecrets']
const RIGHTS: readonly SettingName[] = ['spokeRights', 'managedNamespaces', 'spokeNamespace', 'policyNamespace']
const SPOKES: readonly SettingName[] = ['spokeGitops', 'channel', ...RIGHTS]

const SNAPSHOT = '--from ./fleet'
const GIT = "--repo-url https://git.example.com/fleet.git --path 'apps/{{name}}'"

export const MODEL_STEPS: readonly BootstrapStep[] = [
  {
    name: 'push',
    summary: "let the hub's Argo CD deploy to the clusters",
    description:
      "Sets up push: the hub's Argo CD applies to each cluster, with tokens that ACM renews. With --service-account it " +
      'acts with rights of your choice instead of those of a cluster administrator.',
    parts: MODEL_PARTS.push,
    model: 'push',
    settings: ['namespace', ...SET, ...PLACEMENT, 'gitopscluster', ...APPSET, ...ACCOUNT],
    examples: [
      ['Plan it against a recorded hub', `bootstrap push ${SNAPSHOT} --clusters bm,sno --set demo ${GIT}`],
      ['Write it as files for Git', `bootstrap push ${SNAPSHOT} --clusters bm,sno --set demo ${GIT} --export ./gitops`],
      [
        'With rights in one namespace only',
        `bootstrap push ${SNAPSHOT} --set demo --clusters bm ${GIT} --service-account deployer --grant-namespaces shop`,
      ],
    ],
  },
  {
    name: 'pull',
    summary: 'let an Argo CD on each cluster fetch its Applications',
    description:
      'Sets up pull: ManifestWorks carry each Application to its cluster, where an Argo CD of its own applies it. That ' +
      'Argo CD comes by a policy (--spoke-gitops policy), by the GitOps add-on (addon), which ends push for these ' +
      'clusters, or is there already (none).',
    parts: MODEL_PARTS.pull,
    model: 'pull',
    settings: ['namespace', ...SET, ...PLACEMENT, 'gitopscluster', 'blankSecrets', ...APPSET, ...SPOKES],
    examples: [
      ['Plan it against a recorded hub', `bootstrap pull ${SNAPSHOT} --clusters bm,sno --set demo ${GIT}`],
      ['Write it as files for Git', `bootstrap pull ${SNAPSHOT} --clusters bm,sno --set demo ${GIT} --export ./gitops`],
      [
        'With an Argo CD that may write in one namespace only',
        `bootstrap pull ${SNAPSHOT} --set demo --clusters bm ${GIT} --managed-namespaces shop`,
      ],
    ],
  },
  {
    name: 'agent',
    summary: 'let agents of the Argo CD Agent carry Applications to the clusters',
    description:
      "Sets up the Argo CD Agent by ACM's GitOps add-on: the hub's Argo CD becomes a principal, each cluster gets an " +
      'agent. In the documented set-up the hub deploys nothing itself any more; Applications that would freeze are named ' +
      'and have to be accepted.',
    parts: MODEL_PARTS.agent,
    model: 'agent',
    settings: ['namespace', ...SET, ...PLACEMENT, 'gitopscluster', ...APPSET, 'setup', 'channel', ...RIGHTS],
    examples: [
      ['Plan it against a recorded hub', `bootstrap agent ${SNAPSHOT} --clusters bm,sno --set demo ${GIT}`],
      ['Beside push', `bootstrap agent ${SNAPSHOT} --clusters bm,sno --set demo ${GIT} --setup hybrid`],
      ['Accept that Applications of the hub freeze', `bootstrap agent --set demo ${GIT} --accept frozen-applications`],
    ],
  },
]

export const PART_STEPS: readonly BootstrapStep[] = [
  {
    name: 'clusterset',
    summary: 'make a ManagedClusterSet and put clusters into it',
    description: 'Makes the ManagedClusterSet where it does not exist, and labels the clusters that are to be in it.',
    parts: ['clusterset'],
    model: undefined,
    settings: ['clusters', 'selector'],
    argument: { setting: 'set', help: 'ManagedClusterSet' },
    examples: [
      ['Put two clusters into a set', `bootstrap clusterset demo --clusters bm,sno ${SNAPSHOT}`],
      ['All clusters with a label', `bootstrap clusterset demo --selector region=eu ${SNAPSHOT}`],
      ['Live, without being asked', 'bootstrap clusterset demo --clusters bm --yes'],
    ],
  },
  {
    name: 'binding',
    summary: 'bind a ManagedClusterSet to a namespace',
    description: "Binds the set to Argo CD's namespace: without it no Placement there finds its clusters.",
    parts: ['binding'],
    model: undefined,
    settings: ['namespace'],
    argument: { setting: 'set', help: 'ManagedClusterSet' },
    examples: [
      ['Bind a set', `bootstrap binding demo -n openshift-gitops ${SNAPSHOT}`],
      ['Live, after a look at the plan', 'bootstrap binding demo -n openshift-gitops'],
      ['As a file for Git', `bootstrap binding demo ${SNAPSHOT} --export ./gitops`],
    ],
  },
  {
    name: 'placement',
    summary: 'make or change a Placement, and show what it selects',
    description:
      'Makes the Placement with the tolerations that GitOps needs, and shows what it would select and why not.',
    parts: ['placement'],
    model: undefined,
    settings: ['namespace', 'set', ...PLACEMENT.filter(name => name !== 'placement')],
    argument: { setting: 'placement', help: 'Placement' },
    examples: [
      ['All clusters of a set', `bootstrap placement demo --set demo ${SNAPSHOT}`],
      ['OpenShift clusters of a set', `bootstrap placement demo --set demo --predicate vendor=OpenShift ${SNAPSHOT}`],
      [
        'Either of two kinds',
        `bootstrap placement demo --set demo --predicate env=prod --predicate env=qa ${SNAPSHOT}`,
      ],
    ],
  },
  {
    name: 'gitopscluster',
    summary: 'register the clusters of a Placement in Argo CD',
    description: 'Makes the GitOpsCluster by which the clusters of a Placement become known to Argo CD.',
    parts: ['gitopscluster'],
    model: undefined,
    settings: ['namespace', 'placement', 'blankSecrets', 'serviceAccount', 'spokeGitops', 'channel'],
    argument: { setting: 'gitopscluster', help: 'GitOpsCluster' },
    examples: [
      ['Register the clusters of a Placement', `bootstrap gitopscluster demo --placement demo ${SNAPSHOT}`],
      ['Without credentials, for pull', `bootstrap gitopscluster demo --placement demo --blank-secrets ${SNAPSHOT}`],
      ['With an account of its own', `bootstrap gitopscluster demo --placement demo --service-account d ${SNAPSHOT}`],
    ],
  },
  {
    name: 'appset',
    summary: 'make an ApplicationSet for the clusters of a Placement',
    description:
      'Makes the ApplicationSet in the template of the chosen model, and shows the Applications that it makes.',
    parts: ['appset'],
    model: undefined,
    settings: ['model', 'namespace', 'placement', 'spokeNamespace', ...APPSET.filter(name => name !== 'appset')],
    argument: { setting: 'appset', help: 'ApplicationSet' },
    examples: [
      ['A pull ApplicationSet', `bootstrap appset demo --model pull --placement demo ${GIT} ${SNAPSHOT}`],
      ['A push ApplicationSet', `bootstrap appset demo --model push --placement demo ${GIT} ${SNAPSHOT}`],
      ['Synced by hand', `bootstrap appset demo --model pull --placement demo ${GIT} --sync manual ${SNAPSHOT}`],
    ],
  },
  {
    name: 'rbac',
    summary: 'give Argo CD its rights on the clusters',
    description:
      "Gives rights on the clusters of a Placement: to a ManagedServiceAccount of push (--service-account), or by policy to the clusters' own Argo CD (pull, agent).",
    parts: ['rbac'],
    model: undefined,
    settings: ['model', 'namespace', 'placement', ...ACCOUNT, ...RIGHTS, 'spokeGitops'],
    examples: [
      [
        'A service account with rights in one namespace',
        `bootstrap rbac --placement demo --service-account deployer --grant-namespaces shop ${SNAPSHOT}`,
      ],
      [
        'Rules of your own',
        'bootstrap rbac --placement demo --service-account d --grant-namespaces shop --rules r.yaml',
      ],
      ["Rights of the clusters' own Argo CD", 'bootstrap rbac --placement demo --model pull --managed-namespaces shop'],
    ],
  },
  {
    name: 'spoke-gitops',
    summary: 'put OpenShift GitOps on the clusters of a Placement',
    description: 'Installs OpenShift GitOps on the clusters by policy, with the rights of its controller.',
    parts: ['spoke-gitops', 'rbac'],
    model: 'pull',
    settings: ['namespace', 'placement', 'set', 'spokeGitops', 'channel', ...RIGHTS],
    examples: [
      ['By policy, in a pinned channel', `bootstrap spoke-gitops --placement demo --channel gitops-1.22 ${SNAPSHOT}`],
      ['By the GitOps add-on', `bootstrap spoke-gitops --placement demo --spoke-gitops addon ${SNAPSHOT}`],
      ['With rights in one namespace', `bootstrap spoke-gitops --placement demo --managed-namespaces shop ${SNAPSHOT}`],
    ],
  },
]
