import type { Check } from '../check.ts'
import { fact } from '../support.ts'

export const destinationAmbiguous: Check = {
  code: 'FLT0407',
  slug: 'destination-ambiguous',
  title: 'Every Application names its cluster by name or by server, not by both',
  severity: 'error',
  category: 'applications',
  models: ['push', 'agent', 'local'],
  needs: { hub: ['Application', 'ApplicationSet'] },
  docs: {
    why: 'Argo CD refuses a destination with both `name` and `server`. In an ApplicationSet one such Application stops the whole set.',
    remedy: 'Remove one of the two; `name` survives changes of the URL.',
    sources: ['push-pull 1.8', 'argoproj/argo-cd:util/argo/argo.go'],
  },
  *run(fleet) {
    const owners = [
      ...fleet.hub
        .of('ApplicationSet')
        .all.map(s => ({ of: s, destination: s.template.destination, path: '.spec.template.spec.destination' })),
      ...fleet.hub
        .of('Application')
        .all.filter(a => !a.meta.owners.some(o => o.kind === 'ApplicationSet') && a.meta.deleting === undefined)
        .map(a => ({ of: a, destination: a.destination, path: '.spec.destination' })),
    ]
    for (const { of, destination, path } of owners) {
      if (destination.name === '' || destination.server === '') continue
      yield {
        subject: of.subject,
        message: `${of.subject.kind} "${of.meta.name}" gives its destination by name "${destination.name}" and by server "${destination.server}".`,
        evidence: [fact(of, `${path}.name`, destination.name), fact(of, `${path}.server`, destination.server)],
        effect: 'Argo CD refuses it; an ApplicationSet generates nothing at all',
        fix: `remove server from ${path.slice(1)}`,
      }
    }
  },
}
