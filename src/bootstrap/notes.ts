import { PULL_LABEL, PULL_TARGET, parsesTrue, SKIP_RECONCILE } from '../fleet/joins/applications.ts'
import { appSets } from '../fleet/joins/appsets.ts'
import { ACCEPTED, AVAILABLE, clusters as clustersJoin, isTrue, JOINED } from '../fleet/joins/clusters.ts'
import { DEFAULT_MSA, registration, registrationKey } from '../fleet/joins/registration.ts'
import { globMatches } from '../fleet/joins/spoke-argo.ts'
import { resourceName } from '../fleet/kinds.ts'
import type { PlanNote } from '../plan/plan.ts'
import type { Judged } from './judge.ts'
import { listed } from './names.ts'
import { onLeaveOf } from './parts/application-set.ts'
import { rightsOf } from './parts/spokes.ts'

type Notes = readonly PlanNote[]

const warning = (code: string, text: string): PlanNote => ({ level: 'warning', code, text })
const info = (code: string, text: string): PlanNote => ({ level: 'info', code, text })

function selectionNotes({ blueprint, clusters, preview }: Judged): Notes {
  const own = preview.placements.find(
    p => p.namespace === blueprint.argoNamespace && p.name === blueprint.placement.name,
  )
  const named = blueprint.set?.clusters ?? []
  const left = named.filter(name => own !== undefined && !clusters.includes(name))
  const more = named.length === 0 ? [] : clusters.filter(name => !named.includes(name))
  return [
    ...left.map(name =>
      warning(
        'not-selected',
        `${name} is put into the set but not selected: ${own?.notSelected.find(n => n.cluster === name)?.detail ?? 'for an unknown reason'}`,
      ),
    ),
    ...(more.length === 0
      ? []
      : [
          warning(
            'more-selected',
            `the Placement selects ${listed(more)} too, which the set holds already; narrow it with --predicate`,
          ),
        ]),
    ...(own === undefined
      ? []
      : own.doubts.map(doubt => warning('uncertain', `the selection is not certain: ${doubt}`))),
  ]
}

function clusterNotes({ blueprint, clusters, before }: Judged): Notes {
  const { byName } = before.join(clustersJoin)
  const of = (is: (name: string) => boolean) => clusters.filter(is)
  const lacks = (type: string) => (name: string) => {
    const cluster = byName.get(name)
    return cluster !== undefined && !isTrue(cluster, type)
  }
  const unaccepted = of(name => lacks(ACCEPTED)(name) || lacks(JOINED)(name))
  const silent = of(name => lacks(AVAILABLE)(name) && !unaccepted.includes(name))
  const needsOpenShift = blueprint.spokeGitops !== 'none'
  const others = of(name => (byName.get(name)?.meta.labels.vendor ?? '') !== 'OpenShift')
  return [
    ...(unaccepted.length === 0
      ? []
      : [
          warning(
            'not-joined',
            `${listed(unaccepted)} never joined the hub and are selected all the same; without a token for each cluster the whole GitOpsCluster is not Ready`,
          ),
        ]),
    ...(silent.length === 0 ? [] : [warning('unavailable', `${listed(silent)} do not report at the moment`)]),
    ...(needsOpenShift && others.length > 0
      ? [
          warning(
            'not-openshift',
            `${listed(others)} are not known to be OpenShift, which the installation of OpenShift GitOps needs`,
          ),
        ]
      : []),
  ]
}

function registrationNotes({ blueprint, clusters, before, after }: Judged): Notes {
  const { parts, model, settings, argoNamespace, gitOpsCluster } = blueprint
  if (!parts.has('gitopscluster') || blueprint.hub.flavour !== 'acm') return []
  const { of } = after.join(registration)
  const twice = clusters.filter(c => (of.get(registrationKey(argoNamespace, c)) ?? []).length > 1)
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
            `${listed(lacking)} have no ManagedServiceAccount ${DEFAULT_MSA} yet, which ACM's application-manager add-on makes; or bring one with --service-account`,
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

function rightsNotes(judged: Judged): Notes {
  const { blueprint } = judged
  const { settings, model, spokeGitops, hub, parts } = blueprint
  const notes: PlanNote[] = []
  if (settings.serviceAccount !== undefined && model === 'push' && settings.readSecrets !== true) {
    notes.push(
      info(
        'narrow-rights',
        `${settings.serviceAccount} reads no Secrets and only the usual kinds: set resource.respectRBAC: normal in Argo CD's argocd-cm, or its cluster cache stops at the first kind that it may not list`,
      ),
    )
  }
  const spokes = model === 'pull' || model === 'agent'
  if (spokes && parts.has('rbac') && rightsOf(blueprint) === 'none') {
    notes.push(
      warning(
        'no-rights',
        "nothing gives the clusters' own Argo CD rights; without them the first sync fails with forbidden, and automated sync gives up after some tries",
      ),
    )
  }
  if (parts.has('spoke-gitops') && spokeGitops === 'policy' && settings.channel === undefined) {
    const { channel } = hub.operator
    notes.push(
      channel === '' || channel === 'latest'
        ? warning(
            'channel-not-pinned',
            'the clusters follow channel latest of the operator, and may get ahead of the hub; pin one with --channel',
          )
        : info('channel', `the clusters get channel ${channel}, as the hub has; upgrade the hub first`),
    )
  }
  if (model === 'pull' && spokeGitops === 'none') {
    notes.push(info('own-argocd', 'Argo CD has to run on every cluster already; nothing here installs it'))
  }
  return notes
}

function applicationNotes(judged: Judged): Notes {
  const { blueprint, before, preview } = judged
  const { settings, model, hub, parts, argoNamespace } = blueprint
  if (!parts.has('appset')) return []
  const notes: PlanNote[] = []
  const leave = onLeaveOf(blueprint)
  if (model === 'pull') {
    notes.push(
      info(
        'on-leave',
        leave === 'keep'
          ? 'a cluster that leaves the Placement keeps its Application (applicationsSync: create-update); preserveResourcesOnDeletion would orphan its ManifestWork instead'
          : 'a cluster that leaves the Placement loses its Application and the workload; --on-leave keep holds on to it',
      ),
    )
  } else {
    notes.push(
      info(
        'on-leave',
        leave === 'keep'
          ? 'a cluster that leaves the Placement keeps its workload (preserveResourcesOnDeletion)'
          : 'a cluster that leaves the Placement loses its workload; --on-leave keep holds on to it',
      ),
    )
  }
  const project = settings.project ?? 'default'
  if (model === 'pull' && project !== 'default') {
    notes.push(
      warning(
        'project-on-hub',
        `AppProject ${project} is on the hub only: ACM 2.15 and newer bring it to the clusters, older ones do not; repository credentials have to be on every cluster in any case`,
      ),
    )
  } else if (model !== 'push') {
    notes.push(info('repository', 'a private repository needs its credentials on every cluster'))
  }
  const existing = before.hub.of('AppProject').get(argoNamespace, project)
  const repo = settings.repoUrl ?? ''
  if (existing !== undefined && !existing.sourceRepos.some(pattern => globMatches(pattern, repo))) {
    notes.push(
      warning(
        'project-refuses',
        `AppProject ${project} does not allow ${repo}: the Applications will be refused until its sourceRepos do`,
      ),
    )
  }
  const long = preview.applications.made.filter(app => app.name.length > 63).map(app => app.name)
  if (long.length > 0) {
    notes.push(warning('long-names', `${listed(long, 2)}: longer than 63, too long for a label of the workload`))
  }
  const half = before.join(appSets).all.filter(({ appSet, argoNamespace: ns }) => {
    const { labels, annotations } = appSet.template
    const isPull = PULL_LABEL in labels || PULL_TARGET in annotations
    return ns === argoNamespace && isPull && !parsesTrue(annotations[SKIP_RECONCILE])
  })
  if (half.length > 0 && hub.flavour !== 'none') {
    notes.push(
      warning(
        'hub-reconciles-too',
        `ApplicationSet ${listed(half.map(l => l.appSet.meta.name))} is for pull but lacks ${SKIP_RECONCILE}: the hub deploys it onto itself`,
      ),
    )
  }
  return notes
}

/** `pullModel.basic.disabled: true` in the configuration of ACM's pull controllers (push-pull.md 1.10, gate 4). */
const PULL_OFF = /pullModel:[\s\S]*?basic:[\s\S]*?disabled:\s*["']?true/i

function controllerNotes({ blueprint, before }: Judged): Notes {
  if (blueprint.model !== 'pull') return []
  const off = before.hub.of('ConfigMap').all.find(m => PULL_OFF.test(m.data['config.yaml'] ?? ''))
  return off === undefined
    ? []
    : [
        warning(
          'pull-switched-off',
          `ConfigMap ${off.meta.namespace}/${off.meta.name} switches the pull model off: nothing is delivered until pullModel.basic.disabled is gone and the controllers have restarted`,
        ),
      ]
}

/** Kinds on which the preview rests: without them it is too short. */
const SEEN_FOR_PREVIEW = [
  'Application',
  'ApplicationSet',
  'Placement',
  'PlacementDecision',
  'GitOpsCluster',
  'Secret',
] as const

function unseenNotes({ steps, before }: Judged): Notes {
  const unseen = steps.flatMap(step =>
    step.type === 'object' && step.precondition.state === 'unknown'
      ? [`${step.subject.kind} ${step.subject.name}: ${step.precondition.reason}`]
      : [],
  )
  const kinds = SEEN_FOR_PREVIEW.filter(kind => !before.hub.knows(kind)).map(resourceName)
  return [
    ...(unseen.length === 0
      ? []
      : [warning('not-seen', `whether these are there already could not be seen: ${listed(unseen, 3)}`)]),
    ...(kinds.length === 0
      ? []
      : [
          warning(
            'preview-incomplete',
            `${listed(kinds)} could not be read wholly, so what is said to be lost may not be all of it`,
          ),
        ]),
  ]
}

/** What the user should know about the plan, warnings first. */
export function notesOf(judged: Judged): readonly PlanNote[] {
  const notes = [
    ...selectionNotes(judged),
    ...clusterNotes(judged),
    ...registrationNotes(judged),
    ...rightsNotes(judged),
    ...applicationNotes(judged),
    ...controllerNotes(judged),
    ...unseenNotes(judged),
  ]
  return [...notes.filter(n => n.level === 'warning'), ...notes.filter(n => n.level === 'info')]
}
