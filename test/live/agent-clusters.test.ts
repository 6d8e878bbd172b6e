import { afterAll, beforeAll, expect, it } from 'vitest'
import { type RawObject, textAt } from '../../src/raw.ts'
import { LIMIT, type SwitchedTestHub, startSwitchedHub } from '../support/agent-hub.ts'
import { ARGO } from '../support/agent-lab.ts'
import { START_TIMEOUT_MS } from '../support/apiserver.ts'
import type { BootstrapHub } from '../support/bootstrap-hub.ts'
import { describeWithApiServer, hasApiServer } from '../support/describe.ts'
import type { LiveCli } from '../support/live-cli.ts'

let started: SwitchedTestHub
let hub: BootstrapHub
let cli: LiveCli
let whole: ReadonlyMap<string, RawObject>

beforeAll(async () => {
  if (!hasApiServer) return
  started = await startSwitchedHub()
  ;({ hub, cli, whole } = started)
}, START_TIMEOUT_MS)
afterAll(() => started?.stop())

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
    const left = await started.settled()
    const gone = [...whole.keys()].filter(key => !left.has(key)).map(key => key.slice(key.indexOf(' ') + 1))
    expect(gone.sort()).toEqual([
      `${ARGO}/cluster-sno`,
      `${ARGO}/edge-agent-sno`,
      'sno/argocd-agent-ca-mw',
      'sno/gitops-addon',
      'sno/gitops-addon-config',
    ])
    await run('add', 'sno')
    expect([...(await started.settled()).keys()].sort()).toEqual([...whole.keys()].sort())
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
