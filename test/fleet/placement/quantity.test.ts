import { expect, it } from 'vitest'
import { approximateQuantity } from '../../../src/fleet/placement/quantity.ts'

// https://kubernetes.io/docs/reference/kubernetes-api/common-definitions/quantity/
it.each([
  ['8', 8],
  ['7500m', 7.5],
  ['1.5', 1.5],
  ['32Gi', 34_359_738_368],
  ['128k', 128_000],
  ['1e3', 1000],
  ['1E', 1e18],
  ['-2', -2],
  ['32 Gi', undefined],
  ['', undefined],
])('%s is %s', (text, expected) => {
  if (expected === undefined) expect(approximateQuantity(text)).toBeUndefined()
  else expect(approximateQuantity(text)).toBeCloseTo(expected)
})
