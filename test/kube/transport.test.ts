import { afterAll, beforeAll, expect, it } from 'vitest'
import { Connection } from '../../src/kube/connection.ts'
import { loadKubeconfig } from '../../src/kube/kubeconfig.ts'
import type { Resource } from '../../src/kube/resource.ts'
import { resolveTarget } from '../../src/kube/target.ts'
import { createTransport, type KubeTransport } from '../../src/kube/transport.ts'
import { valueAt } from '../../src/raw.ts'
import { type ApiServers, START_TIMEOUT_MS, startApiServers } from '../support/apiserver.ts'
import { describeWithApiServer, hasApiServer } from '../support/describe.ts'

const core = (plural: string, kind: string): Resource => ({ group: '', version: 'v1', plural, kind, namespaced: true })
const CONFIG_MAPS = core('configmaps', 'ConfigMap')
const SECRETS = core('secrets', 'Secret')
const REVIEWS: Resource = {
  group: 'authorization.k8s.io',
  version: 'v1',
  plural: 'selfsubjectaccessreviews',
  kind: 'SelfSubjectAccessReview',
  namespaced: false,
}
const NAME = { namespace: 'default', name: 'settings' }

let servers: ApiServers
let admin: KubeTransport
beforeAll(async () => {
  if (!hasApiServer) return
  servers = await startApiServers({ clusters: ['hub'], users: [{ name: 'nobody' }] })
  admin = connect('hub')
}, START_TIMEOUT_MS)
afterAll(() => servers?.stop())

function connect(context: string): KubeTransport {
  const place = { env: { KUBECONFIG: servers.kubeconfig }, home: servers.folder }
  return createTransport(new Connection(resolveTarget(loadKubeconfig(place), { context }, place), { env: {} }))
}

const settings = (data: object): Record<string, unknown> => ({ metadata: NAME, data })

describeWithApiServer('the transport', () => {
  it('applies, first dry and then for good; the same again changes nothing', async () => {
    const dry = await admin.apply(CONFIG_MAPS, settings({ a: '1' }), { fieldManager: 'fleetctl', dryRun: true })
    expect(valueAt(dry, 'data')).toEqual({ a: '1' })
    await expect(admin.get(CONFIG_MAPS, NAME)).rejects.toMatchObject({ failure: 'not-found' })
    const first = await admin.apply(CONFIG_MAPS, settings({ a: '1' }), { fieldManager: 'fleetctl' })
    const again = await admin.apply(CONFIG_MAPS, settings({ a: '1' }), { fieldManager: 'fleetctl' })
    expect(valueAt(again, 'metadata', 'resourceVersion')).toBe(valueAt(first, 'metadata', 'resourceVersion'))
    expect(valueAt(first, 'metadata', 'managedFields', '0')).toBeUndefined()
  })

  it('is refused the fields of another manager, unless it takes them over', async () => {
    const change = settings({ a: '2' })
    await expect(admin.apply(CONFIG_MAPS, change, { fieldManager: 'other' })).rejects.toMatchObject({
      failure: 'conflict',
      exitCode: 6,
      reason: expect.stringMatching(/conflict with "fleetctl".*\.data\.a/),
    })
    const taken = await admin.apply(CONFIG_MAPS, change, { fieldManager: 'other', force: true })
    expect(valueAt(taken, 'data', 'a')).toBe('2')
  })

  it('is refused fields that the kind does not have', async () => {
    const wrong = { ...settings({}), dataa: {} }
    await expect(admin.apply(CONFIG_MAPS, wrong, { fieldManager: 'fleetctl' })).rejects.toMatchObject({
      failure: expect.stringMatching(/rejected|server-error/),
      reason: expect.stringContaining('dataa'),
    })
  })

  it('removes only what is still as it was', async () => {
    await expect(admin.remove(CONFIG_MAPS, NAME, { uid: 'another' })).rejects.toMatchObject({ failure: 'conflict' })
    await admin.remove(CONFIG_MAPS, NAME, { dryRun: true })
    const uid = String(valueAt(await admin.get(CONFIG_MAPS, NAME), 'metadata', 'uid'))
    await admin.remove(CONFIG_MAPS, NAME, { uid, propagation: 'Background' })
    await expect(admin.get(CONFIG_MAPS, NAME)).rejects.toMatchObject({ failure: 'not-found' })
  })

  it('tells an absent object, an absent kind and a refused one apart', async () => {
    await expect(admin.get(CONFIG_MAPS, { namespace: 'default', name: 'nope' })).rejects.toMatchObject({
      failure: 'not-found',
      reason: 'cannot get configmaps "nope" in namespace "default" on the hub: there is no such object',
    })
    await expect(admin.get({ ...CONFIG_MAPS, plural: 'dreams' }, NAME)).rejects.toMatchObject({ failure: 'not-served' })
    await expect(connect('nobody@hub').get(CONFIG_MAPS, NAME)).rejects.toMatchObject({
      failure: 'forbidden',
      reason: expect.stringContaining('forbidden for user "nobody" (need: get configmaps)'),
    })
  })

  it('gets Secrets without their values', async () => {
    await servers.server('hub').request('POST', '/api/v1/namespaces/default/secrets', {
      metadata: { name: 'password' },
      stringData: { password: 'hunter2' },
    })
    const secret = await admin.get(SECRETS, { namespace: 'default', name: 'password' })
    expect(valueAt(secret, 'data')).toEqual({ password: '' })
    expect(JSON.stringify(secret)).not.toContain(Buffer.from('hunter2').toString('base64'))
  })

  it('asks what the user may do', async () => {
    const may = async (context: string): Promise<unknown> => {
      const spec = { resourceAttributes: { verb: 'list', resource: 'secrets', namespace: 'default' } }
      return valueAt(await connect(context).review(REVIEWS, { spec }), 'status', 'allowed')
    }
    expect(await may('hub')).toBe(true)
    expect(await may('nobody@hub')).toBe(false)
  })
})
