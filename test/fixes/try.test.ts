import { expect, test } from 'vitest'
import { FLEET_NAMES, readRecorded } from '../support/fleets.ts'
import { diagnosed, keysOf, mend, mendable } from './prove.ts'
test('try', { timeout: 600000 }, async () => {
  const out: string[] = []
  for (const name of FLEET_NAMES) {
    const fleet = await readRecorded(name)
    const before = await diagnosed(fleet)
    const keys = keysOf(before)
    for (const m of mendable(before)) {
      try {
        const mended = await mend(fleet, m)
        const after = keysOf(await diagnosed(mended.fleet))
        const fresh = [...after].filter(k => !keys.has(k))
        const gone = [...keys].filter(k => !after.has(k))
        out.push(`${after.has(m.key) ? 'STAYS' : 'gone '} ${name} ${m.key} ${fresh.length ? `NEW ${fresh.join('; ')}` : ''} [gone ${gone.length}/${keys.size}]`)
      } catch (e) { out.push(`THROW ${name} ${m.key} ${e instanceof Error ? e.message : e}`) }
    }
  }
  console.log(out.join('\n'))
  expect(1).toBe(1)
})
