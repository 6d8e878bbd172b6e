import { expect, it } from 'vitest'
import { parseSemver } from '../../../src/fleet/placement/cel/semver.ts'

// https://semver.org/#spec-item-11
const ORDERED = [
  ...['1.0.0-alpha', '1.0.0-alpha.1', '1.0.0-alpha.beta', '1.0.0-beta', '1.0.0-beta.2', '1.0.0-beta.11', '1.0.0-rc.1'],
  ...['1.0.0', '1.9.0', '1.10.0', '2.0.0', '2.1.0', '2.1.1'],
]

it('orders versions as the specification does', () => {
  const versions = ORDERED.map(text => parseSemver(text) ?? text)
  for (const [i, a] of versions.entries()) {
    for (const [j, b] of versions.entries()) {
      if (typeof a === 'string' || typeof b === 'string') throw new Error(`${a} or ${b} was not parsed`)
      expect(Math.sign(a.compareTo(b)), `${ORDERED[i]} and ${ORDERED[j]}`).toBe(Math.sign(i - j))
    }
  }
})

it('ignores build metadata in the order', () => {
  const [a, b] = ['1.0.0+a', '1.0.0+b'].map(text => parseSemver(text))
  expect(a !== undefined && b !== undefined && a.compareTo(b)).toBe(0)
})

it.each(['v1.31.4', '1.31', '1', '01.2.3', '1.2.3-01', '1.2.3-', '1.2.3-a..b', '1.2.3+', 'hello', ''])(
  'takes %s for no version',
  text => {
    expect(parseSemver(text)).toBeUndefined()
  },
)
