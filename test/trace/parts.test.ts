import { describe, expect, it } from 'vitest'
import { traceApp } from '../../src/trace/run.ts'
import type { ApplicationTrace } from '../../src/trace/trace.ts'
import { readExpected } from '../support/expected.ts'
import { FLEET_NAMES, FLEETS, readRecorded } from '../support/fleets.ts'
import { RecordedParts } from '../support/recorded-parts.ts'

/** Requests to the hub, those of discovery included. */
const MOST_REQUESTS = 25

/** Where the way breaks and why, what else comes of it, and how each hop is. */
function substance({ firstBroken, finding, model, spoke, hops }: ApplicationTrace): unknown {
  return { firstBroken, finding, model, spoke, hops }
}

describe('a trace that reads by name and label', () => {
  it.each(FLEET_NAMES)('%s: says what the whole hub says', async name => {
    const fleet = await readRecorded(name)
    for (const { app } of readExpected(FLEETS, name).trace ?? []) {
      const slash = app.indexOf('/')
      const ref = slash < 0 ? { name: app } : { namespace: app.slice(0, slash), name: app.slice(slash + 1) }
      const parts = new RecordedParts(fleet)
      expect(substance(await traceApp(parts, ref)), app).toEqual(substance(await traceApp(fleet, ref)))
      expect(parts.requests.length, parts.requests.join('\n')).toBeLessThanOrEqual(MOST_REQUESTS)
    }
  })
})
