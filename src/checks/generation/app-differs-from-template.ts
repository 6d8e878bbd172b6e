import type { Fleet } from '../../fleet/fleet.ts'
import { type AppSetLink, appSets } from '../../fleet/joins/appsets.ts'
import { condition } from '../../fleet/joins/clusters.ts'
import { clusterSecrets, registrationKey } from '../../fleet/joins/registration.ts'
import { PULL_LABEL, PULL_NAMESPACE, PULL_TARGET, SKIP_RECONCILE } from '../../fleet/labels.ts'
import type { Application } from '../../fleet/records.ts'
import { hasTemplate, type Params, render } from '../../fleet/render.ts'
import type { Check, Evidence } from '../check.ts'
import { conditionFact, fact, names } from '../support.ts'
import { APPSET_NEEDS, renderedFor } from './appset-support.ts'

/** Labels and annotations that decide how an Application is delivered. */
const MARKS = [PULL_LABEL, PULL_TARGET, PULL_NAMESPACE, SKIP_RECONCILE]

/** Under this policy the controller does not touch what it has created. */
const CREATE_ONLY = new Set(['create-only', 'create-delete'])

/** Where an Application is not what its template makes of its cluster; what cannot be rendered here is left out. */
function differences({ appSet }: AppSetLink, app: Application, params: Params): Evidence[] {
  const { template } = appSet
  const make = (text: string): string | undefined => {
    const made = text.includes('{{') ? render(text, params, appSet.goTemplate) : text
    // A parameter that is not known here, such as the server where no Secret may be read, says nothing of the Application.
    return made === undefined || hasTemplate(made) ? undefined : made
  }
  const found: Evidence[] = []
  const compare = (path: string, template: string, is: string, i?: number): void => {
    const wanted = make(template)
    if (wanted === undefined || wanted === is) return
    const at = i === undefined ? path : `.spec.source[${i}]${path}`
    found.push(fact(app, at, `${is || 'absent'}, the template says ${wanted || 'nothing'}`))
  }
  compare('.spec.project', template.project, app.project)
  compare('.spec.destination.server', template.destination.server, app.destination.server)
  compare('.spec.destination.name', template.destination.name, app.destination.name)
  compare('.spec.destination.namespace', template.destination.namespace, app.destination.namespace)
  for (const [i, source] of template.sources.entries()) {
    const other = app.sources[i]
    compare('.repoURL', source.repoURL, other?.repoURL ?? '', i)
    compare('.path', source.path, other?.path ?? '', i)
    compare('.targetRevision', source.targetRevision, other?.targetRevision ?? '', i)
  }
  for (const key of MARKS) {
    const wanted = template.labels[key] ?? template.annotations[key]
    const text = wanted === undefined ? undefined : make(wanted)
    const is = app.meta.labels[key] ?? app.meta.annotations[key]
    if (text !== undefined && text !== is)
      found.push(fact(app, `.metadata[${key}]`, `${is ?? 'absent'}, the template says ${text}`))
  }
  const prunes = app.meta.finalizers.some(f => f.startsWith('resources-finalizer'))
  if (!prunes && !appSet.preserveResourcesOnDeletion && template.finalizers.length === 0)
    found.push(
      fact(
        app,
        '.metadata.finalizers',
        'resources-finalizer.argocd.argoproj.io is absent: a deletion leaves the workload',
      ),
    )
  for (const option of template.syncPolicy.syncOptions) {
    if (option.includes('{{') || app.syncPolicy.syncOptions.includes(option)) continue
    found.push(fact(app, '.spec.syncPolicy.syncOptions', `the template has ${option}, the Application has not`))
  }
  if (!template.syncPolicy.syncOptions.some(option => option.includes('{{'))) {
    for (const option of app.syncPolicy.syncOptions) {
      if (template.syncPolicy.syncOptions.includes(option)) continue
      found.push(fact(app, '.spec.syncPolicy.syncOptions', `the Application has ${option}, the template has not`))
    }
  }
  const { automated, prune, selfHeal } = template.syncPolicy
  const own = app.syncPolicy
  if (automated !== own.automated || prune !== own.prune || selfHeal !== own.selfHeal)
    found.push(
      fact(
        app,
        '.spec.syncPolicy.automated',
        `enabled=${own.automated} prune=${own.prune} selfHeal=${own.selfHeal}, the template says enabled=${automated} prune=${prune} selfHeal=${selfHeal}`,
      ),
    )
  return found
}

function judged(fleet: Fleet, link: AppSetLink): boolean {
  const { appSet } = link
  return (
    appSet.meta.deleting === undefined &&
    !appSet.ignoresDifferences &&
    !appSet.hasTemplatePatch &&
    !CREATE_ONLY.has(appSet.applicationsSync) &&
    // An error keeps everything as it was, and is a finding of its own.
    condition(appSet, 'ErrorOccurred')?.status !== 'True' &&
    renderedFor(fleet, link).length > 0
  )
}

export const appDiffersFromTemplate: Check = {
  code: 'FLT0317',
  slug: 'app-differs-from-template',
  title: 'Generated Applications are what their template says',
  severity: 'warning',
  category: 'generation',
  models: ['push', 'pull', 'agent'],
  needs: { hub: [...(APPSET_NEEDS.hub ?? []), 'Application'] },
  uses: appSets.inputs,
  docs: {
    why: 'The controller writes every change of the template into the Applications within seconds, and takes back what was edited by hand. An Application that differs is about to be changed back, or the controller does not run, and then no change of the template arrives anywhere.',
    remedy:
      'Edit the template, not the Application. If the difference stays for minutes, look at the ApplicationSet controller.',
    sources: ['push-pull 1.8'],
  },
  *run(fleet) {
    const { byName } = fleet.join(clusterSecrets)
    for (const link of fleet.join(appSets).all) {
      if (!judged(fleet, link)) continue
      const found = renderedFor(fleet, link).flatMap(made => {
        const app = link.ownedByKey.get(made.key)
        if (app === undefined || app.meta.deleting !== undefined) return []
        // With two secrets of one name nobody can tell which server the generator hands out.
        if ((byName.get(registrationKey(link.argoNamespace, made.cluster))?.length ?? 0) > 1) return []
        const evidence = differences(link, app, made.params)
        return evidence.length === 0 ? [] : [{ app, evidence }]
      })
      if (found.length === 0) continue
      yield {
        subject: link.appSet.subject,
        message: `${names(
          found.map(f => `Application "${f.app.meta.name}"`),
          3,
        )} ${found.length === 1 ? 'is' : 'are'} not what the template of ApplicationSet "${link.appSet.meta.name}" says.`,
        evidence: [
          ...found.slice(0, 4).flatMap(f => f.evidence.slice(0, 3)),
          conditionFact(link.appSet, 'ResourcesUpToDate'),
        ],
        effect: 'it is changed back at the next reconcile; if it is not, no change of the template arrives',
        fix: 'edit the template; if the difference stays, look at the ApplicationSet controller',
        because: [{ subject: link.appSet.subject }, ...found.map(f => ({ subject: f.app.subject }))],
        breaks: false,
        through: found.map(f => f.app.subject),
      }
    }
  },
}
