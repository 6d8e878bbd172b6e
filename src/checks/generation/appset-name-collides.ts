import type { Fleet } from '../../fleet/fleet.ts'
import { type AppSetLink, appSetKey, appSets, placeOf } from '../../fleet/joins/appsets.ts'
import { condition } from '../../fleet/joins/clusters.ts'
import { getOrAdd } from '../../fleet/maps.ts'
import type { Check } from '../check.ts'
import { conditionFact, fact, names } from '../support.ts'
import { APPSET_NEEDS, renderedFor } from './appset-support.ts'

interface Clash {
  readonly late: AppSetLink
  readonly early: AppSetLink
  readonly names: string[]
}

/** Names, as `namespace/name`, that several ApplicationSets generate. A list is made only for those: the others are many. */
function claimedByMany(fleet: Fleet): ReadonlyMap<string, readonly AppSetLink[]> {
  const makers = new Map<string, AppSetLink>()
  const many = new Map<string, AppSetLink[]>()
  for (const link of fleet.join(appSets).all) {
    for (const { key } of renderedFor(fleet, link)) {
      const first = makers.get(key)
      if (first === undefined) makers.set(key, link)
      else if (first !== link) {
        const list = getOrAdd(many, key, () => [first])
        if (!list.includes(link)) list.push(link)
      }
    }
  }
  return many
}

export const appsetNameCollides: Check = {
  code: 'FLT0306',
  slug: 'appset-name-collides',
  title: 'No two ApplicationSets generate Applications of one name',
  severity: 'warning',
  category: 'generation',
  models: ['push', 'pull', 'agent'],
  needs: APPSET_NEEDS,
  uses: appSets.inputs,
  docs: {
    why: 'An Application belongs to one ApplicationSet. A second one that generates the same name in the same namespace fails with "already owned by another ApplicationSet controller" and then changes none of its Applications. Which of the two comes first is chance after a restore. A hand-made Application of that name is adopted without a word.',
    remedy:
      'Put something of the ApplicationSet into the name, e.g. a prefix. A new name is a new Application: the old one is deleted with its workload unless resources are preserved.',
    sources: ['push-pull 1.8, 7.2 (A04)'],
  },
  *run(fleet) {
    const clashes = new Map<string, Clash>()
    for (const [key, list] of claimedByMany(fleet)) {
      // Whoever has the Application keeps it; the others come too late, however old they are.
      const [early, ...rest] = [...list].sort(
        (a, b) =>
          Number(b.ownedByKey.has(key)) - Number(a.ownedByKey.has(key)) ||
          (a.appSet.meta.created ?? 0) - (b.appSet.meta.created ?? 0) ||
          (appSetKey(a.appSet) < appSetKey(b.appSet) ? -1 : 1),
      )
      for (const late of rest) {
        if (early === undefined) continue
        getOrAdd(clashes, `${appSetKey(early.appSet)} ${appSetKey(late.appSet)}`, () => ({
          early,
          late,
          names: [],
        })).names.push(key)
      }
    }
    for (const { early, late, names: keys } of clashes.values()) {
      const error = condition(late.appSet, 'ErrorOccurred')
      const refused = error?.status === 'True' && error.message.includes('already owned by another ApplicationSet')
      const lacks =
        late.appSet.hasStatus &&
        keys.some(key => !late.ownedByKey.has(key) && fleet.hub.knows('Application', ...placeOf(key)))
      yield {
        subject: late.appSet.subject,
        severity: refused || lacks ? 'error' : 'warning',
        message: `ApplicationSets "${early.appSet.meta.name}" and "${late.appSet.meta.name}" both generate ${names(keys, 3)}.`,
        evidence: [
          fact(early.appSet, '.spec.template.metadata.name', early.appSet.template.name),
          fact(late.appSet, '.spec.template.metadata.name', late.appSet.template.name),
          conditionFact(late.appSet, 'ErrorOccurred'),
        ],
        effect: 'the second one fails as a whole; which is the second may change',
        fix: `give the Applications of ${late.appSet.meta.name} names of their own (a prefix in spec.template.metadata.name)`,
        breaks: refused || lacks,
      }
    }
  },
}
