import { describe, expect, it } from 'vitest'
import { explainPlacement } from '../../../src/fleet/placement/explain.ts'
import { loadCel } from '../../../src/fleet/placement/load-cel.ts'
import { casesWorld, fixture, placement, raws, withCluster } from './support.ts'

const world = casesWorld()
const cel = await loadCel()

/** What the controller's CEL environment makes of each expression; see the head of the file. */
const cases = raws(fixture('cel-cases.yaml')).map(c => ({
  expression: String(c.expression),
  selected: c.selected,
  invalid: c.invalid,
}))

const celPlacement = (...expressions: readonly string[]) =>
  placement('p', 'fleet-a', {
    predicates: expressions.map(e => ({ requiredClusterSelector: { celSelector: { celExpressions: [e] } } })),
    tolerations: [{ operator: 'Exists' }],
  })

describe('expressions that the controller was asked', () => {
  it.each(cases)('$expression', ({ expression, selected, invalid }) => {
    const explained = explainPlacement(celPlacement(expression), world, { cel })
    if (!explained.certain) {
      expect(explained.selected).toEqual([])
      expect(explained.doubts).toHaveLength(1)
    } else if (invalid === undefined) {
      expect(explained.selected).toEqual(selected)
      expect(explained.misconfigured.status).toBe('False')
    } else {
      expect(explained.selected).toEqual([])
      expect(explained.misconfigured.status).toBe('True')
    }
  })

  it.each([
    "managedCluster.metadata.name.startsWith('ams')",
    "managedCluster.metadata.name.matches('^ber-[0-9]+$')",
    "managedCluster.metadata.labels['env'] == 'prod'",
    "'env' in managedCluster.metadata.labels",
    "managedCluster.metadata.labels[?'env'].orValue('none') == 'none'",
    "managedCluster.status.clusterClaims.exists(c, c.name == 'platform.open-cluster-management.io' && c.value == 'AWS')",
    "semver(managedCluster.status.version.kubernetes).isGreaterThan(semver('1.30.0'))",
    "semver(managedCluster.status.version.kubernetes.substring(1)).isGreaterThan(semver('1.30.0'))",
    "managedCluster.status.conditions.exists(c, c.type == 'ManagedClusterConditionAvailable' && c.status == 'True')",
    "has(managedCluster.spec.taints) && managedCluster.spec.taints.exists(t, t.key == 'gpu')",
    'managedCluster.metadata.nme ==',
    "cluster.metadata.name == 'ams-1'",
  ])('is certain about %s', expression => {
    expect(cases.map(c => c.expression)).toContain(expression)
    expect(explainPlacement(celPlacement(expression), world, { cel }).certain).toBe(true)
  })
})

describe('what cannot be known', () => {
  const byName = "managedCluster.metadata.name == 'ams-1'"

  it('is everything, without an evaluator', () => {
    const explained = explainPlacement(celPlacement(byName), world)
    expect(explained).toMatchObject({ certain: false, selected: [], misconfigured: { status: '' } })
    expect(explained.candidates).toContain('ams-1')
    expect(explained.satisfied.status).toBe('')
  })

  it('is whether other predicates count, beside an expression that may be invalid', () => {
    const explained = explainPlacement(celPlacement(byName, "managedCluster.scores('x').size() > 0"), world, { cel })
    expect(explained).toMatchObject({ certain: false, selected: [] })
    expect(explained.doubts[0]).toContain('function `scores` is not evaluated here')
    expect(explained.whyNot('ams-1')).toBeUndefined()
  })

  it('is what a cluster without kept resources has', () => {
    const clusters = world.clusters.map(c => {
      const { allocatable: _, ...unkept } = c
      return c.meta.name === 'nyc-2' ? unkept : c
    })
    const bigger = celPlacement(byName, "managedCluster.status.allocatable.cpu == '32'")
    const explained = explainPlacement(bigger, { ...world, clusters }, { cel })
    expect(explained.certain).toBe(false)
    expect(explained.selected).toEqual(['ams-1', 'nyc-1'])
    expect(explained.candidates).toEqual(['ams-1', 'nyc-1', 'nyc-2'])
  })

  it('is how long text is that is not ASCII', () => {
    const claims = { city: 'Zürich' }
    const expression = "managedCluster.metadata.name.substring(0, 3) == 'ams'"
    const explained = explainPlacement(celPlacement(expression), withCluster(world, 'sin-1', { claims }), { cel })
    expect(explained).toMatchObject({ certain: false, selected: ['ams-1', 'ams-2'] })
  })
})
