import { afterAll, beforeAll, expect, it } from 'vitest'
import { type RawObject, textAt } from '../../src/raw.ts'
import { AgentLab, ARGO, baseObjects, GOC, PLACEMENT, snapshotOf } from '../support/agent-lab.ts'
import { type ApiServers, START_TIMEOUT_MS, startApiServers } from '../support/apiserver.ts'
import { BootstrapHub } from '../support/bootstrap-hub.ts'
import { describeWithApiServer, hasApiServer } from '../support/describe.ts'
import { LiveCli } from '../support/live-cli.ts'

let servers: ApiServers
let hub: BootstrapHub
let cli: LiveCli
let lab: AgentLab
let whole: ReadonlyMap<string, RawObject>

const LIMIT = ['--yes', '--timeout', '90s']
const GIT = ['--repo-url', 'https://git.example.test/fleet.git', '--path', 'apps/{{name}}', '--appset', 'edge-agent']
const CHOICE = ['--set', 'edge', '--clusters', 'bm,sno', '--placement', PLACEMENT, '--gitopscluster', GOC]

beforeAll(async () => {
  if (!hasApiServer) return
  servers = await startApiServers({ clusters: ['hub'] })
  hub = new BootstrapHub(servers.server('hub'))
  await hub.installDefinitions()
  await snapshotOf(hub)
  for (const object of baseObjects()) await hub.create(object)
  lab = new AgentLab(hub)
  await lab.once()
  lab.start()
  cli = new LiveCli(servers.server('hub').kubeconfig)
  const done = await cli.run(['agent', 'enable', ...CHOICE, ...GIT, '--setup', 'hybrid', ...LIMIT])
  if (done.code !== 0) throw new Error(done.stderr)
  whole = await settled()
}, START_TIMEOUT_MS)
afterAll(async () => {
  await lab?.stop()
  cli?.end()
  await servers?.stop()
})

async function settled(): Promise<ReadonlyMap<string, RawObject>> {
  await new Promise(resolve => setTimeout(resolve, 2_000))
  return snapshotOf(hub)
}

async function run(...argv: readonly string[]): Promise<string> {
  const { code, stdout, stderr } = await cli.run(['agent', ...argv, ...LIMIT])
  expect({ code, stderr: code === 0 ? '' : stderr }).toEqual({ code: 0, stderr: '' })
  return stdout
}

describeWithApiServer('single clusters of a hub of agents', () => {
  it('takes one its agent, with its Application and all that ACM made for it, and gives it one again', async () => {
    const refused = await cli.run(['agent', 'remove', 'sno', ...LIMIT])
    expect(refused).toMatchObject({ code: 6, stderr: expect.stringContaining('--accept-lost') })
    await run('remove', 'sno', '--accept-lost', 'edge-agent-sno')
    const left = await settled()
    const gone = [...whole.keys()].filter(key => !left.has(key)).map(key => key.slice(key.indexOf(' ') + 1))
    expect(gone.sort()).toEqual([
      `${ARGO}/cluster-sno`,
      `${ARGO}/edge-agent-sno`,
      'sno/argocd-agent-ca-mw',
      'sno/gitops-addon',
      'sno/gitops-addon-config',
    ])
    await run('add', 'sno')
    expect([...(await settled()).keys()].sort()).toEqual([...whole.keys()].sort())
  }, 200_000)

  it('has certificates issued anew before the principal starts again', async () => {
    // No ReplicaSet controller runs here: a pod that has the name which one would give it.
    const pod = {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: `${ARGO}-agent-principal-6c8d9f7b5-x2x4z`, namespace: ARGO },
      spec: { containers: [{ name: 'principal', image: 'registry.example.test/agent' }] },
    }
    await hub.create(pod)
    const names = [
      'argocd-agent-principal-tls',
      'argocd-agent-resource-proxy-tls',
      'argocd-agent-ca',
      'argocd-agent-jwt',
    ]
    const uids = async (): Promise<string[]> =>
      Promise.all(
        names.map(async name =>
          textAt(
            await hub.get({ apiVersion: 'v1', kind: 'Secret', metadata: { name, namespace: ARGO } }),
            'metadata',
            'uid',
          ),
        ),
      )
    const old = await uids()
    const text = await run('rotate-certs')
    const fresh = await uids()
    expect(fresh.map((uid, i) => uid !== '' && uid !== old[i])).toEqual([true, true, false, false])
    expect(await hub.get(pod)).toBeUndefined()
    expect(text.indexOf('is made anew')).toBeLessThan(text.lastIndexOf('pod/'))
  }, 120_000)
})
