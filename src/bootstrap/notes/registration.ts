import {
  clusterSecrets,
  DEFAULT_MSA,
  isAgentSecret,
  registration,
  registrationKey,
} from '../../fleet/joins/registration.ts'
import type { Judged } from '../judge.ts'
import { listed } from '../names.ts'
import { info, type Notes, warning } from './note.ts'

/** Upstream's pull controller gives every cluster a secret of its name, and the agent's secret gets the same one. */
function secretsOfSameName({ blueprint, clusters, before }: Judged): Notes {
  const { byName } = before.join(clusterSecrets)
  const others = clusters
    .flatMap(cluster => byName.get(registrationKey(blueprint.argoNamespace, cluster)) ?? [])
    .filter(secret => !isAgentSecret(secret))
  if (blueprint.model !== 'agent' || others.length === 0) return []
  const names = listed(others.map(s => s.meta.name))
  return [
    warning(
      'same-name',
      `Secret ${names} in ${blueprint.argoNamespace} would be a second one of its cluster's name, which no Application can use; remove what pull needed first`,
    ),
  ]
}

/** What the user should know of the secrets by which Argo CD gets the clusters. */
export function registrationNotes(judged: Judged): Notes {
  const { blueprint, clusters, before, after } = judged
  const { parts, model, settings, argoNamespace, gitOpsCluster } = blueprint
  if (!parts.has('gitopscluster')) return []
  if (blueprint.hub.flavour !== 'acm') return secretsOfSameName(judged)
  const { of } = after.join(registration)
  // Those that register it otherwise are a danger of their own (`registration-collision`).
  const twice = clusters.filter(cluster => {
    const [first, ...more] = of.get(registrationKey(argoNamespace, cluster)) ?? []
    return more.length > 0 && more.every(r => r.writes === first?.writes && r.msa === first.msa)
  })
  const accounts = before.hub.of('ManagedServiceAccount')
  const account = settings.serviceAccount ?? gitOpsCluster.existing?.managedServiceAccountRef ?? ''
  const lacking =
    model === 'push' && account === '' && before.hub.knows('ManagedServiceAccount')
      ? clusters.filter(c => accounts.get(c, DEFAULT_MSA) === undefined)
      : []
  return [
    ...(twice.length === 0
      ? []
      : [
          warning(
            'registered-twice',
            `another GitOpsCluster registers ${listed(twice)} in the same way; one is enough`,
          ),
        ]),
    ...(lacking.length === 0
      ? []
      : [
          warning(
            'no-account',
            `${listed(lacking)} ${lacking.length === 1 ? 'has' : 'have'} no ManagedServiceAccount ${DEFAULT_MSA} yet, which ACM's application-manager add-on makes; or bring one with --service-account`,
          ),
        ]),
    ...(blueprint.spokeGitops === 'addon'
      ? [
          info(
            'push-switched-off',
            `the add-on ends push for the clusters of this GitOpsCluster: their secrets hold no credentials`,
          ),
        ]
      : []),
  ]
}
