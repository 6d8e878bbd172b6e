import { appSets } from '../../fleet/joins/appsets.ts'
import { PULL_LABEL, PULL_NAMESPACE, PULL_TARGET, SKIP_RECONCILE } from '../../fleet/labels.ts'
import type { Application, ApplicationSet } from '../../fleet/records.ts'
import type { Check } from '../check.ts'
import { fact, names } from '../support.ts'
import { APPSET_NEEDS } from './appset-support.ts'

/** Marks that decide how an Application is delivered. */
const MARKS = [PULL_LABEL, PULL_TARGET, PULL_NAMESPACE, SKIP_RECONCILE]

function handMade(app: Application, { template, preservedKeys }: ApplicationSet): string[] {
  return MARKS.filter(
    key =>
      (key in app.meta.labels || key in app.meta.annotations) &&
      !(key in template.labels) &&
      !(key in template.annotations) &&
      !preservedKeys.includes(key),
  )
}

export const appsetAnnotationDropped: Check = {
  code: 'FLT0310',
  slug: 'appset-annotation-dropped',
  title: 'Delivery marks of generated Applications come from their template',
  severity: 'warning',
  category: 'generation',
  models: ['push', 'pull', 'agent'],
  needs: { hub: [...(APPSET_NEEDS.hub ?? []), 'Application'] },
  uses: appSets.inputs,
  docs: {
    why: 'The ApplicationSet controller resets labels and annotations of its Applications to the template at every reconcile. A mark that was set by hand works until then: skip-reconcile goes, and the hub reconciles a pull Application; the pull label goes, and nothing is propagated any more.',
    remedy: 'Put it into the template, or name it in `spec.preservedFields`.',
    sources: ['push-pull 1.8', 'failures in the field D-10'],
  },
  *run(fleet) {
    for (const { appSet, owned } of fleet.join(appSets).all) {
      if (appSet.hasTemplatePatch) continue
      const found = owned.flatMap(app => {
        const keys = handMade(app, appSet)
        return keys.length === 0 || app.meta.deleting !== undefined ? [] : [{ app, keys }]
      })
      const first = found[0]
      if (first === undefined) continue
      yield {
        subject: appSet.subject,
        message: `${names(
          found.map(f => `Application "${f.app.meta.name}"`),
          3,
        )} ${found.length === 1 ? 'carries' : 'carry'} ${names(first.keys)}, which the template of ApplicationSet "${appSet.meta.name}" does not have.`,
        evidence: found
          .slice(0, 5)
          .flatMap(f =>
            f.keys.map(key =>
              fact(f.app, `.metadata[${key}]`, f.app.meta.annotations[key] ?? f.app.meta.labels[key] ?? ''),
            ),
          ),
        effect: 'it is removed at the next reconcile of the ApplicationSet, and delivery changes with it',
        fix: 'put it into spec.template.metadata, or into spec.preservedFields',
        breaks: false,
      }
    }
  },
}
