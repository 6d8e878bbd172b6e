import { afterAll, beforeAll, expect, it } from 'vitest'
import { runDoctor } from '../../src/doctor.ts'
import { isObject, listAt, text, textAt } from '../../src/raw.ts'
import { traceApp } from '../../src/trace/run.ts'
import { type ApiServers, START_TIMEOUT_MS, startApiServers } from '../support/apiserver.ts'
import { describeWithApiServer, hasApiServer } from '../support/describe.ts'
import { readExpected } from '../support/expected.ts'
import { FLEETS, recordedFleet } from '../support/fleets.ts'
import { liveSource } from '../support/live.ts'
import { loadFleet } from '../support/load-fleet.ts'

const MOST_REQUESTS = 25

let servers: ApiServers
beforeAll(async () => {
  if (hasApiServer) servers = await startApiServers({ clusters: ['hub'], users: [{ name: 'nobody' }] })
}, START_TIMEOUT_MS)
afterAll(() => servers?.stop())

/** Copies of an object of the hub under other names, written below the API server. */
async function multiply(at: string, inEtcd: string, count: number, rename: (i: number) => object): Promise<void> {
  const hub = servers.server('hub')
  const model = await hub.request('GET', at)
  if (!isObject(model)) throw new Error(at)
  const { resourceVersion: _, uid: __, ...metadata } = isObject(model.metadata) ? model.metadata : {}
  const entries = Array.from({ length: count }, (_, i): [string, unknown] => {
    const changed: Record<string, unknown> = { ...metadata, uid: `00000000-0000-4000-8000-${i}`, ...rename(i) }
    const namespace = text(changed.namespace)
    const key = `${hub.prefix}/${inEtcd}/${namespace === '' ? '' : `${namespace}/`}${text(changed.name)}`
    return [key, { ...model, metadata: changed }]
  })
  await hub.etcd.put(entries)
}

const APPS = '/apis/argoproj.io/v1alpha1/namespaces/openshift-gitops/applications'

describeWithApiServer('trace of one Application on a live hub', () => {
  it('asks at most 25 times, with thousands of clusters and Applications too, and says the same', async () => {
    await loadFleet(servers.servers, recordedFleet('pull-healthy'))
    const hub = servers.server('hub')
    const name = readExpected(FLEETS, 'pull-healthy').trace?.[0]?.app.split('/')[1] ?? ''
    // A new kind answers 429 until its cache is filled, and each retry would count.
    await runDoctor(liveSource(servers, []))
    const trace = async (): Promise<{ readonly asked: readonly string[]; readonly trace: unknown }> => {
      const mark = await hub.mark()
      const { hops, model, spoke, firstBroken } = await traceApp(liveSource(servers, []), { name })
      const asked = (await hub.audit(mark)).map(e => `${e.verb} ${e.uri}`)
      return { asked, trace: { hops: hops.map(h => [h.subject, h.state]), model, spoke, firstBroken } }
    }
    const small = await trace()
    expect(small.asked.length, small.asked.join('\n')).toBeLessThanOrEqual(MOST_REQUESTS)
    await multiply(`${APPS}/${name}`, 'argoproj.io/applications', 3_000, i => ({
      name: `more-${i}`,
      ownerReferences: [],
    }))
    const clusters = '/apis/cluster.open-cluster-management.io/v1/managedclusters'
    const first = listAt(await hub.request('GET', clusters), 'items')[0]
    const model = `${clusters}/${textAt(first, 'metadata', 'name')}`
    await multiply(model, 'cluster.open-cluster-management.io/managedclusters', 2_000, i => ({
      name: `more-${i}`,
      labels: {},
    }))
    const large = await trace()
    expect(large.asked.length, large.asked.join('\n')).toBeLessThanOrEqual(MOST_REQUESTS)
    expect(large.trace).toEqual(small.trace)
    // No list of all Applications, no Secret of another cluster.
    expect(large.asked.filter(uri => /\/applications\?(?!.*metadata\.name)/.test(uri))).toEqual([])
    expect(large.asked.filter(uri => /\/secrets\?/.test(uri) && !/cluster-name/.test(uri))).toEqual([])
  })

  it('who may not see Applications is told so', async () => {
    const tracing = traceApp(liveSource(servers, [], { context: 'nobody@hub' }), { name: 'branding-bm' })
    await expect(tracing).rejects.toThrow(/cannot look for Application "branding-bm": .*forbidden/)
  })
})
