import type { ClusterView } from '../../fleet/fleet.ts'
import type { Subscription } from '../../fleet/records.ts'
import { subject } from '../../fleet/subject.ts'
import type { Check } from '../check.ts'
import { conditionText, fact, MINUTE, olderThan } from '../support.ts'
import { allViews, placeOf, relevantSubscriptions } from './operator-support.ts'

/** OLM needs some minutes for an installation. */
const INSTALLED_WITHIN = 10 * MINUTE

interface Fault {
  readonly text: string
  readonly fix: string
}

function fault(view: ClusterView, s: Subscription): Fault | undefined {
  const told = s.conditions.find(
    c =>
      c.status === 'True' &&
      [
        'ResolutionFailed',
        'InstallPlanFailed',
        'InstallPlanMissing',
        'BundleUnpackFailed',
        'CatalogSourcesUnhealthy',
      ].includes(c.type),
  )
  if (told !== undefined)
    return {
      text: `${told.type} ${conditionText(told)}`,
      fix:
        told.type === 'CatalogSourcesUnhealthy'
          ? 'repair the CatalogSource (on a disconnected cluster: mirror it)'
          : 'mend what the condition names (another Subscription of the package, a version that is not in the channel)',
    }
  const csv = view.of('ClusterServiceVersion').get(s.meta.namespace, s.installedCSV || s.currentCSV)
  if (csv !== undefined && ['Failed', 'Unknown'].includes(csv.phase))
    return {
      text: `ClusterServiceVersion ${csv.meta.name} is ${csv.phase} (${csv.reason}): ${csv.message}`,
      fix: 'look at the pods of the operator and at the requirements of the ClusterServiceVersion',
    }
  const waits = s.conditions.some(c => c.status === 'True' && c.type === 'InstallPlanPending')
  if (s.manualApproval && (waits || s.state === 'UpgradePending'))
    return {
      text: `an update to ${s.currentCSV || 'another version'} waits for approval`,
      fix: `approve its InstallPlan: oc -n ${s.meta.namespace} get installplans`,
    }
  // A Subscription without any status was never looked at; recordings may hold one that OLM did not run for.
  if (s.installedCSV === '' && s.state !== '' && olderThan(view.readAt, s.meta.created, INSTALLED_WITHIN))
    return {
      text: `nothing is installed (state ${s.state})`,
      fix: `see the InstallPlans and the CatalogSource of Subscription ${s.meta.name}`,
    }
  return undefined
}

export const operatorNotInstalled: Check = {
  code: 'FLT0910',
  slug: 'operator-not-installed',
  title: 'The operators that delivery rests on are installed',
  severity: 'warning',
  category: 'addons',
  models: ['push', 'pull', 'agent'],
  needs: { hub: ['Subscription'] },
  uses: { hub: ['ClusterServiceVersion'], spoke: ['Subscription', 'ClusterServiceVersion'] },
  docs: {
    why: 'OLM says in conditions of the Subscription why it does not install: a catalog that does not answer (disconnected clusters), two Subscriptions for one package, an InstallPlan that waits for approval. On the hub a spoke without the operator shows as a policy that is not compliant, or as a ManifestWork that knows no kind Application.',
    remedy: 'Mend what the condition names; approve the InstallPlan where approval is manual.',
    sources: ['agent-mode 5 (53), 1.1', 'push-pull 1.11, 1.16', 'failures in the field G-6'],
  },
  *run(fleet) {
    for (const view of allViews(fleet)) {
      for (const subscription of relevantSubscriptions(view)) {
        const found = fault(view, subscription)
        if (found === undefined) continue
        const { name, namespace } = subscription.meta
        yield {
          subject: subscription.subject,
          message: `Operator "${subscription.packageName}"${placeOf(view)} is not what its Subscription asks for: ${found.text}.`,
          evidence: [
            fact(subscription, '.status.state', subscription.state || 'empty'),
            fact(subscription, '.status.installedCSV', subscription.installedCSV || 'empty'),
            fact(subscription, '.spec.installPlanApproval', subscription.manualApproval ? 'Manual' : 'Automatic'),
          ],
          effect: 'the operator is missing or stays at its version',
          fix: `${found.fix} (${namespace}/${name})`,
          because: [...(view.role === 'hub' ? [] : [{ subject: subject('hub', 'ManagedCluster', '', view.name) }])],
          breaks: false,
          through: [],
        }
      }
    }
  },
}
