import type { Fleet } from '../../fleet/fleet.ts'
import { inputsOf } from '../../fleet/fleet.ts'
import { condition } from '../../fleet/joins/clusters.ts'
import { covers, spokeArgo } from '../../fleet/joins/spoke-argo.ts'
import { type WorkLink, works } from '../../fleet/joins/works.ts'
import { PULL_NAMESPACE } from '../../fleet/labels.ts'
import { getOrAdd } from '../../fleet/maps.ts'
import { subject } from '../../fleet/subject.ts'
import type { Check } from '../check.ts'
import { hubApp, isCurrent, PULL_INPUTS, spokeApp } from '../delivery/pull-support.ts'
import { ago, fact, names, olderThan, SECOND } from '../support.ts'

/** A running application controller writes the first status within a second or two. */
const STATUS_WITHIN = 10 * SECOND

/** Namespaces on a cluster whose Applications report a health: somebody reconciles them. */
function reportingNamespaces(fleet: Fleet, cluster: string): ReadonlySet<string> {
  const found = new Set<string>()
  for (const w of fleet.join(works).byCluster.get(cluster) ?? []) {
    if (w.payload !== undefined && w.status?.feedback.healthStatus !== undefined) found.add(w.payload.meta.namespace)
  }
  return found
}

/** Delivered some time ago, and nobody has written a status. */
function untouched(fleet: Fleet, work: WorkLink): boolean {
  const view = fleet.spokes.get(work.cluster)
  if (view?.serves('Application')) {
    const app = view.of('Application').get(work.payload?.meta.namespace ?? '', work.payload?.meta.name ?? '')
    // The stub that an ApplicationSet controller writes has an empty sync status.
    return (
      app !== undefined &&
      app.sync === '' &&
      app.reconciledAt === undefined &&
      olderThan(view.readAt, app.meta.created, STATUS_WITHIN)
    )
  }
  const { status } = work
  const available = status === undefined ? undefined : condition(status, 'Available')
  return (
    status !== undefined &&
    available?.status === 'True' &&
    status.feedback.healthStatus === undefined &&
    olderThan(fleet.now, available.since, 2 * STATUS_WITHIN)
  )
}

/** Does any Argo CD of the cluster watch the namespace? Undefined where nothing tells. */
function watched(fleet: Fleet, cluster: string, namespace: string): boolean | undefined {
  const argo = fleet.join(spokeArgo).get(cluster)
  if (argo !== undefined && argo.namespaces.size > 0) return covers(argo.watched, namespace)
  const reporting = reportingNamespaces(fleet, cluster)
  return reporting.size === 0 ? undefined : reporting.has(namespace)
}

export const spokeAppUnreconciled: Check = {
  code: 'FLT0511',
  slug: 'spoke-app-unreconciled',
  title: 'An Argo CD on the cluster reconciles every delivered Application',
  severity: 'error',
  category: 'spokes',
  models: ['pull'],
  needs: { hub: ['Application', 'ManifestWork'] },
  uses: inputsOf(PULL_INPUTS, { spoke: ['Application', 'ArgoCD', 'Service', 'ServiceAccount', 'StatefulSet'] }),
  docs: {
    why: 'The ManifestWork is Applied and Available as soon as the Application exists on the cluster. If nobody reconciles it there is no status, so the feedback has no values and report and hub Application say Unknown, without a reason. Either no application controller runs, or the Application lies in a namespace that no Argo CD there watches; ACM even creates that namespace.',
    remedy:
      'Set annotation `ocm-managed-cluster-app-namespace` of the template to the namespace of the Argo CD on the cluster (or to one of its `sourceNamespaces`), or start the application controller.',
    sources: ['push-pull 1.10, 1.11, 1.12', 'seen on running controllers: 1.10'],
  },
  *run(fleet) {
    const wrongNamespace = new Map<string, WorkLink[]>()
    for (const work of fleet.join(works).all) {
      const { payload, cluster } = work
      const link = hubApp(fleet, work)
      const at = spokeApp(work)
      if (payload === undefined || at === undefined || work.work.meta.deleting !== undefined || !untouched(fleet, work))
        continue
      if (link !== undefined && !isCurrent(link, work)) continue
      const { namespace } = payload.meta
      if (watched(fleet, cluster, namespace) === false) {
        const set = link?.appSet?.appSet.subject ?? link?.app.subject ?? work.work.subject
        getOrAdd(wrongNamespace, `${set.kind}|${set.namespace}/${set.name}`, () => []).push(work)
        continue
      }
      const created = fleet.spokes.get(cluster)?.of('Application').get(namespace, payload.meta.name)?.meta.created
      yield {
        subject: at,
        message: `Application "${payload.meta.name}" on cluster "${cluster}" has no status${created === undefined ? '' : ` since it was created ${ago(fleet.now, created)}`}: no Argo CD application controller reconciles it.`,
        evidence: [
          fact(at, '.status', 'absent'),
          fact(work.work, '', 'Applied and Available, but without feedback values'),
        ],
        effect: 'nothing is deployed; report and hub Application say Unknown, or what was before',
        fix: `start the Argo CD application controller on ${cluster} (oc -n ${namespace} get statefulset,pods), or make it watch namespace ${namespace}`,
        because: [{ subject: subject('hub', 'ManagedCluster', '', cluster) }],
        through: link === undefined ? [work.work.subject] : [link.app.subject],
      }
    }
    for (const list of wrongNamespace.values()) {
      const first = list[0]
      const link = first === undefined ? undefined : hubApp(fleet, first)
      const namespace = first?.payload?.meta.namespace ?? ''
      const argo = first === undefined ? undefined : fleet.join(spokeArgo).get(first.cluster)
      const set = link?.appSet?.appSet
      if (first === undefined) continue
      const home = names([...(argo?.namespaces ?? reportingNamespaces(fleet, first.cluster))].sort())
      yield {
        subject: set?.subject ?? link?.app.subject ?? first.work.subject,
        message: `${set === undefined ? `Application "${link?.app.meta.name ?? ''}"` : `ApplicationSet "${set.meta.name}"`} delivers to namespace "${namespace}" on ${names(list.map(w => w.cluster))}, which no Argo CD there watches (Argo CD is in ${home}).`,
        evidence: [
          ...(set === undefined
            ? []
            : [
                fact(
                  set,
                  `.spec.template.metadata.annotations[${PULL_NAMESPACE}]`,
                  set.template.annotations[PULL_NAMESPACE] ?? 'absent',
                ),
              ]),
          ...list.slice(0, 5).map(w => fact(spokeApp(w) ?? w.work.subject, '.status', 'absent')),
        ],
        effect:
          'the Applications arrive and nobody reconciles them; report and hub say Unknown; a deletion will hang on the spoke',
        fix: `set annotation ${PULL_NAMESPACE} to ${home}, or let the Argo CD of the spokes watch ${namespace}`,
        because: list.map(w => ({ subject: subject('hub', 'ManagedCluster', '', w.cluster) })),
      }
    }
  },
}
