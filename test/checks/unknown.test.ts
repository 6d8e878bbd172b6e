import { describe, expect, test } from 'vitest'
import type { Check } from '../../src/checks/check.ts'
import { CHECKS } from '../../src/checks/registry.ts'
import { type CheckRun, runChecks } from '../../src/checks/run.ts'
import { examine } from '../../src/diagnosis.ts'
import { deliveredClusters } from '../../src/fleet/joins/delivered.ts'
import { KIND_NAMES, type KindName, resourceName } from '../../src/fleet/kinds.ts'
import { type RecordedFleet, recorded } from '../support/fleets.ts'
import { type Patch, patchedFleet } from '../support/patch.ts'

/** Healthy fleets of every model and flavour. */
const HEALTHY = ['push-healthy', 'pull-healthy', 'mixed-healthy', 'agent-healthy', 'upstream-healthy']

const REASON = 'user "viewer" cannot list it'

type Outcome = 'found' | 'passed' | 'unknown' | 'skipped'

/** What became of a check; one that found something and has not seen all counts as unknown. */
function outcome(run: CheckRun, { code }: Check): Outcome {
  if (run.unknown.some(u => u.code === code)) return 'unknown'
  if (run.skipped.some(s => s.code === code)) return 'skipped'
  return run.passed.some(p => p.code === code) ? 'passed' : 'found'
}

async function runOn(fleet: RecordedFleet) {
  const loaded = await fleet.load()
  const run = runChecks(loaded.fleet, CHECKS, loaded.lost)
  const errors = examine(loaded, CHECKS).roots.filter(node => node.severity === 'error')
  return { fleet: loaded.fleet, run, errors: errors.map(n => `${n.found.check.code} ${n.found.finding.message}`) }
}

const declares = (check: Check, side: 'hub' | 'spoke', kind: KindName) =>
  [check.needs, check.uses].some(inputs => inputs?.[side]?.includes(kind))

/** Kinds that were read of a cluster, and that some check declares for it. */
function kindsOf(fleet: RecordedFleet, cluster: string): KindName[] {
  const side = cluster === 'hub' ? 'hub' : 'spoke'
  const report = fleet.report.clusters.find(c => c.name === cluster)
  return KIND_NAMES.filter(
    kind => report?.coverage.get(kind)?.state === 'read' && CHECKS.some(check => declares(check, side, kind)),
  )
}

async function each(name: string, look: (cluster: string, kind: KindName, fleet: RecordedFleet) => Promise<void>) {
  const fleet = await recorded(name)
  for (const { name: cluster } of fleet.report.clusters)
    for (const kind of kindsOf(fleet, cluster)) await look(cluster, kind, fleet)
}

describe.each(HEALTHY)('%s', name => {
  test('a refused kind makes its checks unknown, with the reason, and nothing else', async () => {
    const before = await runOn(await recorded(name))
    const delivered = before.fleet.join(deliveredClusters)
    await each(name, async (cluster, kind, fleet) => {
      const { run, errors } = await runOn(patchedFleet(fleet, patch => patch.refuse(cluster, kind, REASON)))
      const where = `${kind} on ${cluster}`
      expect(errors, where).toEqual([])
      for (const check of CHECKS) {
        const what = `${check.code} without ${where}`
        const is = outcome(run, check)
        const was = outcome(before.run, check)
        if (cluster === 'hub' && check.needs.hub?.includes(kind) && was !== 'skipped') {
          expect(is, what).toBe('unknown')
          const entry = run.unknown.find(u => u.code === check.code)
          expect(entry?.unseen, what).toContainEqual({ cluster, resource: resourceName(kind), reason: REASON })
          expect(entry?.reason, what).toContain(REASON)
          expect(run.found.filter(f => f.check === check)).toEqual([])
        } else if (declares(check, cluster === 'hub' ? 'hub' : 'spoke', kind)) {
          if (cluster === 'hub' || delivered.has(cluster)) expect(is, what).not.toBe('passed')
          if (was !== 'skipped') expect(is, what).not.toBe('skipped')
        } else if (check.needs.spoke === undefined && check.uses?.spoke === undefined) expect(is, what).toBe(was)
      }
    })
  })

  test('a list that is not whole makes its checks unknown, and nobody concludes from what is missing', async () => {
    await each(name, async (cluster, kind, fleet) => {
      const half = patchedFleet(fleet, patch => patch.shorten(cluster, kind, 'only 1 of 2 namespaces was read'))
      const { fleet: typed, run, errors } = await runOn(half)
      expect(errors, `half of ${kind} on ${cluster}`).toEqual([])
      if (cluster !== 'hub' && !typed.join(deliveredClusters).has(cluster)) return
      const wrong = run.passed.filter(p =>
        CHECKS.some(c => c.code === p.code && declares(c, cluster === 'hub' ? 'hub' : 'spoke', kind)),
      )
      expect(wrong, `half of ${kind} on ${cluster}`).toEqual([])
    })
  })

  test('a kind that the hub does not serve makes the checks that need it skipped', async () => {
    await each(name, async (cluster, kind, fleet) => {
      if (cluster !== 'hub') return
      const { run } = await runOn(patchedFleet(fleet, patch => patch.notServed('hub', kind)))
      for (const check of CHECKS.filter(c => c.needs.hub?.includes(kind))) {
        expect(outcome(run, check), `${check.code} without ${kind}`).toBe('skipped')
        expect(run.skipped.find(s => s.code === check.code)?.reason).toContain(resourceName(kind))
      }
    })
  })

  test('a spoke that was not recorded makes the checks of spokes unknown, with its name', async () => {
    const fleet = await recorded(name)
    const { run: before, fleet: typed } = await runOn(fleet)
    for (const cluster of typed.join(deliveredClusters)) {
      const { run, errors } = await runOn(patchedFleet(fleet, patch => patch.forget(cluster)))
      expect(errors).toEqual([])
      for (const check of CHECKS) {
        if ((check.needs.spoke ?? []).length + (check.uses?.spoke ?? []).length === 0) continue
        if (outcome(before, check) === 'skipped') continue
        const entry = run.unknown.find(u => u.code === check.code)
        expect(
          entry?.unseen.map(u => u.cluster),
          check.code,
        ).toContain(cluster)
      }
    }
  })
})

test('every check is looked at with its own kinds refused', async () => {
  const applicable = new Set<string>()
  for (const name of HEALTHY) {
    const { run } = await runOn(await recorded(name))
    for (const check of CHECKS) if (outcome(run, check) !== 'skipped') applicable.add(check.code)
  }
  expect(CHECKS.map(c => c.code).filter(code => !applicable.has(code))).toEqual([])
})

test('a check that throws is unknown with one line, and the others go on', async () => {
  const [first, second] = CHECKS
  if (first === undefined || second === undefined) throw new Error('there are no checks')
  const broken: Check = {
    ...first,
    run() {
      throw new TypeError("Cannot read properties of undefined (reading 'x')")
    },
  }
  const { fleet } = await (await recorded('push-healthy')).load()
  const run = runChecks(fleet, [broken, second])
  expect(run.unknown.map(u => u.reason)).toEqual([
    "the check failed: Cannot read properties of undefined (reading 'x')",
  ])
  expect(run.passed.map(p => p.code)).toEqual([second.code])
})

test('a lost field is named, and no check that looks at it passes', async () => {
  const spoil = (patch: Patch) =>
    patch.set('hub/Placement/openshift-gitops/production-clusters', ['spec', 'tolerations'], 5)
  const { run } = await runOn(patchedFleet(await recorded('pull-healthy'), spoil))
  const users = CHECKS.filter(c => declares(c, 'hub', 'Placement'))
  expect(users.length).toBeGreaterThan(5)
  for (const check of users) {
    const entry = run.unknown.find(u => u.code === check.code)
    if (outcome(run, check) === 'skipped') continue
    expect(entry?.reason, check.code).toContain(
      'openshift-gitops/Placement/production-clusters.spec.tolerations: expected a list, found a number',
    )
  }
})
