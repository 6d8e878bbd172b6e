import { spawn } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type RawObject, textAt, valueAt } from '../../src/raw.ts'
import { type AgentTestHub, CHOICE, LIMIT, startAgentHub } from '../support/agent-hub.ts'
import { type AgentLab, ARGO } from '../support/agent-lab.ts'
import { type ApiServers, START_TIMEOUT_MS } from '../support/apiserver.ts'
import type { BootstrapHub } from '../support/bootstrap-hub.ts'
import { describeWithApiServer, hasApiServer } from '../support/describe.ts'
import { expectSchema } from '../support/expect-schema.ts'
import { LiveCli } from '../support/live-cli.ts'

const BIN = fileURLToPath(new URL('../../bin/fleetctl.js', import.meta.url))

let started: AgentTestHub
let servers: ApiServers
let hub: BootstrapHub
let cli: LiveCli
let lab: AgentLab
let before: ReadonlyMap<string, RawObject>

const ENABLE = [...['agent', 'enable', ...CHOICE], ...['--accept-frozen', 'hub-branding,house-hub', ...LIMIT]]

const at = (name: string, kind: string) => ({
  apiVersion: 'argoproj.io/v1alpha1',
  kind,
  metadata: { name, namespace: ARGO },
})
const destination = { server: 'https://kubernetes.default.svc', namespace: 'house' }
const source = { repoURL: 'https://git.example.test/house.git', path: '.', targetRevision: 'main' }

/** An ApplicationSet of the hub itself with its Application, in place of the controller that would make that. */
async function makeHouse(hub: BootstrapHub, name: string, spec: RawObject, annotations: RawObject = {}): Promise<void> {
  const set = {
    ...at(name, 'ApplicationSet'),
    metadata: { name, namespace: ARGO, annotations },
    spec: {
      generators: [{ list: { elements: [{ cluster: 'hub' }] } }],
      template: { metadata: { name: `${name}-{{cluster}}` }, spec: { project: 'default', source, destination } },
      ...spec,
    },
  }
  await hub.create(set)
  const uid = textAt(await hub.get(set), 'metadata', 'uid')
  await hub.create({
    ...at(`${name}-hub`, 'Application'),
    metadata: {
      name: `${name}-hub`,
      namespace: ARGO,
      ownerReferences: [{ apiVersion: 'argoproj.io/v1alpha1', kind: 'ApplicationSet', name, uid, controller: true }],
    },
    spec: { project: 'default', source, destination },
  })
}

beforeAll(async () => {
  if (!hasApiServer) return
  started = await startAgentHub(there =>
    makeHouse(there, 'house', { syncPolicy: { preserveResourcesOnDeletion: true } }, { 'example.test/kept': 'yes' }),
  )
  ;({ servers, hub, cli, lab } = started)
  lab.start()
  before = await started.settled()
}, START_TIMEOUT_MS)
afterAll(() => started?.stop())

async function run(argv: readonly string[]): Promise<string> {
  const { code, stdout, stderr } = await cli.run(argv)
  expect({ argv, code, stderr: code === 0 ? '' : stderr }).toEqual({ argv, code: 0, stderr: '' })
  return stdout
}

const policy = async (): Promise<unknown> =>
  valueAt(await hub.get(at('house', 'ApplicationSet')), 'spec', 'syncPolicy', 'applicationsSync')

describeWithApiServer('ApplicationSets during a switch', () => {
  it('are held from the first write to the last, and have then what they had', async () => {
    const wasThere = before.get(`/apis/argoproj.io/v1alpha1/applicationsets ${ARGO}/house`)
    expect(wasThere).toBeDefined()
    const text = await run([...ENABLE, '--pause-after', 'hold'])
    expect(text).toMatch(/^Hold\n +1 configure +applicationset\.argoproj\.io\/house/m)
    expect(await policy()).toBe('create-only')
    // Nothing else was written yet.
    const held = await started.settled()
    expect([...held.keys()].filter(key => !before.has(key) && !key.includes('/leases '))).toEqual([])
    await run(['agent', 'enable', '--resume', ...LIMIT])
    const after = await started.settled()
    expect(after.get(`/apis/argoproj.io/v1alpha1/applicationsets ${ARGO}/house`)).toEqual(wasThere)
    const again = JSON.parse(await run([...ENABLE, '-o', 'json']))
    expect(new Set(again.results.map((r: { outcome: string }) => r.outcome))).toEqual(new Set(['unchanged']))
    await run(['agent', 'revert', ...LIMIT])
    expect(await started.settled()).toEqual(before)
  }, 200_000)

  it('are let go by the way back of half a switch', async () => {
    await run([...ENABLE, '--pause-after', 'principal'])
    expect(await policy()).toBe('create-only')
    await run(['agent', 'revert', ...LIMIT])
    expect(await started.settled()).toEqual(before)
  }, 120_000)

  it('are let go by another run of a switch that did not end, also when somebody has changed them', async () => {
    await run([...ENABLE, '--pause-after', 'principal'])
    await hub.patch(at('house', 'ApplicationSet'), { spec: { goTemplate: true } }, 'somebody')
    await run(ENABLE)
    const spec = valueAt(await hub.get(at('house', 'ApplicationSet')), 'spec')
    expect(spec).toMatchObject({ goTemplate: true, syncPolicy: { preserveResourcesOnDeletion: true } })
    expect(await policy()).toBeUndefined()
    await hub.patch(at('house', 'ApplicationSet'), { spec: { goTemplate: null } }, 'somebody')
    await run(['agent', 'revert', ...LIMIT])
    expect(await started.settled()).toEqual(before)
  }, 200_000)

  it('are let go by a run that goes on where another was killed while it held them', async () => {
    const env = { ...process.env, ...cli.env() }
    const child = spawn(process.execPath, [BIN, ...ENABLE], { env, stdio: 'ignore' })
    const gone = new Promise(resolve => child.once('exit', resolve))
    for (let i = 0; i < 600 && (await policy()) !== 'create-only'; i++) await new Promise(r => setTimeout(r, 50))
    child.kill('SIGKILL')
    await gone
    expect(await policy()).toBe('create-only')
    await run(['agent', 'enable', '--resume', ...LIMIT])
    const key = `/apis/argoproj.io/v1alpha1/applicationsets ${ARGO}/house`
    expect((await started.settled()).get(key)).toEqual(before.get(key))
    await run(['agent', 'revert', ...LIMIT])
    expect(await started.settled()).toEqual(before)
  }, 200_000)

  it('are left where Git keeps them, which is said, and are no part of files for Git', async () => {
    const plan = JSON.parse(await run([...ENABLE, '--dry-run=client', '-o', 'json']))
    const held = (p: typeof plan): string[] =>
      p.steps
        .filter((s: { section: string }) => s.section === 'Hold')
        .map((s: { subject: { name: string } }) => s.subject.name)
    expect(held(plan)).toEqual(['house'])
    expectSchema('Plan', plan)
    const folder = join(cli.state, 'files')
    await run([...ENABLE, '--export', folder])
    expect(readdirSync(folder).filter(file => file.includes('house'))).toEqual([])
    const tracking = { 'argocd.argoproj.io/tracking-id': `root:argoproj.io/ApplicationSet:${ARGO}/house` }
    await hub.patch(at('house', 'ApplicationSet'), { metadata: { annotations: tracking } }, 'argocd-controller')
    const kept = JSON.parse(await run([...ENABLE, '--dry-run=client', '-o', 'json']))
    expect(held(kept)).toEqual([])
    expect(kept.notes).toContainEqual(expect.objectContaining({ level: 'warning', code: 'not-held' }))
    const none = { 'argocd.argoproj.io/tracking-id': null }
    await hub.patch(at('house', 'ApplicationSet'), { metadata: { annotations: none } }, 'argocd-controller')
  }, 60_000)

  it('are let go without a journal', async () => {
    await run([...ENABLE, '--pause-after', 'principal'])
    const blind = new LiveCli(servers.server('hub').kubeconfig)
    const { code, stderr } = await blind.run(['agent', 'revert', ...LIMIT])
    blind.end()
    expect({ code, stderr }).toMatchObject({ code: 0 })
    const key = `/apis/argoproj.io/v1alpha1/applicationsets ${ARGO}/house`
    expect((await started.settled()).get(key)).toEqual(before.get(key))
  }, 120_000)
})
