import { expect, it } from 'vitest'
import { membership, membersOf } from '../../../src/fleet/placement/sets.ts'
import { indexWorld } from '../../../src/fleet/placement/world.ts'
import type { ManagedCluster } from '../../../src/fleet/records.ts'
import { casesWorld, withCluster } from './support.ts'

const world = casesWorld()
const cluster = (name: string): ManagedCluster => {
  const found = world.clusters.find(c => c.meta.name === name)
  if (found === undefined) throw new Error(`no ${name}`)
  return found
}
const names = (list: readonly { readonly meta: { readonly name: string } }[]) => list.map(one => one.meta.name)

const setsOf = (of: ManagedCluster) => world.sets.filter(set => membership(set)(of))

it('finds the sets of a cluster, its exclusive one and those with a selector', () => {
  expect(names(setsOf(cluster('ams-1')))).toEqual(['emea', 'prod-everywhere', 'global'])
  expect(names(setsOf(cluster('lost-1')))).toEqual(['prod-everywhere', 'global'])
  expect(names(setsOf(cluster('local-cluster')))).toEqual(['global'])
})

it('finds the members of a set', () => {
  const members = world.sets.map(set => [set.meta.name, membersOf(set, world.clusters).length])
  expect(Object.fromEntries(members)).toEqual({
    emea: 7,
    amer: 3,
    apac: 1,
    empty: 0,
    'prod-everywhere': 11,
    global: 14,
  })
})

it('takes a LabelSelector set without a selector as empty', () => {
  const [emea] = world.sets
  if (emea === undefined) throw new Error('no set')
  const set = { ...emea, selectorType: 'LabelSelector', labelSelector: undefined }
  expect(membersOf(set, world.clusters)).toEqual([])
})

it('indexes a world once, and leaves out terminating clusters', () => {
  const meta = { ...cluster('nyc-2').meta, deleting: world.now }
  const where = withCluster(world, 'nyc-2', { meta })
  expect(names(indexWorld(where).available(['amer', 'apac']))).toEqual(['nyc-1', 'nyc-3', 'sin-1'])
  expect(indexWorld(where)).toBe(indexWorld(where))
  expect(names(indexWorld(world).available(['amer']))).toContain('nyc-2')
})
