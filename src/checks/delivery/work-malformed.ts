import { type Fleet, inputsOf } from '../../fleet/fleet.ts'
import type { AppLink } from '../../fleet/joins/applications.ts'
import { IN_CLUSTER_SERVER } from '../../fleet/joins/applications.ts'
import { appSetKey } from '../../fleet/joins/appsets.ts'
import { type WorkLink, works } from '../../fleet/joins/works.ts'
import { PULL_NAMESPACE } from '../../fleet/labels.ts'
import type { ManifestWork } from '../../fleet/records.ts'
import type { Check, Evidence } from '../check.ts'
import { fact, names } from '../support.ts'
import { hubApp, isCurrent, PULL_INPUTS } from './pull-support.ts'

const APPSET_LABEL = 'apps.open-cluster-management.io/application-set'

/** Kinds that the propagation controller puts into a ManifestWork, the first two since ACM 2.15 (push-pull.md 1.10). */
const WRITTEN = new Set(['Namespace', 'AppProject', 'Application'])

/**
 * What lies beside the Application and is not as the controller writes it: the Namespace of the Application, and its project
 * under the namespace that it has on the hub, unless that is the one called default.
 */
function besideFaults(fleet: Fleet, of: ManifestWork, project: string): Evidence[] {
  const found: Evidence[] = []
  const { manifests } = of
  const told = (kind: string, text: string): number => found.push(fact(of, `payload ${kind}`, text))
  const has = (kind: string): boolean => manifests.some(m => m.kind === kind)
  for (const { kind, name, namespace } of manifests) {
    if (!WRITTEN.has(kind)) told(kind, `${name}, which the controller does not write`)
    if (kind !== 'AppProject') continue
    const known = fleet.hub.of('AppProject').all.filter(p => p.meta.name === name)
    if (known.length > 0 && !known.some(p => p.meta.namespace === namespace))
      told(kind, `namespace ${namespace || 'absent'}, on the hub it is in ${names(known.map(p => p.meta.namespace))}`)
  }
  if (has('AppProject') && !has('Namespace')) told('Namespace', 'absent, although the project is there')
  if (has('Namespace') && !has('AppProject') && project !== '' && project !== 'default')
    told('AppProject', `absent, the Application needs ${project}`)
  return found
}

/** What a ManifestWork of either flavour has that this one has not (push-pull.md 1.10). */
function faults(fleet: Fleet, work: WorkLink, link: AppLink): Evidence[] {
  const of = work.work
  const { payload } = work
  if (payload === undefined) return [fact(of, '.spec.workload.manifests', 'no Application')]
  const found: Evidence[] = []
  if (payload.meta.name !== link.app.meta.name) found.push(fact(of, 'payload .metadata.name', payload.meta.name))
  const wanted = link.app.meta.annotations[PULL_NAMESPACE]
  if (wanted !== undefined && wanted !== '' && payload.meta.namespace !== wanted)
    found.push(fact(of, 'payload .metadata.namespace', `${payload.meta.namespace}, the annotation says ${wanted}`))
  const { server, name } = payload.destination
  if (server !== IN_CLUSTER_SERVER || name !== '')
    found.push(fact(of, 'payload .spec.destination', `server=${server || '-'} name=${name || '-'}`))
  const namespace = link.app.destination.namespace
  if (namespace !== '' && payload.destination.namespace !== namespace)
    found.push(
      fact(
        of,
        'payload .spec.destination.namespace',
        `${payload.destination.namespace || 'absent'}, the hub says ${namespace}`,
      ),
    )
  for (const { kind, name } of of.manifests) {
    const needed = kind === 'Namespace' ? payload.meta.namespace : kind === 'AppProject' ? payload.project : name
    if (name !== needed) found.push(fact(of, `payload ${kind}`, `${name}, the Application needs ${needed}`))
  }
  found.push(...besideFaults(fleet, of, payload.project))
  if (!of.asksFeedback) found.push(fact(of, '.spec.manifestConfigs[].feedbackRules', 'absent'))
  if (link.appSet !== undefined) {
    if (of.meta.labels[APPSET_LABEL] !== 'true')
      found.push(fact(of, `.metadata.labels[${APPSET_LABEL}]`, of.meta.labels[APPSET_LABEL] ?? 'absent'))
    if (work.appSetKey !== appSetKey(link.appSet.appSet))
      found.push(fact(of, '.metadata.annotations[hosting-applicationset]', work.appSetKey || 'absent'))
  }
  return found
}

export const workMalformed: Check = {
  code: 'FLT0608',
  slug: 'work-malformed',
  title: 'Pull ManifestWorks are as the propagation controller writes them',
  severity: 'warning',
  category: 'delivery',
  models: ['pull'],
  needs: { hub: ['Application', 'ManifestWork'] },
  uses: inputsOf(PULL_INPUTS, { hub: ['AppProject'] }),
  docs: {
    why: 'The propagation controller writes a ManifestWork when its Application changes, not when the work is changed by somebody else. One that was edited delivers another Application or another destination, reports no values, or is not counted in the report of its ApplicationSet, for as long as the Application stays as it is.',
    remedy: 'Touch the hub Application (an annotation will do): the whole ManifestWork is written anew.',
    sources: ['push-pull 1.10, 1.13'],
  },
  *run(fleet) {
    for (const work of fleet.join(works).all) {
      const link = hubApp(fleet, work)
      if (link === undefined || !isCurrent(link, work)) continue
      if (work.work.meta.deleting !== undefined || link.app.meta.deleting !== undefined) continue
      const found = faults(fleet, work, link)
      if (found.length === 0) continue
      yield {
        subject: work.work.subject,
        message: `ManifestWork "${work.work.meta.name}" in namespace "${work.cluster}" is not what Application "${link.app.meta.name}" makes: ${found.map(f => `${f.path} ${f.value}`).join('; ')}.`,
        evidence: found,
        effect: 'the cluster gets something else than the hub says, or what it reports does not come back',
        fix: `touch Application ${link.app.meta.namespace}/${link.app.meta.name} on the hub: the ManifestWork is written anew`,
        because: [
          { subject: work.work.subject },
          { subject: link.app.subject },
          ...(link.appSet === undefined ? [] : [{ subject: link.appSet.appSet.subject }]),
        ],
        clusters: [work.cluster],
        breaks: false,
      }
    }
  },
}
