import { atLeast, operatorSubscription } from '../../bootstrap/hub.ts'
import { CLUSTER_CONFIG, namespacesIn } from '../../fleet/operator-namespaces.ts'
import { GITOPS_NAMESPACE } from '../../fleet/well-known.ts'
import { valueAt } from '../../raw.ts'
import { unseen } from '../hub.ts'
import { failed, ok, type PreconditionCheck, unknown } from './precondition.ts'

/** P5. */
const installed: PreconditionCheck = {
  code: 'operator-installed',
  title: 'the operator is installed by OLM and is settled',
  weight: 'blocks',
  judge({ fleet }) {
    const subscription = operatorSubscription(fleet)
    if (subscription === undefined) {
      return unknown(
        unseen(fleet.hub, 'Subscription') ?? 'no Subscription of package openshift-gitops-operator is there',
        'an operator without OLM is not touched: its variables are set on its Deployment by hand (docs/agent.md)',
      )
    }
    const { namespace, name } = subscription.meta
    const at = `Subscription ${namespace}/${name}`
    const groups = fleet.hub.of('OperatorGroup').in(namespace).length
    if (groups > 1) return failed(`${groups} OperatorGroups are in ${namespace}`, 'leave one: OLM fails with several')
    if (subscription.state !== 'AtLatestKnown') {
      return failed(`${at} is ${subscription.state || 'without a state'}`, 'let OLM finish, or approve its InstallPlan')
    }
    const csv = fleet.hub.of('ClusterServiceVersion').get(namespace, subscription.installedCSV)
    if (csv === undefined) {
      return unknown(unseen(fleet.hub, 'ClusterServiceVersion') ?? `${subscription.installedCSV} was not seen`)
    }
    const seen = `${at} is ${subscription.state}, ${csv.meta.name} is ${csv.phase}`
    return csv.phase === 'Succeeded' ? ok(seen) : failed(seen, `mend the operator first: ${csv.message || csv.reason}`)
  },
}

/** P6 (agent-mode.md 0.1). */
const version: PreconditionCheck = {
  code: 'operator-version',
  title: 'the version of OpenShift GitOps knows the set-up',
  weight: 'blocks',
  judge({ facts, setup }) {
    const needed = setup === 'hybrid' ? 21 : 20
    const is = atLeast(facts.operator.version, 1, needed)
    if (is === undefined) {
      return unknown(
        'the version of OpenShift GitOps was not seen',
        `it takes 1.${needed}; "enable" lets the server check each field before it writes`,
      )
    }
    const seen = `OpenShift GitOps ${facts.operator.version}, and it takes 1.${needed}`
    const what =
      needed === 21
        ? 'older controllers do not honour skip-reconcile on secrets of agents; update, or use --setup dedicated'
        : 'older operators drop destinationBasedMapping without a word; update first'
    return is ? ok(seen) : failed(seen, what)
  },
}

/** P6: agents and principal must be of one version. */
const channel: PreconditionCheck = {
  code: 'same-version',
  title: 'hub and clusters get the same version of the agent',
  weight: 'warns',
  judge({ facts }) {
    const hub = facts.operator.channel
    if (hub === '') return unknown('the channel of the hub was not seen')
    return hub === 'latest' || hub === ''
      ? unknown(
          'the hub follows channel latest, and so do the clusters by default',
          'whoever updates first is cut off until the other follows: pin one channel with --channel, and in the Subscription of the hub',
        )
      : unknown(
          `the hub follows channel ${hub}; the clusters follow latest unless told otherwise`,
          `pass --channel ${hub}: principal and agents of different versions refuse each other`,
        )
  },
}

/** P15. */
const clusterScoped: PreconditionCheck = {
  code: 'cluster-scoped',
  title: 'the operator gives the instance rights in the whole cluster',
  weight: 'blocks',
  judge({ fleet, argoNamespace, rawArgo, setup }) {
    if (valueAt(rawArgo, 'spec', 'defaultClusterScopedRoleDisabled') === true) {
      return failed(
        '.spec.defaultClusterScopedRoleDisabled is true',
        'the principal dies a minute after each start without its ClusterRole: remove the field',
      )
    }
    const subscription = operatorSubscription(fleet)
    const value = subscription?.env[CLUSTER_CONFIG]
    if (setup === 'dedicated') {
      return ok(`the plan adds the new namespace to ${CLUSTER_CONFIG}`)
    }
    if (value !== undefined) {
      const names = namespacesIn(value)
      const seen = `${CLUSTER_CONFIG}=${value} in the Subscription`
      return names[0] === '*' || names.includes(argoNamespace)
        ? ok(seen)
        : ok(`${seen}; the plan adds ${argoNamespace}`)
    }
    // The operator's own CSV names the namespace of the default instance (agent-mode.md 1.1).
    if (argoNamespace === GITOPS_NAMESPACE && subscription !== undefined) {
      return ok(`the operator itself names ${argoNamespace} in ${CLUSTER_CONFIG}`)
    }
    return subscription === undefined
      ? unknown(unseen(fleet.hub, 'Subscription') ?? 'no Subscription of the operator was seen')
      : ok(`the plan adds ${argoNamespace} to ${CLUSTER_CONFIG}`)
  },
}

export const OPERATOR_CHECKS: readonly PreconditionCheck[] = [installed, version, channel, clusterScoped]
