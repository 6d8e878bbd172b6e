import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { isObject, type RawObject, valueAt } from '../../src/raw.ts'
import { LIMIT, type SwitchedTestHub, startSwitchedHub } from '../support/agent-hub.ts'
import { ARGO } from '../support/agent-lab.ts'
import { ADMIN_TOKEN, type ApiServers, START_TIMEOUT_MS } from '../support/apiserver.ts'
import type { BootstrapHub } from '../support/bootstrap-hub.ts'
import { describeWithApiServer, hasApiServer } from '../support/describe.ts'
import { startFaultProxy } from '../support/fault-proxy.ts'
import { LiveCli, type LiveOutcome } from '../support/live-cli.ts'
import { pki } from '../support/pki.ts'

let started: SwitchedTestHub
let servers: ApiServers
let hub: BootstrapHub
let cli: LiveCli
let whole: ReadonlyMap<string, RawObject>

const BOTH = 'edge-agent-bm,edge-agent-sno'
const argo = { apiVersion: 'argoproj.io/v1beta1', kind: 'ArgoCD', metadata: { name: ARGO, namespace: ARGO } }
const project = {
  apiVersion: 'argoproj.io/v1alpha1',
  kind: 'AppProject',
  metadata: { name: 'default', namespace: ARGO },
}
const set = {
  apiVersion: 'argoproj.io/v1alpha1',
  kind: 'ApplicationSet',
  metadata: { name: 'edge-agent', namespace: ARGO },
}

beforeAll(async () => {
  if (!hasApiServer) return
  started = await startSwitchedHub()
  ;({ servers, hub, cli, whole } = started)
}, START_TIMEOUT_MS)
afterAll(() => started?.stop())
beforeEach(async () => {
  if (hasApiServer) expect(await started.settled()).toEqual(whole)
})

async function run(...argv: readonly string[]): Promise<string> {
  const { code, stdout, stderr } = await cli.run([...argv, ...LIMIT])
  expect({ argv, code, stderr: code === 0 ? '' : stderr }).toEqual({ argv, code: 0, stderr: '' })
  return stdout
}

const lastRun = async (): Promise<string> =>
  JSON.parse((await cli.run(['plan', 'list', '-o', 'json'])).stdout).runs.at(-1).id

const REFUSED = {
  code: 6,
  stderr: expect.stringMatching(/deleted-by-agents: .*openshift-gitops\/edge-agent-bm on bm.*edge-agent-sno on sno/s),
}

/** A saved plan that changes an object, with no word of what that does: as another tool, or another version, may write it. */
async function planFor(manifest: RawObject): Promise<string> {
  const file = join(cli.state, 'plan.json')
  await run('agent', 'appset', 'edge-agent', '--to', 'push', '--accept-lost', BOTH, '--plan-out', file)
  const plan = JSON.parse(readFileSync(file, 'utf8'))
  const { kind, metadata } = manifest as typeof project
  const subject = { cluster: 'hub', group: 'argoproj.io', kind, ...metadata }
  const there = await hub.get(manifest)
  const precondition = { ...plan.steps[0].precondition, uid: valueAt(there, 'metadata', 'uid'), fingerprint: 'any' }
  const [step] = plan.steps
  const { removes: _, ...rest } = step
  const change = { ...rest, subject, manifest, changes: [], force: true, precondition }
  writeFileSync(file, JSON.stringify({ ...plan, gates: [], steps: [change] }))
  return file
}

async function apply(file: string): Promise<LiveOutcome> {
  return cli.run(['apply', '-f', file, ...LIMIT])
}

describeWithApiServer('what takes Applications from their agents', () => {
  it('is refused in every plan that is applied, whatever the plan itself says of it', async () => {
    const there = valueAt(await hub.get(argo), 'spec', 'argoCDAgent', 'principal')
    const principal = { ...(isObject(there) ? there : {}), destinationBasedMapping: false }
    expect(await apply(await planFor({ ...argo, spec: { argoCDAgent: { principal } } }))).toMatchObject(REFUSED)
    const destinations = [{ name: 'other', server: '*', namespace: '*' }]
    expect(await apply(await planFor({ ...project, spec: { destinations } }))).toMatchObject(REFUSED)
    const template = { spec: { destination: { name: '', server: 'https://bm.example.test:6443' } } }
    expect(await apply(await planFor({ ...set, spec: { template } }))).toMatchObject(REFUSED)
    const file = await planFor({ ...project, spec: {} })
    const plan = JSON.parse(readFileSync(file, 'utf8'))
    writeFileSync(file, JSON.stringify({ ...plan, steps: [{ ...plan.steps[0], action: 'delete' }] }))
    expect(await apply(file)).toMatchObject(REFUSED)
    expect(await started.settled()).toEqual(whole)
  }, 120_000)

  it('is refused where nobody can tell, because Applications may not be read', async () => {
    const proxy = await startFaultProxy(servers.server('hub'))
    const kubeconfig = join(servers.folder, 'proxied.kubeconfig')
    const cluster = { server: proxy.url, 'certificate-authority': pki('ca.crt') }
    writeFileSync(
      kubeconfig,
      JSON.stringify({
        apiVersion: 'v1',
        kind: 'Config',
        'current-context': 'hub',
        clusters: [{ name: 'hub', cluster }],
        users: [{ name: 'admin', user: { token: ADMIN_TOKEN } }],
        contexts: [{ name: 'hub', context: { cluster: 'hub', user: 'admin' } }],
      }),
    )
    const file = await planFor({ ...project, spec: { description: 'of nobody' } })
    proxy.setRules([
      { fault: { kind: 'status', status: 403, message: 'forbidden' }, when: r => /\/applications(\?|$)/.test(r.path) },
    ])
    const blind = new LiveCli(kubeconfig)
    const refused = await blind.run(['apply', '-f', file, ...LIMIT])
    blind.end()
    await proxy.stop()
    expect(refused).toMatchObject({
      code: 6,
      stderr: expect.stringMatching(/cannot be told: applications\.argoproj\.io/),
    })
  }, 60_000)

  it('is refused on the way back of a run, until exactly these are named', async () => {
    await run('agent', 'appset', 'edge-agent', '--to', 'push', '--accept-lost', BOTH)
    const push = await started.settled()
    await run('agent', 'appset', 'edge-agent', '--to', 'agent')
    const id = await lastRun()
    // The played controller makes Applications, and changes none: these are as the template has them now.
    for (const name of BOTH.split(',')) {
      const app = { ...set, kind: 'Application', metadata: { name, namespace: ARGO } }
      const destination = { name: name.slice('edge-agent-'.length), server: null }
      await hub.patch(app, { spec: { destination } }, 'argocd-applicationset-controller')
    }
    expect(await cli.run(['plan', 'revert', id, '--yes'])).toMatchObject(REFUSED)
    expect(await cli.run(['plan', 'revert', id, '--yes', '--accept-lost', 'edge-agent-bm'])).toMatchObject({ code: 6 })
    const back = await cli.run(['plan', 'revert', id, '--yes', '--accept-lost', BOTH])
    expect({ code: back.code, stderr: back.stderr }).toEqual({ code: 0, stderr: '' })
    const key = `/apis/argoproj.io/v1alpha1/applicationsets ${ARGO}/edge-agent`
    expect((await started.settled()).get(key)).toEqual(push.get(key))
    await run('agent', 'appset', 'edge-agent', '--to', 'agent')
  }, 200_000)
})
