import { expect, test } from 'vitest'
import { isObject } from '../../src/raw.ts'
import type { RawObject } from '../support/fleets.ts'
import { type Patch, patched } from '../support/patch.ts'
import { MINUTE, seenBy } from './catalogue/support.ts'

/** As if the Argo CDs of a recorded fleet looked at their Applications at another period, or not by the clock at all. */
function every(patch: Patch, period: string): void {
  let hits = 0
  patch.objects = patch.objects.map(object => {
    const { data, metadata } = object.raw
    if (object.kind !== 'ConfigMap' || !isObject(metadata) || metadata.name !== 'argocd-cm') return object
    hits++
    const raw: RawObject = {
      ...object.raw,
      data: { ...(isObject(data) ? data : {}), 'timeout.reconciliation': period },
    }
    return { ...object, raw }
  })
  if (hits === 0) throw new Error('no argocd-cm to change')
}

test.each([
  ['hub-controller-behind', 'push-healthy'],
  ['spoke-controller-stopped', 'pull-healthy'],
  ['agent-status-stale', 'agent-healthy'],
])('%s counts by the period that Argo CD is set to', async (slug, fleet) => {
  const found = async (period: string, minutes: number): Promise<number> => {
    const changed = await patched(fleet, patch => {
      every(patch, period)
      patch.later(minutes * MINUTE)
    })
    return (await seenBy(slug, changed)).length
  }
  expect(await found('20s', 40)).toBeGreaterThan(0)
  expect(await found('180s', 40)).toBeGreaterThan(0)
  expect(await found('10m', 40)).toBe(0)
  expect(await found('10m', 90)).toBeGreaterThan(0)
  expect(await found('0', 24 * 60)).toBe(0)
  expect(await found('0s', 24 * 60)).toBe(0)
})
