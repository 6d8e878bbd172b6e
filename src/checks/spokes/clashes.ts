import { defineJoin } from '../../fleet/fleet.ts'
import { type Reconciled, reconciled } from '../../fleet/joins/reconciled.ts'
import { getOrAdd, groupBy, pushTo } from '../../fleet/maps.ts'
import type { Application, ResourceStatus } from '../../fleet/records.ts'
import type { Subject } from '../../fleet/subject.ts'

/** Two Applications that claim the same objects on one cluster. */
interface Clash {
  readonly a: Reconciled
  readonly b: Reconciled
  readonly target: string
  readonly objects: string[]
}

/** All clashes between the same two owners (ApplicationSets, or Applications without one). */
interface OwnerClash {
  /** The owner that came last, which made the clash. */
  readonly last: Reconciled
  readonly other: Reconciled
  readonly all: readonly Clash[]
  /** The object to name: the ApplicationSet that came last, or its Application. */
  readonly subject: Subject
}

interface Clashes {
  readonly all: readonly OwnerClash[]
  readonly byApp: ReadonlyMap<Application, OwnerClash>
}

/** Applications of one ApplicationSet often share the list of their resources. */
const KEYS = new WeakMap<ResourceStatus, string>()

function keyOf(o: ResourceStatus): string {
  const known = KEYS.get(o)
  if (known !== undefined) return known
  const key = `${o.group}/${o.kind}/${o.namespace}/${o.name}`
  KEYS.set(o, key)
  return key
}

function claimedTwice(target: string, list: readonly Reconciled[]): Clash[] {
  const claims = new Map<string, Reconciled[]>()
  for (const r of list) {
    for (const o of r.app.resources) {
      if (!o.hook && o.status !== '') pushTo(claims, keyOf(o), r)
    }
  }
  const pairs = new Map<string, Clash>()
  for (const [key, owners] of claims) {
    const [a, b] = owners
    if (a === undefined || b === undefined) continue
    const id = `${a.at}/${a.app.meta.namespace}/${a.app.meta.name} ${b.at}/${b.app.meta.namespace}/${b.app.meta.name}`
    const [, kind, namespace, name] = key.split('/')
    getOrAdd(pairs, id, () => ({ a, b, target, objects: [] })).objects.push(
      `${kind} ${namespace === '' ? '' : `${namespace}/`}${name}`,
    )
  }
  return [...pairs.values()]
}

export function ownerText(r: Reconciled): string {
  const set = r.appSet?.appSet.meta.name
  return set === undefined ? `Application ${r.app.meta.name}` : `ApplicationSet ${set}`
}

function born(r: Reconciled): number {
  return r.appSet?.appSet.meta.created ?? r.hub?.app.meta.created ?? r.app.meta.created ?? 0
}

export const clashes = defineJoin<Clashes>(reconciled.inputs, fleet => {
  const found: Clash[] = []
  for (const [target, list] of groupBy(fleet.join(reconciled), r => r.target)) {
    if (target !== '') found.push(...claimedTwice(target, list))
  }
  const owners = groupBy(found, ({ a, b }) => [ownerText(a), ownerText(b)].sort().join(' '))
  const all: OwnerClash[] = []
  const byApp = new Map<Application, OwnerClash>()
  for (const list of owners.values()) {
    const first = list[0]
    if (first === undefined) continue
    const [last, other] = born(first.a) > born(first.b) ? [first.a, first.b] : [first.b, first.a]
    const clash: OwnerClash = {
      last,
      other,
      all: list,
      subject: last.appSet?.appSet.subject ?? last.hub?.app.subject ?? last.app.subject,
    }
    all.push(clash)
    for (const { a, b } of list) {
      byApp.set(a.app, clash)
      byApp.set(b.app, clash)
    }
  }
  return { all, byApp }
})
