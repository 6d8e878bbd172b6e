import { applications } from '../../fleet/joins/applications.ts'
import { groupBy } from '../../fleet/maps.ts'
import { missing, subject } from '../../fleet/subject.ts'
import type { Check } from '../check.ts'
import { count, fact, names } from '../support.ts'

export const appOwnerMissing: Check = {
  code: 'FLT0416',
  slug: 'app-owner-missing',
  title: 'The ApplicationSet of every generated Application exists',
  severity: 'warning',
  category: 'applications',
  models: ['push', 'pull', 'agent'],
  needs: { hub: ['Application', 'ApplicationSet'] },
  uses: applications.inputs,
  whole: { hub: ['ApplicationSet'] },
  docs: {
    why: 'When an ApplicationSet is deleted, or recreated under its name with a new uid, the garbage collector deletes its Applications, and their finalizer the workload. For pull the aggregation controller deletes the ManifestWorks as well. `applicationsSync: create-update` does not protect against it.',
    remedy:
      'If it was not meant: remove the owner reference from the Applications at once (or the finalizer, so that the workload stays). Delete an ApplicationSet with `--cascade=orphan` to keep its Applications.',
    sources: ['push-pull 1.14', 'failures in the field D-6'],
  },
  *run(fleet) {
    const left = fleet
      .join(applications)
      .all.filter(l => l.owner !== undefined && l.appSet === undefined && l.app.meta.deleting === undefined)
    for (const list of groupBy(left, l => `${l.app.meta.namespace}/${l.owner?.name ?? ''}`).values()) {
      const first = list[0]
      if (first?.owner === undefined) continue
      const { namespace } = first.app.meta
      const { name } = first.owner
      const other = fleet.hub.of('ApplicationSet').get(namespace, name)
      const at = subject('hub', 'ApplicationSet', namespace, name)
      const workload = list.filter(l => l.app.meta.finalizers.some(f => f.startsWith('resources-finalizer')))
      yield {
        subject: other === undefined ? missing(at) : at,
        message: `${names(
          list.map(l => `Application "${l.app.meta.name}"`),
          3,
        )} belong${list.length === 1 ? 's' : ''} to ApplicationSet "${name}", which ${other === undefined ? 'does not exist' : 'is another one now (its uid differs)'}.`,
        evidence: [
          fact(first.app, '.metadata.ownerReferences', `ApplicationSet ${name}, uid ${first.owner.uid}`),
          ...(other === undefined
            ? [fact(missing(at), '', 'does not exist')]
            : [fact(other, '.metadata.uid', other.meta.uid)]),
          ...workload.slice(0, 5).map(l => fact(l.app, '.metadata.finalizers', names(l.app.meta.finalizers))),
        ],
        effect: `the garbage collector deletes ${count(list.length, 'Application')}${workload.length > 0 ? ' with the workload' : ''}`,
        fix: 'to keep them remove metadata.ownerReferences from the Applications at once; to let them go do nothing',
        because: list.map(l => ({ subject: l.app.subject })),
        breaks: false,
        through: list.map(l => l.app.subject),
      }
    }
  },
}
