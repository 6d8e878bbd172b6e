import type { Fleet } from '../../fleet/fleet.ts'
import { inputsOf } from '../../fleet/fleet.ts'
import { type AppSetLink, appSets, placeOf } from '../../fleet/joins/appsets.ts'
import { clusters, condition } from '../../fleet/joins/clusters.ts'
import { clusterSecrets, registration, registrationKey } from '../../fleet/joins/registration.ts'
import { subject } from '../../fleet/subject.ts'
import { MSA_ADDON } from '../../fleet/well-known.ts'
import type { Cause, Check, Severity } from '../check.ts'
import { conditionFact, count, fact, names, olderThan, SECOND } from '../support.ts'
import { absentOf, NAME_FAULTS, renderedFor } from './appset-support.ts'

/** Default of `requeueAfterSeconds` (argo-cd duck_type.go): decisions and secrets trigger nothing, so a change waits that long. */
const REQUEUE = 180

interface Lack {
  /** Decided clusters whose Application is not there. */
  readonly clusters: readonly string[]
  readonly nothingDecided: boolean
}

function lackOf(fleet: Fleet, link: AppSetLink): Lack | undefined {
  const { generators, owned, appSet } = link
  if (generators.length === 0 || generators.every(g => g.decisions.length === 0)) return undefined
  const decided = [...new Set(generators.flatMap(g => [...g.clusters]))].sort()
  if (decided.length === 0) return owned.length > 0 ? undefined : { clusters: [], nothingDecided: true }
  if (!appSet.simple)
    return owned.length > 0 || fleet.hub.isNarrow('Application')
      ? undefined
      : { clusters: decided, nothingDecided: false }
  const clusters = renderedFor(fleet, link)
    .filter(made => !link.ownedByKey.has(made.key) && fleet.hub.knows('Application', ...placeOf(made.key)))
    .map(made => made.cluster)
  return clusters.length === 0 ? undefined : { clusters, nothingDecided: false }
}

function causesOf(fleet: Fleet, link: AppSetLink, lack: Lack): Cause[] {
  const { argoNamespace, generators, appSet } = link
  const { localName } = fleet.join(clusters)
  const list: Cause[] = [{ subject: appSet.subject, codes: NAME_FAULTS }]
  for (const g of generators) {
    list.push({ subject: subject('hub', 'ConfigMap', argoNamespace, g.generator.configMapRef) })
    // The hub itself is let in by mistake; an empty decision is the fault of the Placement whatever it is.
    for (const p of g.placements)
      if (lack.nothingDecided) list.push({ subject: p.placement.subject })
      else if (lack.clusters.includes(localName)) list.push({ subject: p.placement.subject, codes: ['FLT0109'] })
  }
  const { of } = fleet.join(registration)
  for (const cluster of lack.clusters) {
    list.push(
      { subject: subject('hub', 'ManagedCluster', '', cluster) },
      { subject: subject('hub', 'Secret', argoNamespace, `${cluster}-secret`) },
    )
    for (const r of of.get(registrationKey(argoNamespace, cluster)) ?? []) {
      list.push(
        { subject: subject('hub', 'ManagedServiceAccount', cluster, r.msa) },
        { subject: subject('hub', 'Secret', argoNamespace, `${cluster}-${r.msa}-cluster-secret`) },
        { subject: subject('hub', 'Secret', argoNamespace, `cluster-${cluster}`) },
        { subject: r.goc.subject },
      )
    }
    list.push({ subject: subject('hub', 'ManagedClusterAddOn', cluster, MSA_ADDON) })
  }
  return list
}

/** A secret that came after the last look at it: the ApplicationSet will see it at its next requeue. */
function waits(fleet: Fleet, link: AppSetLink, lack: Lack): boolean {
  const seconds = link.generators[0]?.generator.requeueAfterSeconds ?? REQUEUE
  const byName = fleet.join(clusterSecrets).byName
  return (
    lack.clusters.length > 0 &&
    lack.clusters.every(c => {
      // A cluster that has just joined has no secret yet.
      const newest =
        byName.get(registrationKey(link.argoNamespace, c))?.[0] ?? fleet.hub.of('ManagedCluster').get('', c)
      return newest?.meta.created !== undefined && !olderThan(fleet.now, newest.meta.created, seconds * SECOND)
    })
  )
}

export const appsetApplicationsMissing: Check = {
  code: 'FLT0301',
  slug: 'appset-applications-missing',
  title: 'Every ApplicationSet has an Application for each decided cluster',
  severity: 'error',
  category: 'generation',
  models: ['push', 'pull', 'agent'],
  needs: { hub: ['ApplicationSet', 'Application', 'PlacementDecision'] },
  uses: inputsOf({ hub: ['ManagedCluster'] }, appSets),
  whole: { hub: ['Application', 'PlacementDecision'] },
  perObject: ['Application'],
  docs: {
    why: 'An empty decision, or a decided cluster without a matching cluster secret, yields no parameters; the controller deletes what it does not generate and reports success. "Healthy but fewer Applications than decisions" is the most dangerous silent fault of the chain.',
    remedy:
      'Mend what is named as the cause: the Placement behind an empty decision, the missing cluster secret, or the ConfigMap of the generator. The Applications come back at the next requeue.',
    sources: ['push-pull 1.8, 5 (12)', 'argoproj/argo-cd:applicationset/generators/duck_type.go'],
  },
  *run(fleet) {
    for (const link of fleet.join(appSets).all) {
      const { appSet, owned } = link
      if (appSet.meta.deleting !== undefined || !appSet.hasStatus) continue
      // An error keeps what exists and is a finding of its own.
      if (condition(appSet, 'ErrorOccurred')?.status === 'True') continue
      const lack = lackOf(fleet, link)
      if (lack === undefined) continue
      const pending = waits(fleet, link, lack)
      const severity: Severity = pending ? 'info' : 'error'
      yield {
        subject: appSet.subject,
        severity,
        message: lack.nothingDecided
          ? `ApplicationSet "${appSet.meta.name}" generates no Application, because no cluster is decided, and reports success.`
          : `ApplicationSet "${appSet.meta.name}" ${pending ? 'has not yet generated' : 'generates no'} Application for ${names(lack.clusters)} and reports success.`,
        evidence: [
          conditionFact(appSet, 'ErrorOccurred'),
          fact(
            appSet,
            '',
            `${fleet.hub.isNarrow('Application') ? '' : `${count(owned.length, 'Application')} owned; `}decided: ${names([...new Set(link.generators.flatMap(g => [...g.clusters]))].sort())}`,
          ),
        ],
        effect: 'the workload of these clusters is gone or will not come, and nothing says so',
        fix: lack.nothingDecided
          ? 'mend the Placement that selects nothing'
          : `see why ${names(lack.clusters)} ${lack.clusters.length === 1 ? 'has' : 'have'} no usable cluster secret`,
        because: causesOf(fleet, link, lack),
        absent: absentOf(fleet, link),
        ...(lack.clusters.length > 0 ? { clusters: lack.clusters } : {}),
      }
    }
  },
}
