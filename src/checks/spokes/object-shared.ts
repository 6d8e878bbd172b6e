import { type Reconciled, reconciled } from '../../fleet/joins/reconciled.ts'
import { getOrAdd, groupBy, pushTo } from '../../fleet/maps.ts'
import type { Check } from '../check.ts'
import { fact, names } from '../support.ts'

interface Clash {
  readonly a: Reconciled
  readonly b: Reconciled
  readonly objects: string[]
}

/** Pairs of Applications that claim one object on one cluster. */
function clashes(list: readonly Reconciled[]): Clash[] {
  const claims = new Map<string, Reconciled[]>()
  for (const r of list) {
    for (const o of r.app.resources) {
      if (o.hook || o.status === '') continue
      pushTo(claims, `${o.group}/${o.kind}/${o.namespace}/${o.name}`, r)
    }
  }
  const pairs = new Map<string, Clash>()
  for (const [key, owners] of claims) {
    const [a, b] = owners
    if (a === undefined || b === undefined) continue
    const id = `${a.at}/${a.app.meta.namespace}/${a.app.meta.name} ${b.at}/${b.app.meta.namespace}/${b.app.meta.name}`
    const [, kind, namespace, name] = key.split('/')
    getOrAdd(pairs, id, () => ({ a, b, objects: [] })).objects.push(
      `${kind} ${namespace === '' ? '' : `${namespace}/`}${name}`,
    )
  }
  return [...pairs.values()]
}

/** The Application that came last made the clash. */
function newer({ a, b }: Clash): Reconciled {
  const time = (r: Reconciled): number =>
    r.appSet?.appSet.meta.created ?? r.hub?.app.meta.created ?? r.app.meta.created ?? 0
  return time(a) > time(b) ? a : b
}

function ownerText(r: Reconciled): string {
  const set = r.appSet?.appSet.meta.name
  return set === undefined ? `Application ${r.app.meta.name}` : `ApplicationSet ${set}`
}

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
    const bySubject = new Map<string, { clash: Clash; last: Reconciled; targets: string[]; all: Clash[] }>()
    for (const [target, list] of groupBy(fleet.join(reconciled), r => r.target)) {
      if (target === '') continue
      for (const clash of clashes(list)) {
        const last = newer(clash)
        const key = `${ownerText(clash.a)} ${ownerText(clash.b)}`
        const entry = getOrAdd(bySubject, key, () => ({ clash, last, targets: [], all: [] }))
        entry.targets.push(target)
        entry.all.push(clash)
      }
    }
    for (const { clash, last, targets, all } of bySubject.values()) {
      const other = last === clash.a ? clash.b : clash.a
      const subjectOf = last.appSet?.appSet.subject ?? last.hub?.app.subject ?? last.app.subject
      yield {
        subject: subjectOf,
        breaks: true,
        message: `${ownerText(last)} deploys objects on ${names([...new Set(targets)].sort())} that ${ownerText(other)} deploys too: ${names([...new Set(all.flatMap(c => c.objects))], 3)}.`,
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
        because: [clash.a, clash.b].flatMap(r =>
          r.hub?.model === 'pull' && r.at === 'hub' && r.appSet !== undefined
            ? [{ subject: r.appSet.appSet.subject, codes: ['FLT0304'] }]
            : [],
        ),
        through: all.flatMap(c =>
          [c.a, c.b].flatMap(r => [r.app.subject, ...(r.hub === undefined ? [] : [r.hub.app.subject])]),
        ),
        clusters: [...new Set(targets)],
      }
    }
  },
}
