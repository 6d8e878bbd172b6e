import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { CHECKS } from '../../src/checks/registry.ts'
import { diagnose } from '../../src/diagnosis.ts'
import { runDoctor } from '../../src/doctor.ts'
import { isObject, listAt, type RawObject, text, valueAt } from '../../src/raw.ts'
import type { FleetSource } from '../../src/source/source.ts'
import { traceApp } from '../../src/trace/run.ts'
import { parseGoal } from '../../src/wait/goals.ts'
import { judge } from '../../src/wait/judge.ts'
import { lookAt } from '../../src/wait/look.ts'
import { type ApiServers, START_TIMEOUT_MS, startApiServers } from '../support/apiserver.ts'
import { describeWithApiServer, hasApiServer } from '../support/describe.ts'
import { readExpected } from '../support/expected.ts'
import { FLEETS, recordedFleet } from '../support/fleets.ts'
import { liveSource } from '../support/live.ts'
import { loadFleet } from '../support/load-fleet.ts'
import { type CopyOf, multiply } from '../support/multiply.ts'

const MOST_REQUESTS = 25
const ARGO = '/apis/argoproj.io/v1alpha1'
const APPLICATIONS = 'argoproj.io/applications'
const CLUSTERS = 'cluster.open-cluster-management.io/managedclusters'
const MANAGED = '/apis/cluster.open-cluster-management.io/v1/managedclusters'

let servers: ApiServers
beforeAll(async () => {
  if (hasApiServer) servers = await startApiServers({ clusters: ['hub'] })
}, START_TIMEOUT_MS)
afterAll(() => servers?.stop())

const live = (): FleetSource => liveSource(servers, [])
/** The same hub, which has to be read whole. */
const whole = (): FleetSource => {
  const source = live()
  return { type: source.type, name: source.name, read: (...asked) => source.read(...asked) }
}

/** What was asked of the hub meanwhile. */
async function asked<T>(run: () => Promise<T>): Promise<{ readonly result: T; readonly requests: readonly string[] }> {
  const hub = servers.server('hub')
  const mark = await hub.mark()
  const result = await run()
  return { result, requests: (await hub.audit(mark)).map(e => `${e.verb} ${e.uri}`) }
}

async function load(name: string): Promise<void> {
  const { etcd, prefix } = servers.server('hub')
  for (const folder of [APPLICATIONS, CLUSTERS]) await etcd.remove(`${prefix}/${folder}/`, true)
  await loadFleet(servers.servers, recordedFleet(name), { asOfNow: true })
  // A new kind answers 429 until its cache is filled, and each retry would count.
  await runDoctor(live())
}

/** Thousands of managed clusters and Applications beside those that are there. */
async function enlarge(model: CopyOf): Promise<void> {
  const hub = servers.server('hub')
  await multiply(hub, { ...model, at: `${ARGO}/namespaces/${model.namespace}/applications/${model.name}` }, 2_000)
  const cluster = text(valueAt(listAt(await hub.request('GET', MANAGED), 'items')[0], 'metadata', 'name'))
  await multiply(hub, { at: `${MANAGED}/${cluster}`, folder: CLUSTERS, namespace: '', name: cluster }, 1_000)
}

describeWithApiServer('what one Application needs of a live hub', () => {
  describe('wait app', () => {
    const goal = parseGoal('app', 'healthy', undefined, 1)

    it.each(['pull-healthy', 'pull-rbac-forbidden-gave-up', 'push-binding-deleted', 'agent-healthy'])(
      '%s: each look asks at most 25 times, and judges as over the whole hub',
      async name => {
        await load(name)
        for (const { app } of readExpected(FLEETS, name).trace ?? []) {
          const slash = app.indexOf('/')
          const target = { namespace: app.slice(0, slash), name: app.slice(slash + 1) }
          const { result, requests } = await asked(() => lookAt(live(), goal, [target]))
          expect(requests.length, requests.join('\n')).toBeLessThanOrEqual(MOST_REQUESTS)
          expect(result.members).toEqual(judge(await diagnose(whole(), CHECKS), goal, [target]))
        }
      },
    )

    it('asks no more on a hub of thousands of clusters and Applications', async () => {
      await load('pull-healthy')
      const names = ['branding-bm', 'branding-sno'].map(name => ({ namespace: 'openshift-gitops', name }))
      await enlarge({ folder: APPLICATIONS, namespace: 'openshift-gitops', name: 'branding-bm' })
      const { result, requests } = await asked(() => lookAt(live(), goal, names))
      expect(requests.length, requests.join('\n')).toBeLessThanOrEqual(MOST_REQUESTS * names.length)
      expect(requests.filter(uri => /\/applications\?(?!.*metadata\.name)/.test(uri))).toEqual([])
      expect(result.members.map(m => m.state)).toEqual(['met', 'met'])
      expect(result.members).toEqual(judge(await diagnose(whole(), CHECKS), goal, names))
    })

    it('looks over the whole hub for one that is not there yet', async () => {
      await load('pull-healthy')
      const { members } = await lookAt(live(), goal, [{ name: 'branding-bn' }])
      expect(members).toMatchObject([
        { state: 'waiting', reason: 'does not exist; did you mean openshift-gitops/branding-bm?' },
      ])
    })
  })

  describe('Applications that are taken from their agents', () => {
    const NAME = 'branding-bottom-bm'
    const APP = { folder: APPLICATIONS, namespace: 'openshift-gitops', name: NAME }
    const SET = { folder: 'argoproj.io/applicationsets', namespace: 'openshift-gitops', name: 'branding-bottom-agent' }

    /** Changes the spec of an object below the API server, as if it had always been so. */
    async function change({ folder, namespace, name }: CopyOf, edit: (spec: RawObject) => RawObject): Promise<void> {
      const hub = servers.server('hub')
      const object = await hub.request('GET', `${ARGO}/namespaces/${namespace}/${folder.split('/')[1]}/${name}`)
      if (!isObject(object) || !isObject(object.spec) || !isObject(object.metadata)) throw new Error(name)
      const { resourceVersion: _, ...metadata } = object.metadata
      const changed = { ...object, metadata, spec: edit(object.spec) }
      await hub.etcd.put([[`${hub.prefix}/${folder}/${namespace}/${name}`, changed]])
    }

    const setDestination = (destination: RawObject) =>
      change(SET, spec => {
        const template = isObject(spec.template) ? spec.template : {}
        return {
          ...spec,
          template: { ...template, spec: { ...(isObject(template.spec) ? template.spec : {}), destination } },
        }
      })

    it.each<[string, () => Promise<void>]>([
      ['by a changed template', () => setDestination({ server: '{{server}}' })],
      ['by a template for one agent', () => setDestination({ name: 'sno' })],
    ])('%s: are found by their own secrets alone, on a small hub and on a large one', async (_, make) => {
      await load('agent-healthy')
      await make()
      const said = async (source: FleetSource) => {
        const { finding, firstBroken, hops } = await traceApp(source, APP)
        return { finding, firstBroken, hops: hops.map(hop => [hop.subject, hop.state]) }
      }
      const small = await asked(() => said(live()))
      expect(small.result.finding).toMatchObject({ code: 'FLT0846', subject: { name: SET.name } })
      expect(small.result).toEqual(await said(whole()))
      await enlarge(APP)
      const large = await asked(() => said(live()))
      expect(large.result.finding).toMatchObject({ code: 'FLT0846', subject: { name: SET.name } })
      expect(large.result.firstBroken).toEqual(small.result.firstBroken)
      expect(large.requests.length, large.requests.join('\n')).toBeLessThanOrEqual(MOST_REQUESTS)
      const secrets = large.requests.filter(uri => /\/secrets\?/.test(uri)).map(decodeURIComponent)
      expect(secrets.length).toBeGreaterThan(0)
      // Each list asks for those of this cluster, or for those that say of no cluster that they are its own.
      const isNarrow = (uri: string): boolean =>
        /cluster-name=bm|agent-name=bm/.test(uri) || /!apps\.open-cluster-management\.io\/cluster-name/.test(uri)
      expect(secrets.filter(uri => !isNarrow(uri))).toEqual([])
    })
  })
})
