import { FleetctlError } from '../errors.ts'
import type { Fleet } from '../fleet/fleet.ts'
import { AVAILABLE, clusters as clustersJoin, isTrue } from '../fleet/joins/clusters.ts'
import { clusterSetLabel, isExclusive } from '../fleet/placement/sets.ts'
import type { ManagedCluster } from '../fleet/records.ts'
import { type HubFacts, hubFacts } from './hub.ts'
import { isDnsLabel } from './names.ts'
import type { Model, Settings } from './settings.ts'
import { templateLanguage } from './templates.ts'

/** Asks a person; the terminal's one is in src/ui/prompt.ts, a test brings answers. */
export interface Asker {
  text(message: string, byDefault: string, check: (answer: string) => string | true): Promise<string>
  one(message: string, choices: readonly WizardChoice[], byDefault: string): Promise<string>
  several(
    message: string,
    choices: readonly (WizardChoice & { readonly checked: boolean })[],
  ): Promise<readonly string[]>
}

interface WizardChoice {
  readonly value: string
  readonly name: string
  readonly description?: string
}

const MODELS: readonly (WizardChoice & { readonly value: Model })[] = [
  { value: 'push', name: 'push', description: "the hub's Argo CD deploys to the clusters; one view of everything" },
  {
    value: 'pull',
    name: 'pull',
    description: 'an Argo CD on each cluster deploys there; nothing connects to the clusters',
  },
  {
    value: 'agent',
    name: 'agent',
    description: 'an agent on each cluster, and one view of everything (Technology Preview)',
  },
]

/** Why an answer will not do, by the check that the flag has; true for one that will. */
function accepts(check: () => void): string | true {
  try {
    check()
    return true
  } catch (error) {
    if (error instanceof FleetctlError) return error.message
    throw error
  }
}

const filled = (answer: string): string | true => (answer.trim() === '' ? 'something has to stand here' : true)

function clusterLine(cluster: ManagedCluster): string {
  const set = clusterSetLabel(cluster)
  const state = isTrue(cluster, AVAILABLE) ? 'available' : 'not available'
  return `${cluster.meta.name} (${set === undefined ? 'in no set' : `set ${set}`}, ${state})`
}

async function askModel(ask: Asker): Promise<Model> {
  const answer = await ask.one('How are Applications to reach the clusters?', MODELS, 'pull')
  return MODELS.find(model => model.value === answer)?.value ?? 'pull'
}

async function askNamespace(ask: Asker, hub: HubFacts): Promise<Settings> {
  const [first = '', ...more] = hub.argoNamespaces
  if (more.length === 0) return {}
  const choices = hub.argoNamespaces.map(name => ({ value: name, name }))
  return { namespace: await ask.one('In which namespace is the Argo CD to use?', choices, first) }
}

async function askClusters(ask: Asker, fleet: Fleet): Promise<readonly string[]> {
  const { remote } = fleet.join(clustersJoin)
  const choices = remote.map(cluster => ({
    value: cluster.meta.name,
    name: clusterLine(cluster),
    checked: false,
  }))
  return ask.several('Which clusters?', choices)
}

const NEW_SET = '(a new set)'

async function askSet(ask: Asker, fleet: Fleet, chosen: readonly string[]): Promise<string> {
  const { byName, remote } = fleet.join(clustersJoin)
  const setsOfChosen = chosen.map(name => {
    const cluster = byName.get(name)
    return cluster === undefined ? undefined : clusterSetLabel(cluster)
  })
  const [first] = setsOfChosen
  const common = setsOfChosen.every(set => set === first) ? first : undefined
  const sets = fleet.hub.of('ManagedClusterSet').all.filter(isExclusive)
  const choices = sets.map(({ meta: { name } }) => {
    const members = remote.filter(cluster => clusterSetLabel(cluster) === name).map(c => c.meta.name)
    const after = [...new Set([...members, ...chosen])].sort()
    return { value: name, name: `${name} (would hold ${after.join(', ')})` }
  })
  const all = [...choices, { value: NEW_SET, name: 'a new set' }]
  const answer = await ask.one('Into which set? A cluster is in one such set at a time.', all, common ?? NEW_SET)
  if (answer !== NEW_SET) return answer
  return ask.text('Name of the new set', '', name =>
    isDnsLabel(name) ? true : 'lower-case letters, digits and "-" only, up to 63',
  )
}

async function askSource(ask: Asker): Promise<Settings> {
  const repoUrl = await ask.text('Git repository', '', answer =>
    /^(https?|ssh|git|oci):\/\/\S+$|^\S+@\S+:\S+$/.test(answer) ? true : 'https://…, ssh://… or git@HOST:PATH',
  )
  const path = await ask.text('Folder in it; {{name}} is the name of the cluster', 'apps/{{name}}', answer => {
    const good = filled(answer)
    return good === true ? accepts(() => templateLanguage({ '--path': answer })) : good
  })
  const revision = await ask.text('Branch, tag or commit', 'HEAD', filled)
  return { repoUrl, path, ...(revision === 'HEAD' ? {} : { revision }) }
}

async function askPull(ask: Asker, hub: HubFacts): Promise<Settings> {
  if (hub.flavour === 'upstream') return {}
  const spokeGitops = await ask.one(
    'Who puts Argo CD on the clusters?',
    [
      { value: 'policy', name: 'a policy of our own', description: 'push goes on beside it' },
      { value: 'addon', name: 'the GitOps add-on', description: 'ends push for these clusters' },
      { value: 'none', name: 'it is there already' },
    ],
    'policy',
  )
  if (spokeGitops === 'none') return { spokeGitops }
  return { spokeGitops: spokeGitops === 'addon' ? 'addon' : 'policy', ...(await askRights(ask)) }
}

async function askRights(ask: Asker): Promise<Settings> {
  const rights = await ask.one(
    'What may the Argo CD of the clusters do there?',
    [
      { value: 'cluster-admin', name: 'everything', description: 'for platform configuration' },
      { value: 'namespaces', name: 'everything in some namespaces', description: 'least privilege' },
      { value: 'none', name: 'nothing; we see to its rights ourselves' },
    ],
    'cluster-admin',
  )
  if (rights !== 'namespaces') return { spokeRights: rights === 'none' ? 'none' : 'cluster-admin' }
  const text = await ask.text('Which namespaces? Commas between them.', '', answer =>
    answer.split(',').every(name => isDnsLabel(name.trim())) ? true : 'names of namespaces, with commas between them',
  )
  return { spokeRights: 'namespaces', managedNamespaces: text.split(',').map(name => name.trim()) }
}

async function askPush(ask: Asker): Promise<Settings> {
  const account = await ask.one(
    'As whom does the hub act on the clusters?',
    [
      { value: 'default', name: 'application-manager', description: 'administrator of every cluster' },
      { value: 'own', name: 'an account of its own', description: 'writes in some namespaces only' },
    ],
    'default',
  )
  if (account === 'default') return {}
  const serviceAccount = await ask.text('Name of the account', 'argocd-deployer', name =>
    isDnsLabel(name) ? true : 'lower-case letters, digits and "-" only, up to 63',
  )
  const text = await ask.text('In which namespaces may it write? Commas between them.', '', answer =>
    answer.split(',').every(name => isDnsLabel(name.trim())) ? true : 'names of namespaces, with commas between them',
  )
  return { serviceAccount, grantNamespaces: text.split(',').map(name => name.trim()) }
}

async function askAgent(ask: Asker, hub: HubFacts): Promise<Settings> {
  // Upstream the chart decides about all of this.
  if (hub.flavour === 'upstream') return {}
  const setup = await ask.one(
    "Does the hub's Argo CD go on deploying itself?",
    [
      { value: 'documented', name: 'no, as ACM documents it', description: 'its own Applications freeze' },
      { value: 'hybrid', name: 'yes (hybrid)', description: 'OpenShift GitOps 1.21 and newer' },
    ],
    'documented',
  )
  return { setup: setup === 'hybrid' ? 'hybrid' : 'documented', ...(await askRights(ask)) }
}

async function askLeave(ask: Asker, model: Model): Promise<Settings> {
  const byDefault = model === 'push' ? 'keep' : 'remove'
  const answer = await ask.one(
    'What becomes of the workload of a cluster that leaves?',
    [
      { value: 'keep', name: 'it stays' },
      { value: 'remove', name: 'it is removed' },
    ],
    byDefault,
  )
  return answer === byDefault ? {} : { onLeave: answer === 'keep' ? 'keep' : 'remove' }
}

/**
 * Asks for everything that a bootstrap needs and that was not given, showing what is on the hub. Each answer is a setting
 * with a flag, so that the same can be said on a command line.
 *
 * @param show tells what a Placement would select, as soon as the clusters are chosen
 */
export async function askForSettings(
  fleet: Fleet,
  given: Settings,
  wanted: Model | undefined,
  ask: Asker,
  show: (where: Settings) => Promise<void>,
): Promise<Settings> {
  const hub = hubFacts(fleet)
  const model = wanted ?? given.model ?? (await askModel(ask))
  const namespace = given.namespace === undefined ? await askNamespace(ask, hub) : {}
  let where: Settings = {}
  if (given.placement === undefined && given.set === undefined && given.clusters === undefined) {
    const clusters = await askClusters(ask, fleet)
    where = { clusters, set: await askSet(ask, fleet, clusters) }
  }
  await show({ ...namespace, ...where, ...given })
  const source = given.repoUrl === undefined || given.path === undefined ? await askSource(ask) : {}
  const isBare =
    given.spokeGitops === undefined && given.spokeRights === undefined && given.serviceAccount === undefined
  const byModel = { push: () => askPush(ask), pull: () => askPull(ask, hub), agent: () => askAgent(ask, hub) }
  const further = isBare && given.setup === undefined ? await byModel[model]() : {}
  const leave = given.onLeave === undefined ? await askLeave(ask, model) : {}
  return { model, ...namespace, ...where, ...source, ...further, ...leave, ...given }
}
