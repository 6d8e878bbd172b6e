import { describe, expect, it } from 'vitest'
import { blockingTaint, taintDetail, tolerationsError } from '../../../src/fleet/placement/taints.ts'
import type { Taint, Toleration } from '../../../src/fleet/records.ts'

const ADDED = Date.parse('2026-11-30T12:00:00Z')
const taint = (change: Partial<Taint> = {}): Taint => ({
  key: 'maintenance',
  value: 'tonight',
  effect: 'NoSelect',
  timeAdded: ADDED,
  ...change,
})
const toleration = (change: Partial<Toleration> = {}): Toleration => ({
  key: 'maintenance',
  operator: 'Exists',
  value: '',
  effect: '',
  tolerationSeconds: undefined,
  ...change,
})

describe('tolerationSeconds', () => {
  const tolerations = [toleration({ tolerationSeconds: 300 })]
  const blocked = (now: number, timeAdded: number | undefined = ADDED) =>
    blockingTaint([taint({ timeAdded })], tolerations, { inDecision: false, now }) !== undefined

  it('counts from the time of the taint, and its end is outside', () => {
    expect(blocked(ADDED + 299_999)).toBe(false)
    expect(blocked(ADDED + 300_000)).toBe(true)
  })

  it('is over for a taint without a time', () => {
    const view = { inDecision: false, now: ADDED }
    expect(blockingTaint([taint({ timeAdded: undefined })], tolerations, view)).toBeDefined()
  })
})

describe('taintDetail', () => {
  it.each([
    ['nothing near', taint(), [], 'taint maintenance=tonight:NoSelect is not tolerated'],
    [
      'another value',
      taint(),
      [toleration({ operator: 'Equal', value: 'today' })],
      'taint maintenance=tonight:NoSelect is not tolerated: the toleration for that key is for maintenance=today',
    ],
    [
      'another effect',
      taint(),
      [toleration({ effect: 'NoSelectIfNew' })],
      'taint maintenance=tonight:NoSelect is not tolerated: the toleration for that key is for maintenance:NoSelectIfNew',
    ],
    [
      'too late',
      taint({ value: '' }),
      [toleration({ tolerationSeconds: 60 })],
      'taint maintenance:NoSelect is no longer tolerated: its toleration of 60 s ended at 2026-11-30T12:01:00.000Z',
    ],
  ])('%s', (_, of, tolerations, text) => {
    expect(taintDetail(of, tolerations, ADDED + 3_600_000)).toBe(text)
  })
})

it('refuses a value beside Exists', () => {
  expect(tolerationsError([toleration({ value: 'x' })])).toBe('If the operator is Exists, the value should be empty.')
  expect(tolerationsError([toleration({ key: '' })])).toBeUndefined()
})
