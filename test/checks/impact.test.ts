import { expect, test } from 'vitest'
import { runDoctor } from '../../src/doctor.ts'
import { readRecorded } from '../support/fleets.ts'

/** Applications of a fleet, as `namespace/name`. */
async function applicationsOf(fleet: string): Promise<string[]> {
  const { objects } = await readRecorded(fleet)
  return objects
    .filter(o => o.cluster === 'hub' && o.kind === 'Application')
    .map(o => {
      const { namespace, name } = o.raw.metadata as { namespace: string; name: string }
      return `${namespace}/${name}`
    })
    .sort()
}

async function rootOf(fleet: string) {
  const [root] = (await runDoctor(await readRecorded(fleet))).findings
  if (root === undefined) throw new Error(`${fleet} has no finding`)
  return root
}

/** Fleets whose fault has deleted Applications, and the healthy one that was recorded of the same hub before. */
const GONE = [
  ['pull-binding-deleted', 'pull-healthy', 'FLT0102'],
  ['push-binding-no-intersection', 'push-healthy', 'FLT0102'],
  ['push-binding-unknown-set', 'push-healthy', 'FLT0101'],
  ['placement-bad-toleration', 'push-healthy', 'FLT0103'],
] as const

test.each(GONE)('%s touches the Applications that are gone', async (fleet, healthy, code) => {
  const wanted = await applicationsOf(healthy)
  expect(await applicationsOf(fleet)).not.toEqual(wanted)
  const root = await rootOf(fleet)
  expect(root.code).toBe(code)
  expect(root.impact).toEqual({
    applications: wanted.length,
    clusters: 2,
    applicationNames: wanted,
    clusterNames: ['bm', 'sno'],
  })
})

test('a cluster whose secret is gone lacks its Applications, and no others', async () => {
  const wanted = (await applicationsOf('acm-2.17-healthy')).filter(name => /-sno$/.test(name))
  const { impact } = await rootOf('acm-2.17-msa-deleted')
  expect(impact).toMatchObject({
    applications: wanted.length,
    clusters: 1,
    applicationNames: wanted,
    clusterNames: ['sno'],
  })
})

test('a cluster that never joined lacks the Application that its decision asks for', async () => {
  const { impact } = await rootOf('cluster-never-joined-in-placement')
  expect(impact.clusterNames).toEqual(['edge7'])
  expect(impact.applications).toBeGreaterThan(0)
  for (const name of impact.applicationNames) expect(name).toContain('edge7')
})
