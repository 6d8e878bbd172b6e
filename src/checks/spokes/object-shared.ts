import { reconciled } from '../../fleet/joins/reconciled.ts'
import type { Check } from '../check.ts'
import { fact, names } from '../support.ts'
import { clashes, ownerText } from './clashes.ts'

export const objectShared: Check = {
  code: 'FLT0510',
  slug: 'object-shared',
  title: 'No object on a cluster is claimed by two Applications',
  severity: 'warning',
  category: 'spokes',
  models: ['push', 'pull', 'agent', 'local'],
  needs: { hub: ['Application'] },
  uses: reconciled.inputs,
  docs: {
    why: 'Two Applications, possibly of two Argo CDs and two delivery models, deploy the same object. With self-heal each takes it back from the other: both flap between Synced and OutOfSync. `SharedResourceWarning` comes and goes, because whoever wrote last has none; the lists of resources tell it steadily.',
    remedy: 'Let one ApplicationSet deliver the object. Two models for one workload on one cluster never work.',
    sources: ['push-pull 3, 7.2 (X01)', 'seen on running controllers: 1.9'],
  },
  *run(fleet) {
    for (const { last, other, all, subject } of fleet.join(clashes).all) {
      const targets = [...new Set(all.map(c => c.target))].sort()
      const apps = all.flatMap(c => [c.a, c.b])
      yield {
        subject,
        breaks: true,
        message: `${ownerText(last)} deploys objects on ${names(targets)} that ${ownerText(other)} deploys too: ${names([...new Set(all.flatMap(c => c.objects))], 3)}.`,
        evidence: all.slice(0, 5).flatMap(c => [
          fact(c.a.app, '.status.resources', names(c.objects, 3)),
          fact(c.b.app, '.status.resources', names(c.objects, 3)),
          ...[c.a, c.b].flatMap(r =>
            r.app.conditions
              .filter(x => x.type === 'SharedResourceWarning')
              .slice(0, 1)
              .map(x => fact(r.app, '.status.conditions[SharedResourceWarning]', x.message)),
          ),
        ]),
        effect: 'the two overwrite each other; both flap between Synced and OutOfSync',
        fix: `remove the objects from one of ${ownerText(last)} and ${ownerText(other)}`,
        because: [last, other].flatMap(r =>
          r.hub?.model === 'pull' && r.at === 'hub' && r.appSet !== undefined
            ? [{ subject: r.appSet.appSet.subject, codes: ['FLT0304'] }]
            : [],
        ),
        through: apps.flatMap(r => [r.app.subject, ...(r.hub === undefined ? [] : [r.hub.app.subject])]),
        clusters: targets,
      }
    }
  },
}
