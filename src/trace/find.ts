import { EXIT, FleetctlError, UsageError } from '../errors.ts'
import type { Fleet } from '../fleet/fleet.ts'
import { applications } from '../fleet/joins/applications.ts'
import { type AppSetLink, appSets, renderFor } from '../fleet/joins/appsets.ts'
import { clusters } from '../fleet/joins/clusters.ts'
import { AGENT_NAME, clusterSecrets, registrationKey } from '../fleet/joins/registration.ts'
import { reports } from '../fleet/joins/reports.ts'
import { type Way, wayOf } from '../fleet/joins/ways.ts'
import { works } from '../fleet/joins/works.ts'
import { PULL_LABEL, PULL_TARGET } from '../fleet/labels.ts'
import { subject } from '../fleet/subject.ts'
import { meantInstead } from './suggest.ts'

/** Nothing knows the name that the user gave. */
export class UnknownNameError extends UsageError {}

/** What the user asked for. */
export interface AppRef {
  readonly namespace?: string
  readonly name: string
  /** Clusters that it may go to; absent: any. */
  readonly spokes?: readonly string[]
}

/** The way of an Application, and, for one that is not there, what still knows of it. */
export interface FoundWay {
  readonly way: Way
  readonly remembered: string
}

type Model = Way['model']

/** How Applications of a template are delivered, told from the template alone. */
function templateModel(fleet: Fleet, { appSet, argoNamespace }: AppSetLink, cluster: string): Model {
  const { labels, annotations } = appSet.template
  if (PULL_LABEL in labels || PULL_TARGET in annotations) return 'pull'
  const secrets = fleet.join(clusterSecrets).byName.get(registrationKey(argoNamespace, cluster)) ?? []
  return secrets.some(s => AGENT_NAME in s.meta.labels) ? 'agent' : 'push'
}

/** The way of an Application that an ApplicationSet would generate for a cluster. */
export function generatedWay(fleet: Fleet, link: AppSetLink, cluster: string, name: string, namespace: string): Way {
  return {
    key: `${namespace}/${name}`,
    subject: { ...subject('hub', 'Application', namespace, name), missing: true },
    link: undefined,
    appSet: link,
    cluster,
    model: templateModel(fleet, link, cluster),
    argoNamespace: link.argoNamespace,
  }
}

/** Clusters for which an ApplicationSet may have generated: all that the hub manages, for the decision may be empty by now. */
function candidates(fleet: Fleet): readonly string[] {
  return [...fleet.join(clusters).byName.keys()].sort()
}

function fromTemplates(fleet: Fleet, ref: AppRef): FoundWay[] {
  const found: FoundWay[] = []
  for (const link of fleet.join(appSets).all) {
    for (const cluster of candidates(fleet)) {
      const rendered = renderFor(fleet, link, cluster)
      if (rendered?.name !== ref.name || (ref.namespace !== undefined && rendered.namespace !== ref.namespace)) continue
      const decided = link.generators.some(g => g.clusters.has(cluster))
      found.push({
        way: generatedWay(fleet, link, cluster, ref.name, rendered.namespace),
        remembered: `ApplicationSet ${link.appSet.meta.name} ${decided ? 'should generate it' : `would generate it if ${cluster} were decided`}`,
      })
    }
  }
  return found
}

function remembered(fleet: Fleet, ref: AppRef, key: string, cluster: string, appSetKey: string, by: string): FoundWay {
  const [namespace = '', name = ''] = key.split('/')
  const link = fleet.join(appSets).byKey.get(appSetKey)
  return {
    way: {
      key,
      subject: { ...subject('hub', 'Application', namespace, name), missing: true },
      link: undefined,
      appSet: link,
      cluster,
      model: 'pull',
      argoNamespace: link?.argoNamespace ?? ref.namespace ?? namespace,
    },
    remembered: by,
  }
}

/** ManifestWorks and reports go on naming an Application that is gone. */
function fromTraces(fleet: Fleet, ref: AppRef): FoundWay[] {
  const matches = (key: string): boolean => key === `${ref.namespace ?? key.split('/')[0]}/${ref.name}`
  const found: FoundWay[] = []
  for (const w of fleet.join(works).all) {
    if (matches(w.appKey))
      found.push(
        remembered(
          fleet,
          ref,
          w.appKey,
          w.cluster,
          w.appSetKey,
          `ManifestWork ${w.cluster}/${w.work.meta.name} was made from it`,
        ),
      )
  }
  if (found.length > 0) return found
  for (const e of fleet.join(reports).entries) {
    if (!matches(e.appKey)) continue
    const set = `${e.report.meta.namespace}/${e.report.meta.name}`
    found.push(remembered(fleet, ref, e.appKey, e.entry.cluster, set, `report ${e.report.meta.name} still lists it`))
  }
  return found
}

/**
 * The way of the Application that a user names: an existing one, else one that an ApplicationSet would make, or that a
 * ManifestWork or a report remembers.
 *
 * @throws UnknownNameError when nothing knows the name, UsageError when several Applications have it.
 */
export function findWay(fleet: Fleet, ref: AppRef): FoundWay {
  const fits = (way: Way): boolean => ref.spokes === undefined || ref.spokes.includes(way.cluster)
  const existing = fleet
    .join(applications)
    .all.filter(
      l => l.app.meta.name === ref.name && (ref.namespace === undefined || l.app.meta.namespace === ref.namespace),
    )
    .map(l => ({ way: wayOf(l), remembered: '' }))
  const spoken = existing.filter(f => fits(f.way))
  if (existing.length > 0) return only(ref, spoken.length > 0 ? spoken : existing)
  const others = [...fromTemplates(fleet, ref), ...fromTraces(fleet, ref)].filter(f => fits(f.way))
  const first = others[0]
  if (first === undefined) {
    const where = ref.namespace === undefined ? '' : ` in namespace "${ref.namespace}"`
    const coverage = fleet.hub.coverage('Application')
    if (coverage.state === 'not-served')
      throw new UsageError(
        `the hub has no Argo CD (it does not serve applications.argoproj.io), so there is no Application "${ref.name}"${where}`,
      )
    if (coverage.state === 'refused')
      throw new FleetctlError(`cannot look for Application "${ref.name}"${where}: ${coverage.reason}`, EXIT.incomplete)
    throw new UnknownNameError(
      `no Application called "${ref.name}"${where} is known to the hub, nor to an ApplicationSet, a ManifestWork or a report${meantInstead(fleet, 'app', ref.name)}`,
    )
  }
  const keys = new Set(others.map(f => f.way.key))
  return keys.size > 1 ? only(ref, others) : first
}

function only(ref: AppRef, found: readonly FoundWay[]): FoundWay {
  const [first, second] = found
  if (first !== undefined && second === undefined) return first
  const list = [...new Set(found.map(f => f.way.key))].sort().join(', ')
  throw new UsageError(`"${ref.name}" is ambiguous: ${list} (give NAMESPACE/NAME)`)
}
