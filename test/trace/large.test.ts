import { describe, expect, it } from 'vitest'
import { traceApp } from '../../src/trace/run.ts'
import { readExpected } from '../support/expected.ts'
import { FLEET_NAMES, FLEETS, RecordedFleet, type RecordedObject, readRecorded } from '../support/fleets.ts'
import { RecordedParts } from '../support/recorded-parts.ts'

/** Requests to the hub, those of discovery included. */
const MOST_REQUESTS = 25

/**
 * Fleets whose fault lies in what several Applications have in common. On a large hub the others are not read, so the trace
 * names the same fault at the Application itself, or, where only the others show it, not at all.
 */
const SHARED: ReadonlySet<string> = new Set([
  'agent-hub-frozen-push',
  'cluster-proxy-down-first-minute',
  'mixed-push-and-pull-share-object',
  'pull-destination-namespace-missing',
  'pull-manual-sync-not-started',
  'pull-repo-credentials-missing',
  'pull-two-faults-manual-and-hook-blocks-deletion',
  'two-independent-faults',
])

/** The fleet with more managed clusters than a small hub has; nothing is delivered to them. */
function enlarged(fleet: RecordedFleet): RecordedFleet {
  const clusters = Array.from(
    { length: 100 },
    (_, i): RecordedObject => ({
      cluster: 'hub',
      kind: 'ManagedCluster',
      where: 'enlarged',
      raw: {
        apiVersion: 'cluster.open-cluster-management.io/v1',
        kind: 'ManagedCluster',
        metadata: { name: `idle-${i}`, uid: `idle-${i}` },
        spec: {},
      },
    }),
  )
  return new RecordedFleet(fleet.name, [...fleet.objects, ...clusters], fleet.report)
}

describe('on a large hub', () => {
  it.each(FLEET_NAMES.filter(name => !SHARED.has(name)))('%s: breaks where the whole hub says', async name => {
    const fleet = enlarged(await readRecorded(name))
    for (const { app } of readExpected(FLEETS, name).trace ?? []) {
      const slash = app.indexOf('/')
      const ref = slash < 0 ? { name: app } : { namespace: app.slice(0, slash), name: app.slice(slash + 1) }
      const parts = new RecordedParts(fleet)
      const [whole, narrow] = [await traceApp(fleet, ref), await traceApp(parts, ref)]
      expect({ at: narrow.firstBroken, code: narrow.finding?.code }, app).toEqual({
        at: whole.firstBroken,
        code: whole.finding?.code,
      })
      expect(parts.requests.length, parts.requests.join('\n')).toBeLessThanOrEqual(MOST_REQUESTS)
      const lists = parts.requests.filter(r =>
        /^(manifestworks|managedclusteraddons|managedserviceaccounts|applications)$/.test(r),
      )
      expect(lists, 'whole kinds').toEqual([])
    }
  })
})
