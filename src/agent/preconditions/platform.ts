import { listed } from '../../bootstrap/names.ts'
import { ADDON_ARGOCD, GITOPS_NAMESPACE } from '../../fleet/well-known.ts'
import { failed, ifSeen, ofClusters, ok, type PreconditionCheck, unknown } from './precondition.ts'

/** P13. Routes are served by an aggregated API on OpenShift, so a list of definitions does not show them. */
const route: PreconditionCheck = {
  code: 'address-found',
  title: 'the principal gets an address that clusters reach',
  weight: 'blocks',
  judge({ fleet, argo }) {
    const { state } = fleet.hub.coverage('Route')
    if (state === 'read') return ok('routes.route.openshift.io is served; the operator makes a Route with passthrough')
    const type = argo?.principal?.serviceType ?? ''
    if (type === 'LoadBalancer' || type === 'NodePort') return ok(`the Service of the principal is a ${type}`)
    return state === 'not-served'
      ? failed(
          'routes.route.openshift.io is not served',
          'set .spec.argoCDAgent.principal.server.service.type: LoadBalancer in the ArgoCD resource first',
        )
      : unknown('whether Routes are served was not seen')
  },
}

/** P24. */
const addons: PreconditionCheck = {
  code: 'addons-served',
  title: 'the hub knows add-ons with templates',
  weight: 'blocks',
  judge({ facts }) {
    const kinds = ['AddOnTemplate', 'AddOnDeploymentConfig', 'ManagedClusterAddOn'] as const
    const lacks = kinds.filter(kind => !facts.serves(kind))
    return lacks.length === 0
      ? ok(`${listed(kinds)} are served`)
      : failed(`${listed(lacks)} are not served`, 'update Open Cluster Management')
  },
}

/** P26: the fields of the spokes' Argo CD are the policy's; a second one in its namespace fights with it. */
const noSecondArgo: PreconditionCheck = {
  code: 'no-argocd-on-clusters',
  title: 'no other Argo CD is in openshift-gitops of the clusters',
  weight: 'warns',
  judge: hub =>
    ofClusters(hub, () => {
      const { fleet, clusters } = hub
      const found = clusters.flatMap(cluster => {
        const all = fleet.spokes.get(cluster)?.of('ArgoCD').in(GITOPS_NAMESPACE) ?? []
        return all.filter(a => a.meta.name !== ADDON_ARGOCD).map(a => `${cluster}: ArgoCD ${a.meta.name}`)
      })
      if (found.length > 0) {
        return failed(
          listed(found),
          'delete it, or set DISABLE_DEFAULT_ARGOCD_INSTANCE=true in its Subscription: two fight',
        )
      }
      const unread = clusters.filter(cluster => fleet.spokes.get(cluster)?.knows('ArgoCD') !== true)
      return unread.length === 0
        ? ok('none is there')
        : unknown(
            `not read: ${listed(unread)}`,
            'read them with --spoke NAME, or look yourself: two Argo CDs in one namespace fight',
          )
    }),
}

/** P16 and P30. */
const settings: PreconditionCheck = {
  code: 'principal-settings',
  title: 'a principal that is there has the settings that agents need',
  weight: 'warns',
  judge({ argo, fleet }) {
    return ifSeen(fleet.hub, ['ArgoCD'], () => {
      const principal = argo?.principal
      if (principal === undefined) return ok('no principal is set up yet')
      if (!principal.enabled) return ok('.spec.argoCDAgent.principal is there and off; the plan shows what it changes')
      return principal.destinationBasedMapping
        ? ok('the principal is on, with destination-based mapping')
        : failed(
            'the principal is on without destination-based mapping',
            'turning it on under connected agents changes which Applications each of them gets: it has to be accepted by name',
          )
    })
  },
}

export const PLATFORM_CHECKS: readonly PreconditionCheck[] = [route, addons, noSecondArgo, settings]
