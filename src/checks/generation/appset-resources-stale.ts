import { appSets } from '../../fleet/joins/appsets.ts'
import type { Check } from '../check.ts'
import { fact, names } from '../support.ts'

export const appsetResourcesStale: Check = {
  code: 'FLT0314',
  slug: 'appset-resources-stale',
  title: 'The status of every ApplicationSet lists the Applications that it owns',
  severity: 'info',
  category: 'generation',
  models: ['push', 'pull', 'agent'],
  needs: { hub: ['ApplicationSet', 'Application'] },
  uses: appSets.inputs,
  whole: { hub: ['Application'] },
  docs: {
    why: '`status.resources` of an ApplicationSet is written after each reconcile. When it names other Applications than those that carry its owner reference, one of them is out of date: Applications were removed or orphaned behind its back, or the controller has not come round since.',
    remedy: 'Look again after three minutes (the requeue). If it stays, look at the ApplicationSet controller.',
    sources: ['push-pull 1.8'],
  },
  *run(fleet) {
    for (const { appSet, ownedByKey: have } of fleet.join(appSets).all) {
      if (appSet.resources.length === 0 || appSet.meta.deleting !== undefined) continue
      const listed = new Set(appSet.resources.map(r => `${r.namespace || appSet.meta.namespace}/${r.name}`))
      const gone = [...listed].filter(key => !have.has(key))
      if (gone.length === 0) continue
      yield {
        subject: appSet.subject,
        message: `ApplicationSet "${appSet.meta.name}" still lists ${names(gone)}, which it does not own${gone.length === listed.size ? ' (none of what it lists)' : ''}.`,
        evidence: [
          fact(appSet, '.status.resources', names([...listed])),
          fact(appSet, '', `owned: ${names([...have.keys()])}`),
        ],
        effect: 'lists that are taken from its status show Applications that are not there',
        fix: 'look again after the requeue; if it stays, look at the ApplicationSet controller',
        because: [{ subject: appSet.subject }],
        breaks: false,
      }
    }
  },
}
