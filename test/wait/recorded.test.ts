import { describe, expect, it } from 'vitest'
import { CHECKS } from '../../src/checks/registry.ts'
import { type Diagnosis, diagnose } from '../../src/diagnosis.ts'
import { textAt, valueAt } from '../../src/raw.ts'
import { type GoalName, parseGoal, type WaitKind } from '../../src/wait/goals.ts'
import { judge } from '../../src/wait/judge.ts'
import type { Member } from '../../src/wait/member.ts'
import { KNOWN, readExpected } from '../support/expected.ts'
import { FLEET_NAMES, FLEETS, type RawObject, type RecordedFleet, recorded } from '../support/fleets.ts'
import { type Patch, patchedFleet } from '../support/patch.ts'

function look(diagnosis: Diagnosis, kind: WaitKind, goal: GoalName, ...names: string[]): readonly Member[] {
  return judge(
    diagnosis,
    parseGoal(kind, goal, undefined, names.length),
    names.map(name => ({ name })),
  )
}

const states = (members: readonly Member[]): Record<string, string> =>
  Object.fromEntries(members.map(m => [m.subject.name, m.state]))

const diagnosisOf = (fleet: RecordedFleet): Promise<Diagnosis> => diagnose(fleet, CHECKS)

async function changed(name: string, change: (patch: Patch) => void): Promise<Diagnosis> {
  return diagnosisOf(patchedFleet(await recorded(name), change))
}

/** The same fleet as one who may only read the hub sees it. */
async function hubOnly(name: string): Promise<Diagnosis> {
  return changed(name, patch => {
    for (const c of patch.clusters) if (c.role === 'spoke') patch.forget(c.name)
  })
}

/** The Application where it runs: on the spoke where that has it, else on the hub. */
function whereItRuns(fleet: RecordedFleet, name: string): RawObject | undefined {
  const all = fleet.objects.filter(o => o.kind === 'Application' && valueAt(o.raw, 'metadata', 'name') === name)
  return (all.find(o => o.cluster !== 'hub') ?? all[0])?.raw
}

describe.each(FLEET_NAMES)('%s', name => {
  const expected = readExpected(FLEETS, name)

  it('is taken for healthy only where it is', async () => {
    const fleet = await recorded(name)
    for (const diagnosis of [await diagnosisOf(fleet), await hubOnly(name)]) {
      for (const m of look(diagnosis, 'fleet', 'healthy')) {
        if (m.subject.kind !== 'Application' || m.state !== 'met') continue
        expect(textAt(whereItRuns(fleet, m.subject.name), 'status', 'health', 'status'), m.subject.name).toBe('Healthy')
      }
      for (const { app, firstBroken } of expected.trace ?? []) {
        if (typeof firstBroken !== 'object' || firstBroken === null) continue
        // What a hub cannot see of a spoke is no fault there, and a fault below the sync leaves a status that is true.
        if (diagnosis.fleet.spokes.size === 0 || name in KNOWN) continue
        const appName = app.split('/').at(-1) ?? ''
        expect(states(look(diagnosis, 'app', 'healthy', appName)), appName).not.toMatchObject({ [appName]: 'met' })
      }
    }
  })

  it.runIf(expected.healthy)('is healthy, synced, delivered and ready', async () => {
    const diagnosis = await diagnosisOf(await recorded(name))
    for (const goal of ['healthy', 'synced', 'delivered', 'ready'] as const) {
      const open = look(diagnosis, 'fleet', goal).filter(m => m.state !== 'met')
      expect(
        open.map(m => `${m.subject.kind}/${m.subject.name} ${m.state}: ${m.reason}`),
        goal,
      ).toEqual([])
    }
  })
})

const BM = 'hub/ManagedCluster/bm'
const WORK = 'ManifestWork'

describe('a pulled Application', () => {
  it('is as the ManifestWork feedback says, where the spoke was not read', async () => {
    const [m] = look(await hubOnly('pull-healthy'), 'app', 'healthy', 'branding-bm')
    expect(m).toMatchObject({ state: 'met', source: 'ManifestWork feedback', reason: 'Synced, Healthy' })
  })

  it('is as the spoke says where it was read, whatever the hub says', async () => {
    const diagnosis = await changed('pull-healthy', patch => {
      patch.set('bm/Application/openshift-gitops/branding-bm', ['status', 'health', 'status'], 'Progressing')
    })
    const [m] = look(diagnosis, 'app', 'healthy', 'branding-bm')
    expect(m).toMatchObject({ state: 'waiting', source: 'cluster bm', cause: { code: 'FLT0505' } })
    expect(states(look(diagnosis, 'app', 'synced', 'branding-bm'))).toEqual({ 'branding-bm': 'met' })
  })

  it('is unknown while its cluster is not heard, however healthy the feedback', async () => {
    const members = look(await hubOnly('pull-cluster-unknown-report-healthy'), 'app', 'healthy', 'branding-bm')
    expect(members).toHaveLength(1)
    expect(members[0]?.state).not.toBe('met')
    const silent = await changed('pull-healthy', patch => {
      for (const c of patch.clusters) if (c.role === 'spoke') patch.forget(c.name)
      const conditions = valueAt(patch.edit(BM), 'status', 'conditions')
      if (!Array.isArray(conditions)) throw new Error('no conditions')
      patch.set(
        BM,
        ['status', 'conditions'],
        conditions.filter(c => c.type !== 'ManagedClusterConditionAvailable'),
      )
    })
    const [m] = look(silent, 'app', 'synced', 'branding-bm')
    expect(m?.state).not.toBe('met')
  })

  it('is as the report says where ManifestWorks may not be read, and unknown without both', async () => {
    const hub = (patch: Patch): void => {
      for (const c of patch.clusters) if (c.role === 'spoke') patch.forget(c.name)
      patch.refuse('hub', WORK)
    }
    const [byReport] = look(await changed('pull-healthy', hub), 'app', 'healthy', 'branding-bm')
    expect(byReport).toMatchObject({ state: 'met', source: 'MulticlusterApplicationSetReport' })
    const blind = await changed('pull-healthy', patch => {
      hub(patch)
      patch.refuse('hub', 'MulticlusterApplicationSetReport')
    })
    const [m] = look(blind, 'app', 'healthy', 'branding-bm')
    expect(m).toMatchObject({ state: 'unknown', reason: 'forbidden: list was refused' })
  })

  it('waits for a ManifestWork whose newest spec has not been applied', async () => {
    const fleet = await recorded('pull-healthy')
    const work = fleet.objects.find(
      o => o.kind === WORK && textAt(o.raw, 'metadata', 'name').startsWith('branding-bm-'),
    )
    const name = textAt(work?.raw, 'metadata', 'name')
    const diagnosis = await changed('pull-healthy', patch => {
      patch.set(`hub/${WORK}/bm/${name}`, ['metadata', 'generation'], 99)
    })
    const [m] = look(diagnosis, 'app', 'synced', 'branding-bm')
    expect(m?.state).not.toBe('met')
  })
})

describe('an ApplicationSet', () => {
  it('is not healthy with no Application, however content its conditions are', async () => {
    const [m] = look(await diagnosisOf(await recorded('push-binding-deleted')), 'appset', 'healthy', 'branding-pull')
    expect(m).toMatchObject({ state: 'failed', cause: { code: 'FLT0102' }, subject: { kind: 'ApplicationSet' } })
  })

  it('counts the Applications that it lacks', async () => {
    const diagnosis = await changed('pull-healthy', patch => {
      patch.remove('hub/Application/openshift-gitops/branding-bm')
    })
    expect(states(look(diagnosis, 'appset', 'synced', 'branding-pull'))).toMatchObject({ 'branding-sno': 'met' })
    expect(states(look(diagnosis, 'appset', 'synced', 'branding-pull'))['branding-bm']).not.toBe('met')
    expect(states(look(diagnosis, 'appset', 'ready', 'branding-pull'))).not.toMatchObject({ 'branding-pull': 'met' })
  })
})

describe('a Placement and a GitOpsCluster', () => {
  it('are ready and registered where they are', async () => {
    const diagnosis = await diagnosisOf(await recorded('pull-healthy'))
    const placement = diagnosis.fleet.hub.of('Placement').all[0]?.meta.name ?? ''
    const goc = diagnosis.fleet.hub.of('GitOpsCluster').all[0]?.meta.name ?? ''
    expect(states(look(diagnosis, 'placement', 'ready', placement))).toEqual({ [placement]: 'met' })
    expect(states(look(diagnosis, 'gitopscluster', 'ready', goc))).toEqual({ [goc]: 'met' })
    expect(states(look(diagnosis, 'gitopscluster', 'registered', goc))).toEqual({ bm: 'met', sno: 'met' })
    expect(states(look(diagnosis, 'placement', 'registered', placement))).toEqual({ bm: 'met', sno: 'met' })
    expect(states(look(diagnosis, 'placement', 'delivered', placement))).toMatchObject({ 'branding-bm': 'met' })
  })

  it('are not ready with no cluster, though the controllers are content', async () => {
    const diagnosis = await diagnosisOf(await recorded('pull-binding-deleted'))
    for (const placement of diagnosis.fleet.hub.of('Placement').all) {
      const [m] = look(diagnosis, 'placement', 'ready', placement.meta.name)
      expect(m?.state, placement.meta.name).not.toBe('met')
    }
  })

  it('take the condition where Secrets may not be read, and nothing where it is old', async () => {
    const blind = (patch: Patch): void => patch.refuse('hub', 'Secret')
    const fresh = await changed('pull-healthy', blind)
    const goc = fresh.fleet.hub.of('GitOpsCluster').all[0]?.meta.name ?? ''
    expect(look(fresh, 'gitopscluster', 'registered', goc)).toMatchObject([
      { state: 'met', source: 'condition ClustersRegistered' },
      { state: 'met', source: 'condition ClustersRegistered' },
    ])
    const old = await changed('pull-healthy', patch => {
      blind(patch)
      patch.later(20 * 60_000)
    })
    expect(new Set(look(old, 'gitopscluster', 'registered', goc).map(m => m.state))).toEqual(new Set(['unknown']))
  })

  it('wait for one that does not exist, and do not know of one that may not be read', async () => {
    const diagnosis = await changed('pull-healthy', patch => patch.refuse('hub', 'GitOpsCluster'))
    expect(look(diagnosis, 'placement', 'ready', 'nothing')).toMatchObject([
      { state: 'waiting', reason: 'does not exist' },
    ])
    expect(look(diagnosis, 'gitopscluster', 'ready', 'nothing')).toMatchObject([{ state: 'unknown' }])
  })
})
