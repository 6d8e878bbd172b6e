import { expect, test } from 'vitest'
import { runDoctor } from '../src/doctor.ts'
import { FLEET_NAMES, type RecordedFleet, readRecorded } from './support/fleets.ts'

const PREFIX = 'CANARY-'

/** What a text may hold of a base64 encoding of the prefix, whatever stands before it: the encoding at each of three offsets. */
const ENCODED = [0, 1, 2].map(offset => {
  const whole = Buffer.from('x'.repeat(offset) + PREFIX).toString('base64')
  // Characters that hold bits of the neighbours are left out.
  return whole.slice(Math.ceil((offset * 8) / 6), Math.floor(((offset + PREFIX.length) * 8) / 6))
})

/** Canary values of a fleet, plain and as they stand in the Secrets. */
function canaries({ objects }: RecordedFleet): string[] {
  const values = new Set<string>()
  for (const { kind, raw } of objects) {
    if (kind !== 'Secret') continue
    for (const data of [raw.data, raw.stringData]) {
      if (typeof data !== 'object' || data === null) continue
      for (const value of Object.values(data)) {
        const plain = Buffer.from(String(value), 'base64').toString()
        if (plain.startsWith(PREFIX)) values.add(plain).add(String(value))
      }
    }
  }
  return [...values]
}

test.each(FLEET_NAMES)('the report on %s holds no value of a Secret', async name => {
  const fleet = await readRecorded(name)
  const values = canaries(fleet)
  expect(values.length).toBeGreaterThan(10)
  const text = JSON.stringify(await runDoctor(fleet))
  for (const value of [PREFIX, ...ENCODED, ...values]) expect(text.includes(value), value).toBe(false)
})

test('the typed fleet keeps no value of a Secret but the name and server of clusters, and certificates', async () => {
  for (const name of ['push-healthy', 'agent-healthy', 'upstream-healthy']) {
    const fleet = await readRecorded(name)
    const { hub, spokes } = (await fleet.load()).fleet
    const secrets = [hub, ...spokes.values()].flatMap(view => view.of('Secret').all)
    expect(secrets.length).toBeGreaterThan(5)
    // A certificate is public; what may not be in it is the key.
    const text = JSON.stringify(secrets, (key, value: unknown) => (key === 'certificate' ? undefined : value))
    for (const value of [PREFIX, ...ENCODED, ...canaries(fleet)]) expect(text.includes(value), value).toBe(false)
  }
})

test('would notice a value that leaks', async () => {
  const values = canaries(await readRecorded('push-healthy'))
  const leak = `a${PREFIX}hub-x-token`
  expect(values.some(value => value.startsWith(PREFIX))).toBe(true)
  for (const shift of ['', 'a', 'ab']) {
    const encoded = Buffer.from(`${shift}${leak}`).toString('base64')
    expect(ENCODED.some(part => encoded.includes(part))).toBe(true)
  }
})
