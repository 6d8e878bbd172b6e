import { expect, test } from 'vitest'
import type { Fleet } from '../../../src/fleet/fleet.ts'
import { applications } from '../../../src/fleet/joins/applications.ts'
import { appSets, ownerAppSet } from '../../../src/fleet/joins/appsets.ts'
import { reconciled } from '../../../src/fleet/joins/reconciled.ts'
import { clusterSecrets } from '../../../src/fleet/joins/registration.ts'
import { reports } from '../../../src/fleet/joins/reports.ts'
import { selection } from '../../../src/fleet/joins/selection.ts'
import { ways } from '../../../src/fleet/joins/ways.ts'
import { works } from '../../../src/fleet/joins/works.ts'
import { subjectKey } from '../../../src/fleet/subject.ts'
import { FLEET_NAMES, type RecordedFleet, readRecorded } from '../../support/fleets.ts'
import { decoded, keyOf, list, rawOf, text } from './raw.ts'

const of = (record: { readonly meta: { readonly namespace: string; readonly name: string } }) =>
  `${record.meta.namespace}/${record.meta.name}`

function decisionsAgree(fleet: RecordedFleet, typed: Fleet): void {
  const { byPlacement } = typed.join(selection)
  for (const placement of rawOf(fleet, 'hub', 'Placement')) {
    const uid = text(placement, 'metadata', 'uid')
    const expected = rawOf(fleet, 'hub', 'PlacementDecision')
      .filter(d => list(d, 'metadata', 'ownerReferences').some(o => text(o, 'uid') === uid))
      .flatMap(d => list(d, 'status', 'decisions').map(x => text(x, 'clusterName')))
    expect([...(byPlacement.get(keyOf(placement))?.clusters ?? [])].sort()).toEqual(expected.sort())
  }
}

function secretsAgree(fleet: RecordedFleet, typed: Fleet): void {
  const expected = rawOf(fleet, 'hub', 'Secret')
    .filter(s => text(s, 'metadata', 'labels', 'argocd.argoproj.io/secret-type') === 'cluster')
    .map(s => [keyOf(s), decoded(s, 'name'), decoded(s, 'server').replace(/\/$/, '')])
  const found = typed.join(clusterSecrets).all.map(s => [of(s), s.cluster.name, s.cluster.server])
  expect(found.sort()).toEqual(expected.sort())
}

function ownersAgree(fleet: RecordedFleet, typed: Fleet): void {
  const raw = rawOf(fleet, 'hub', 'Application')
  const { all } = typed.join(appSets)
  for (const set of rawOf(fleet, 'hub', 'ApplicationSet')) {
    const uid = text(set, 'metadata', 'uid')
    const owned = raw.filter(a => list(a, 'metadata', 'ownerReferences').some(o => text(o, 'uid') === uid)).map(keyOf)
    expect(
      all
        .find(l => l.appSet.meta.uid === uid)
        ?.owned.map(of)
        .sort(),
    ).toEqual(owned.sort())
  }
  const free = raw.filter(a => list(a, 'metadata', 'ownerReferences').length === 0).map(keyOf)
  const without = typed.hub.of('Application').all.filter(a => ownerAppSet(a) === undefined)
  expect(without.map(of).sort()).toEqual(free.sort())
}

function applicationsAgree(fleet: RecordedFleet, typed: Fleet): void {
  const { all, byKey } = typed.join(applications)
  expect([...byKey.keys()].sort()).toEqual(rawOf(fleet, 'hub', 'Application').map(keyOf).sort())
  expect(all.filter(l => l.model === 'unknown').map(l => l.app.meta.name)).toEqual([])
}

const MADE_FROM = 'apps.open-cluster-management.io/hub-application-'

function worksAgree(fleet: RecordedFleet, typed: Fleet): void {
  const expected = rawOf(fleet, 'hub', 'ManifestWork').flatMap(w => {
    const name = text(w, 'metadata', 'annotations', `${MADE_FROM}name`)
    const namespace = text(w, 'metadata', 'annotations', `${MADE_FROM}namespace`)
    if (name === '') return []
    const entry = list(w, 'status', 'resourceStatus', 'manifests').find(
      m => text(m, 'resourceMeta', 'kind') === 'Application',
    )
    const health = list(entry, 'statusFeedback', 'values').find(v => text(v, 'name') === 'healthStatus')
    const carried = list(w, 'spec', 'workload', 'manifests').find(m => text(m, 'kind') === 'Application')
    return [[keyOf(w), `${namespace}/${name}`, keyOf(carried), text(health, 'fieldValue', 'string')]]
  })
  const found = typed
    .join(works)
    .all.map(w => [
      of(w.work),
      w.appKey,
      w.payload === undefined ? '' : of(w.payload),
      w.status?.feedback.healthStatus ?? '',
    ])
  expect(found.sort()).toEqual(expected.sort())
}

function reportsAgree(fleet: RecordedFleet, typed: Fleet): void {
  const expected = rawOf(fleet, 'hub', 'MulticlusterApplicationSetReport').flatMap(r =>
    list(r, 'statuses', 'clusterConditions').map(c => [
      keyOf(r),
      text(c, 'cluster'),
      text(c, 'healthStatus'),
      text(c, 'app'),
    ]),
  )
  const found = typed.join(reports).entries.map(e => [of(e.report), e.entry.cluster, e.entry.health, e.entry.app])
  expect(found.sort()).toEqual(expected.sort())
}

/** Every Application of a spoke that the hub knows of is reconciled there, once. */
function reconciledAgree(fleet: RecordedFleet, typed: Fleet): void {
  const found = typed.join(reconciled)
  expect(new Set(found.map(r => `${r.at} ${of(r.app)}`)).size).toBe(found.length)
  for (const { name, role } of fleet.report.clusters) {
    if (role !== 'spoke') continue
    const there = rawOf(fleet, name, 'Application').map(keyOf)
    for (const r of found.filter(x => x.at === name)) expect(there).toContain(of(r.app))
  }
}

function waysAgree(_: RecordedFleet, typed: Fleet): void {
  const { all, through, byKey } = typed.join(ways)
  expect(all.map(w => w.key).sort()).toEqual([...byKey.keys()].sort())
  for (const way of all) expect(through(subjectKey(way.subject))).toContain(way)
}

const AGREEMENTS = [
  decisionsAgree,
  secretsAgree,
  ownersAgree,
  applicationsAgree,
  worksAgree,
  reportsAgree,
  reconciledAgree,
  waysAgree,
]

test.each(FLEET_NAMES)('the joins say what stands in %s', async name => {
  const fleet = await readRecorded(name)
  const typed = (await fleet.load()).fleet
  for (const agree of AGREEMENTS) agree(fleet, typed)
})
