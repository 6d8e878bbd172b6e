import { UsageError } from '../../errors.ts'
import { subject } from '../../fleet/subject.ts'
import { MSA_ADDON } from '../../fleet/well-known.ts'
import type { Wait, Want } from '../../plan/make-steps.ts'
import { clusterPermission, managedClusterAddOn, managedServiceAccount } from '../../plan/manifests/service-account.ts'
import type { Blueprint } from '../blueprint.ts'
import { checkNamespace, checkObjectName, listed } from '../names.ts'
import { CLUSTER_READ, CLUSTER_READ_WITH_SECRETS, PRESETS } from '../presets.ts'
import type { Settings } from '../settings.ts'

const SECTION = 'Permissions'

/** Is the account with its rights there on all of the clusters, so that it can be used as it is? */
function isThere({ fleet }: Blueprint, account: string, clusters: readonly string[]): boolean {
  const accounts = fleet.hub.of('ManagedServiceAccount')
  const permissions = fleet.hub.of('ClusterPermission')
  return clusters.every(c => accounts.get(c, account) !== undefined && permissions.get(c, account) !== undefined)
}

function grants({ settings }: Blueprint) {
  const { preset = 'deployer', grantNamespaces = [], rules, readSecrets = false } = settings
  const namespaced = rules ?? PRESETS[preset]
  return {
    namespaces:
      namespaced.length === 0 ? [] : [...new Set(grantNamespaces)].map(namespace => ({ namespace, rules: namespaced })),
    clusterRules: readSecrets ? CLUSTER_READ_WITH_SECRETS : CLUSTER_READ,
  }
}

/** Settings that say something of a service account, with their flags. */
const OF_AN_ACCOUNT = [
  ['grantNamespaces', '--grant-namespaces'],
  ['preset', '--preset'],
  ['rules', '--rules'],
  ['readSecrets', '--read-secrets'],
] as const

/**
 * Nobody may think that rights are narrow because a flag was taken without a word.
 *
 * @throws UsageError where rights are said of no account, or of one that this model does not have
 */
export function checkAccountSettings(settings: Settings, isPush: boolean): void {
  const flag =
    settings.serviceAccount !== undefined && !isPush
      ? '--service-account'
      : OF_AN_ACCOUNT.find(([name]) => settings[name] !== undefined)?.[1]
  if (flag === undefined || (isPush && settings.serviceAccount !== undefined)) return
  throw new UsageError(
    isPush
      ? `${flag} limits the rights of a service account of its own, and none is named; add --service-account`
      : `${flag} is for push: with other models the clusters' own Argo CD deploys, with its own rights`,
  )
}

/**
 * A ManagedServiceAccount of its own with narrow rights, on every cluster of the Placement (push-pull.md 1.7).
 *
 * @throws UsageError where nothing says what it may do
 */
export function serviceAccountPart(blueprint: Blueprint, clusters: readonly string[]): readonly (Want | Wait)[] {
  const { settings, hub, fleet } = blueprint
  const account = settings.serviceAccount
  if (account === undefined) return []
  checkObjectName(account, '--service-account')
  for (const namespace of settings.grantNamespaces ?? []) checkNamespace(namespace, '--grant-namespaces')
  const saysRights = settings.grantNamespaces !== undefined || settings.preset !== undefined
  if (!saysRights && settings.rules === undefined && isThere(blueprint, account, clusters)) return []
  const { namespaces, clusterRules } = grants(blueprint)
  if (namespaces.length === 0 && settings.preset !== 'read-only') {
    throw new UsageError(
      `nothing says where service account "${account}" may write; pass --grant-namespaces, or --preset read-only`,
    )
  }
  const writes = namespaces.length === 0 ? 'writes nothing' : `writes in ${listed(namespaces.map(n => n.namespace))}`
  const reads =
    settings.readSecrets === true
      ? 'reads everything, Secrets included'
      : 'reads the usual kinds in the whole cluster, Secrets not'
  return clusters.flatMap((cluster): readonly (Want | Wait)[] => {
    const addOns = fleet.hub.of('ManagedClusterAddOn')
    const lacksAddOn = fleet.hub.knows('ManagedClusterAddOn') && addOns.get(cluster, MSA_ADDON) === undefined
    return [
      ...(lacksAddOn
        ? [
            {
              type: 'object' as const,
              section: SECTION,
              manifest: managedClusterAddOn(hub.version, cluster, MSA_ADDON),
              why: `makes service accounts on ${cluster} and fetches their tokens`,
            },
          ]
        : []),
      {
        type: 'object',
        section: SECTION,
        manifest: managedServiceAccount(hub.version, cluster, account),
        why: `the account on ${cluster} that Argo CD acts as`,
      },
      {
        type: 'object',
        section: SECTION,
        manifest: clusterPermission(hub.version, { cluster, name: account, namespaces, clusterRules }),
        why: `its rights on ${cluster}: ${writes}, ${reads}`,
        risk: {
          level: settings.readSecrets === true || settings.preset === 'namespace-admin' ? 'high' : 'low',
          text: `grants rights on ${cluster}, whatever rights the person has there who applies it`,
        },
      },
      {
        type: 'wait',
        section: SECTION,
        signal: {
          signal: 'condition',
          subject: subject('hub', 'ClusterPermission', cluster, account),
          type: 'AppliedRBACManifestWork',
          status: 'True',
        },
        why: 'rights have to be there before the first sync',
      },
    ]
  })
}
