import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { parse } from 'yaml'
import type { DoctorReport } from '../../src/checks/report.ts'
import { runDoctor } from '../../src/doctor.ts'
import { listAt, text, textAt, valueAt } from '../../src/raw.ts'
import { openPath } from '../../src/source/open.ts'
import type { FleetSource } from '../../src/source/source.ts'
import { traceApp } from '../../src/trace/run.ts'
import { type ApiServers, START_TIMEOUT_MS, startApiServers } from '../support/apiserver.ts'
import { describeWithApiServer, hasApiServer } from '../support/describe.ts'
import { FLEET_NAMES, FLEETS, recordedFleet } from '../support/fleets.ts'
import { liveSource } from '../support/live.ts'
import { loadFleet } from '../support/load-fleet.ts'

/** A few of each model; `FLEETCTL_TEST_FLEETS=all` takes every recorded fleet (some minutes). */
const SOME = [
  'pull-healthy',
  'pull-rbac-forbidden-retrying',
  'pull-argocd-not-installed-on-spoke',
  'pull-switched-off',
  'push-binding-deleted',
  'push-works-cluster-proxy-addon-unavailable',
  'appset-rolebinding-deleted',
  'msa-deleted',
  'acm-2.14-healthy',
  'agent-healthy',
  'agent-client-cert-missing',
  'upstream-spoke-forbidden',
]
const NAMES = process.env.FLEETCTL_TEST_FLEETS === 'all' ? FLEET_NAMES : SOME

let servers: ApiServers
beforeAll(async () => {
  if (!hasApiServer) return
  servers = await startApiServers({ clusters: ['hub', 'bm', 'sno'] })
}, START_TIMEOUT_MS)
afterAll(() => servers?.stop())

/** What the report says, without the source and the time of the run. */
function substance({ findings, unknown, skipped, passed, suppressed, summary }: DoctorReport): unknown {
  return { findings, unknown, skipped, passed, suppressed, summary }
}

/** The recording's own times, so that ages do not grow with the age of the recording. */
function recordedAt(folder: string, cluster: string): number {
  return Date.parse(text(valueAt(parse(readFileSync(join(folder, cluster, 'index.yaml'), 'utf8')), 'recordedAt')))
}

describeWithApiServer('live and recorded, doctor and trace say the same', () => {
  it.each(NAMES)('%s', async name => {
    const folder = recordedFleet(name)
    await loadFleet(servers.servers, folder)
    const spokes = ['bm', 'sno'].filter(spoke => existsSync(join(folder, spoke, 'index.yaml')))
    const live = (): FleetSource => liveSource(servers, spokes, {}, { timeOf: cluster => recordedAt(folder, cluster) })
    const recorded = (): Promise<FleetSource> => openPath(folder, {})
    expect(substance(await runDoctor(live()))).toEqual(substance(await runDoctor(await recorded())))

    const expected: unknown = parse(readFileSync(join(FLEETS, `${name}.expected.yaml`), 'utf8'))
    for (const trace of listAt(expected, 'trace').slice(0, 2)) {
      const [namespace = '', app = ''] = textAt(trace, 'app').split('/')
      const ref = { namespace, name: app }
      const { source: _, clusters: __, ...ofLive } = await traceApp(live(), ref, {})
      const { source: ___, clusters: ____, ...ofRecorded } = await traceApp(await recorded(), ref, {})
      expect(ofLive).toEqual(ofRecorded)
    }
  })
})
