import { KINDS, type KindName } from '../kinds.ts'
import type { Base, Condition, LabelExpression, LabelSelector, Meta, OwnerRef } from '../records.ts'
import type { Fields } from './fields.ts'
import { orEmpty, repeatedList } from './repeated.ts'

const NO_OWNERS: readonly OwnerRef[] = []

const keptOwners = repeatedList<OwnerRef>(
  (a, b) =>
    a.uid === b.uid &&
    a.name === b.name &&
    a.kind === b.kind &&
    a.apiVersion === b.apiVersion &&
    a.controller === b.controller,
)

const keptNames = repeatedList<string>((a, b) => a === b)

function projectMeta(object: Fields): Meta {
  const m = object.obj('metadata')
  const owners = m.objs('ownerReferences').map(o => ({
    apiVersion: o.word('apiVersion'),
    kind: o.word('kind'),
    name: o.word('name'),
    uid: o.word('uid'),
    controller: o.bool('controller') ?? false,
  }))
  return {
    namespace: m.word('namespace'),
    name: m.str('name'),
    uid: m.str('uid'),
    generation: m.num('generation') ?? 0,
    labels: m.map('labels'),
    annotations: m.map('annotations'),
    finalizers: keptNames(m.strs('finalizers')),
    owners: owners.length === 0 ? NO_OWNERS : keptOwners(owners),
    created: m.time('creationTimestamp'),
    deleting: m.time('deletionTimestamp'),
  }
}

/**
 * What every record has. To be copied field by field: an object literal that spreads another gets a hidden class of its own in
 * V8, one for each record, which makes reading it several times slower and larger.
 */
export function projectBase(cluster: string, kind: KindName, object: Fields): Base {
  const meta = projectMeta(object)
  return {
    subject: { cluster, group: KINDS[kind].group, kind, namespace: meta.namespace, name: meta.name },
    meta,
  }
}

/** `metav1.Condition` and its many look-alikes, from `.conditions` of a status. */
export function projectConditions(status: Fields): readonly Condition[] {
  const conditions = status.objs('conditions').map(c => ({
    type: c.word('type'),
    status: c.str('status'),
    reason: c.word('reason'),
    message: c.word('message'),
    since: c.time('lastTransitionTime'),
    observedGeneration: c.num('observedGeneration'),
  }))
  return orEmpty(conditions)
}

export function projectExpressions(list: readonly Fields[]): readonly LabelExpression[] {
  return list.map(e => ({ key: e.str('key'), operator: e.str('operator'), values: e.strs('values') }))
}

/** A label selector that stands in this object itself. */
export function selectorOf(s: Fields): LabelSelector {
  return { matchLabels: s.map('matchLabels'), matchExpressions: projectExpressions(s.objs('matchExpressions')) }
}

/** A label selector under `key`, undefined where the field is absent (which is not the same as an empty selector). */
export function projectSelector(parent: Fields, key: string): LabelSelector | undefined {
  return parent.has(key) ? selectorOf(parent.obj(key)) : undefined
}
