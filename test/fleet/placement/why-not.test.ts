import { describe, expect, it } from 'vitest'
import { explainPlacement } from '../../../src/fleet/placement/explain.ts'
import type { PlacementWorld } from '../../../src/fleet/placement/world.ts'
import type { RawObject } from '../../../src/raw.ts'
import { casesWorld, placement, withCluster } from './support.ts'

const world = casesWorld()
const LABEL = 'cluster.open-cluster-management.io/clusterset'

interface Asked {
  readonly cluster: string
  readonly spec?: RawObject
  readonly namespace?: string
  readonly metadata?: RawObject
  readonly decided?: readonly string[]
  readonly in?: PlacementWorld
}

const whyNot = ({ cluster, spec = {}, namespace = 'argo', metadata = {}, decided = [], in: where = world }: Asked) =>
  explainPlacement(placement('p', namespace, spec, metadata), where, { decided: new Set(decided) }).whyNot(cluster)

const selector = (labelSelector: RawObject) => ({ requiredClusterSelector: { labelSelector } })

describe('why a cluster is not selected', () => {
  it('terminating, whatever else', () => {
    const meta = world.clusters.find(c => c.meta.name === 'ber-3')?.meta
    if (meta === undefined) throw new Error('no ber-3')
    const where = withCluster(world, 'ber-3', { meta: { ...meta, deleting: world.now } })
    expect(whyNot({ cluster: 'ber-3', in: where })).toMatchObject({ reason: 'terminating' })
  })

  it('no set label', () => {
    expect(whyNot({ cluster: 'free-1', spec: { clusterSets: ['emea', 'amer'] } })).toEqual({
      cluster: 'free-1',
      reason: 'no-set',
      detail: `it has no label ${LABEL}, and the Placement asks for emea, amer`,
    })
  })

  it('a set label that names no set', () => {
    expect(whyNot({ cluster: 'lost-1', spec: { clusterSets: ['emea'] } })).toEqual({
      cluster: 'lost-1',
      reason: 'unknown-set',
      set: 'no-such-set',
      detail: `its label ${LABEL} names no-such-set, a set that does not exist, and the Placement asks for emea`,
    })
  })

  it('a set that is not bound, asked for or not', () => {
    const expected = { reason: 'set-not-bound', set: 'emea' }
    expect(whyNot({ cluster: 'ams-1', namespace: 'nobind' })).toMatchObject({
      ...expected,
      detail: 'its set emea is not bound to namespace nobind, which has no set bound',
    })
    expect(whyNot({ cluster: 'ams-1', namespace: 'nobind', spec: { clusterSets: ['emea'] } })).toMatchObject(expected)
  })

  it('a LabelSelector set that is asked for and not bound', () => {
    const asked = { cluster: 'ams-1', spec: { clusterSets: ['global'] } }
    expect(whyNot(asked)).toMatchObject({ reason: 'set-not-bound', set: 'global' })
  })

  it('a set that is not asked for, with the selectors of those that are', () => {
    expect(whyNot({ cluster: 'nyc-3', spec: { clusterSets: ['emea', 'prod-everywhere'] } })).toMatchObject({
      reason: 'set-not-asked-for',
      set: 'amer',
      detail: 'it is in set amer, and the Placement asks for emea, prod-everywhere (env=prod)',
    })
  })

  it('what a predicate wants and the cluster has', () => {
    const spec = {
      predicates: [
        selector({
          matchLabels: { env: 'stage' },
          matchExpressions: [
            { key: 'region', operator: 'NotIn', values: ['us-east'] },
            { key: 'zone', operator: 'Exists' },
            { key: 'vendor', operator: 'DoesNotExist' },
          ],
        }),
      ],
    }
    expect(whyNot({ cluster: 'nyc-1', spec })).toMatchObject({
      reason: 'predicate',
      detail:
        'label env is "prod", and env=stage is wanted; label region is "us-east", and region!=us-east is wanted; ' +
        'it has no label zone; label vendor is "OpenShift", and none is wanted',
    })
  })

  it('each of several predicates', () => {
    const claims = [{ key: 'platform', operator: 'In', values: ['AWS', 'GCP'] }]
    const byClaim = { requiredClusterSelector: { claimSelector: { matchExpressions: claims } } }
    const spec = { predicates: [selector({ matchLabels: { env: 'dev' } }), byClaim] }
    expect(whyNot({ cluster: 'ams-1', spec })?.detail).toBe(
      'none of the 2 predicates matches: (1) label env is "prod", and env=dev is wanted; ' +
        '(2) it has no claim platform, and platform in (AWS,GCP) is wanted',
    )
  })

  it('a taint, with the taint', () => {
    const found = whyNot({ cluster: 'ber-3' })
    expect(found).toMatchObject({
      reason: 'taint',
      taint: { key: 'maintenance', value: 'tonight', effect: 'NoSelect' },
    })
    expect(found?.detail).toBe('taint maintenance=tonight:NoSelect is not tolerated')
  })

  it('NoSelectIfNew, until the cluster is in the decision', () => {
    expect(whyNot({ cluster: 'ber-5' })?.detail).toContain('keeps out clusters that are not in the decision already')
    expect(whyNot({ cluster: 'ber-5', decided: ['ber-5'] })).toBeUndefined()
  })

  it('the count, where the decision shows whom prioritizers chose', () => {
    const spec = { clusterSets: ['amer'], numberOfClusters: 2 }
    expect(whyNot({ cluster: 'nyc-1', spec, decided: ['nyc-2', 'nyc-3'] })).toEqual({
      cluster: 'nyc-1',
      reason: 'count',
      detail: '3 clusters match, and numberOfClusters is 2',
    })
    expect(whyNot({ cluster: 'nyc-1', spec })).toBeUndefined()
    expect(whyNot({ cluster: 'nyc-2', spec, decided: ['nyc-2', 'nyc-3'] })).toBeUndefined()
  })

  it('misconfiguration, but only for clusters that would come that far', () => {
    const spec = { clusterSets: ['emea'], predicates: [selector({ matchLabels: { env: 'prod' } })], tolerations: [{}] }
    const text = 'TaintToleration:If the key is empty, operator must be Exists.'
    expect(whyNot({ cluster: 'ams-1', spec })).toMatchObject({
      reason: 'misconfigured',
      detail: `the Placement is misconfigured and selects nothing: ${text}`,
    })
    expect(whyNot({ cluster: 'ams-2', spec })).toMatchObject({ reason: 'predicate' })
    expect(whyNot({ cluster: 'nyc-1', spec })).toMatchObject({ reason: 'set-not-asked-for' })
  })

  it('a set with an invalid selector, on which the controller fails', () => {
    const sets = world.sets.map(set => (set.meta.name === 'prod-everywhere' ? { ...set, selectorType: 'Other' } : set))
    const found = whyNot({ cluster: 'ams-1', in: { ...world, sets } })
    expect(found).toMatchObject({ reason: 'misconfigured', set: 'prod-everywhere' })
  })

  it('scheduling that is switched off, while the decision stays', () => {
    const metadata = { annotations: { 'cluster.open-cluster-management.io/experimental-scheduling-disable': 'true' } }
    const spec = { clusterSets: ['amer'] }
    const explained = explainPlacement(placement('p', 'argo', spec, metadata), world, { decided: new Set(['ams-1']) })
    expect(explained).toMatchObject({ certain: true, selected: ['ams-1'], candidates: ['nyc-1', 'nyc-2', 'nyc-3'] })
    expect(explained.whyNot('nyc-1')).toMatchObject({ reason: 'scheduling-disabled' })
    expect(explained.whyNot('ams-2')).toMatchObject({ reason: 'set-not-asked-for' })
  })

  it('nothing, for a selected cluster and for one that does not exist', () => {
    expect(whyNot({ cluster: 'ams-1' })).toBeUndefined()
    expect(whyNot({ cluster: 'no-such-cluster' })).toBeUndefined()
  })
})

describe('the sets of a Placement', () => {
  it('tells bound, unbound, unknown and dangling apart', () => {
    const spec = { clusterSets: ['typo', 'apac', 'emea', 'gone'] }
    expect(explainPlacement(placement('p', 'argo', spec), world)).toMatchObject({
      eligibleSets: ['emea'],
      boundSets: ['amer', 'emea', 'empty', 'prod-everywhere'],
      unboundSets: ['apac'],
      unknownSets: ['gone', 'typo'],
      danglingBindings: ['gone'],
    })
  })

  it('judges a binding by its name', () => {
    const bindings = world.bindings.map(b => (b.meta.name === 'amer' ? { ...b, clusterSet: 'apac' } : b))
    const explained = explainPlacement(placement('p', 'argo', { clusterSets: ['amer'] }), { ...world, bindings })
    expect(explained.selected).toEqual(['nyc-1', 'nyc-2', 'nyc-3'])
  })
})
