import { type AppSetLink, appSets } from '../../fleet/joins/appsets.ts'
import { registration } from '../../fleet/joins/registration.ts'
import { pushTo } from '../../fleet/maps.ts'
import type { ConfigMap } from '../../fleet/records.ts'
import { missing, subject } from '../../fleet/subject.ts'
import type { Check } from '../check.ts'
import { fact, names } from '../support.ts'

/**
 * What the generator needs to find in its ConfigMap. Placement decisions are all that OCM offers today; PlacementRules are
 * the deprecated other kind, with the same two keys (push-pull.md 1.6).
 */
function faults({ data }: ConfigMap): readonly string[] {
  const wrong: string[] = []
  const kinds: Readonly<Record<string, string>> = {
    placementdecisions: 'cluster.open-cluster-management.io/v1beta1',
    placementrules: 'apps.open-cluster-management.io/v1',
  }
  const api = kinds[data.kind ?? '']
  if (api === undefined) wrong.push(`kind is "${data.kind ?? ''}", must be the plural placementdecisions`)
  else if (data.apiVersion !== api) wrong.push(`apiVersion is "${data.apiVersion ?? ''}", must be ${api}`)
  if (data.statusListKey !== 'decisions')
    wrong.push(`statusListKey is "${data.statusListKey ?? ''}", must be decisions`)
  if (data.matchKey !== 'clusterName') wrong.push(`matchKey is "${data.matchKey ?? ''}", must be clusterName`)
  return wrong
}

export const generatorConfigmap: Check = {
  code: 'FLT0208',
  slug: 'generator-configmap',
  title: 'The ConfigMap of every clusterDecisionResource generator is there and right',
  severity: 'error',
  category: 'registration',
  models: ['push', 'pull', 'agent'],
  needs: { hub: ['ApplicationSet', 'ConfigMap'] },
  uses: appSets.inputs,
  docs: {
    why: 'The generator reads how to find decisions from a ConfigMap in the namespace of its controller. When it is missing the ApplicationSet fails and keeps its Applications. When `matchKey` is wrong every cluster is skipped: all Applications are deleted and everything is green. The GitOpsCluster controller creates the ConfigMap when it is absent and never corrects it.',
    remedy:
      'Delete the ConfigMap and let the GitOpsCluster controller write it anew (at its next reconcile, within five minutes), or set the four keys by hand: `apiVersion`, `kind: placementdecisions`, `statusListKey: decisions`, `matchKey: clusterName`.',
    sources: ['push-pull 1.6, 1.8', 'argoproj/argo-cd:applicationset/generators/duck_type.go'],
  },
  *run(fleet) {
    const users = new Map<string, AppSetLink[]>()
    for (const link of fleet.join(appSets).all) {
      if (link.argoNamespace === '') continue
      for (const g of link.generators)
        if (g.generator.configMapRef !== '') pushTo(users, `${link.argoNamespace}/${g.generator.configMapRef}`, link)
    }
    for (const [key, links] of users) {
      const slash = key.indexOf('/')
      const namespace = key.slice(0, slash)
      const name = key.slice(slash + 1)
      const configMap = fleet.hub.of('ConfigMap').get(namespace, name)
      const wrong = configMap === undefined ? [] : faults(configMap)
      if (configMap !== undefined && wrong.length === 0) continue
      if (configMap === undefined && !fleet.hub.knows('ConfigMap', namespace)) continue
      const at = subject('hub', 'ConfigMap', namespace, name)
      yield {
        subject: configMap === undefined ? missing(at) : at,
        message:
          configMap === undefined
            ? `ConfigMap "${name}" does not exist in namespace "${namespace}", and ${names(links.map(l => l.appSet.meta.name))} read it.`
            : `ConfigMap "${name}" in namespace "${namespace}" is wrong: ${wrong.join('; ')}.`,
        evidence: [
          ...wrong.map(w => fact(at, '.data', w)),
          ...links.slice(0, 10).map(l => fact(l.appSet, '.spec.generators', `configMapRef ${name}`)),
        ],
        effect:
          configMap === undefined
            ? 'these ApplicationSets generate nothing new; their Applications are kept as they are'
            : 'these ApplicationSets match no cluster: their Applications are deleted, with all conditions green',
        fix:
          configMap === undefined
            ? `make the GitOpsCluster of ${namespace} reconcile (it recreates the ConfigMap within 5 minutes), or create it by hand`
            : `oc -n ${namespace} delete configmap ${name} (its controller writes it anew), or correct the keys`,
        // It is made by the controller of a GitOpsCluster that works, and never mended by it.
        because: fleet
          .join(registration)
          .all.filter(r => configMap === undefined && r.argoNamespace === namespace)
          .map(r => ({ subject: r.goc.subject, codes: ['FLT0203', 'FLT0204'] })),
        through: links.map(l => l.appSet.subject),
      }
    }
  },
}
