import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { valueAt } from '../../src/raw.ts'
import { type ApiServers, START_TIMEOUT_MS, startApiServers } from '../support/apiserver.ts'
import { BootstrapHub, EMPTY_HUB } from '../support/bootstrap-hub.ts'
import { describeWithApiServer, hasApiServer } from '../support/describe.ts'
import { type FaultProxy, type ProxiedRequest, proxiedKubeconfig, startFaultProxy } from '../support/fault-proxy.ts'
import { LiveCli } from '../support/live-cli.ts'

const BIN = fileURLToPath(new URL('../../bin/fleetctl.js', import.meta.url))

let servers: ApiServers
let hub: BootstrapHub
let proxy: FaultProxy
/** Through the proxy, and past it. */
let cli: LiveCli
let before: ReadonlyMap<string, string>
beforeAll(async () => {
  if (!hasApiServer) return
  servers = await startApiServers({ clusters: ['hub'] })
  hub = new BootstrapHub(servers.server('hub'))
  await hub.installDefinitions()
  for (const object of EMPTY_HUB) await hub.create(object)
  proxy = await startFaultProxy(servers.server('hub'))
  cli = new LiveCli(proxiedKubeconfig(servers.folder, proxy))
  before = await hub.snapshot()
}, START_TIMEOUT_MS)
afterAll(async () => {
  cli?.end()
  await proxy?.stop()
  await servers?.stop()
})

const GIT = ['--repo-url', 'https://git.example.test/fleet.git', '--path', 'apps/{{name}}']
const DEMO = ['--set', 'demo', '--clusters', 'bm,sno', ...GIT]
const MODELS: readonly (readonly [string, readonly string[]])[] = [
  ['push', [...DEMO, '--service-account', 'deployer', '--grant-namespaces', 'shop']],
  ['pull', DEMO],
  ['agent', DEMO],
]

const isWrite = ({ method, path }: ProxiedRequest): boolean =>
  method !== 'GET' && !path.includes('dryRun=All') && !path.includes('selfsubjectaccessreviews')

/** True at the n-th write that passes, and only there. */
function atWrite(n: number, then: () => void = () => {}): (request: ProxiedRequest) => boolean {
  let count = 0
  return request => {
    if (!isWrite(request) || ++count !== n) return false
    then()
    return true
  }
}

interface RunSummary {
  readonly id: string
  readonly state: string
}

async function runs(): Promise<readonly RunSummary[]> {
  return JSON.parse((await cli.run(['plan', 'list', '-o', 'json'])).stdout).runs
}

/** Takes everything back that was not yet, newest first. */
async function takeBack(): Promise<void> {
  proxy.setRules([])
  for (const run of [...(await runs())].reverse()) {
    if (run.state === 'reverted') continue
    const { code, stderr } = await cli.run(['plan', 'revert', run.id, '--yes'])
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  }
}

/** Runs the binary and kills it -9 as soon as the n-th write has reached the server, before its answer has come. */
async function killedAtWrite(n: number, argv: readonly string[]): Promise<'killed' | number> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [BIN, ...argv], { env: { ...process.env, ...cli.env() }, stdio: 'ignore' })
    // The head of the answer is held back until the process is dead: the write is done and the client never knows.
    proxy.setRules([
      { fault: { kind: 'hang', afterBytes: 0 }, when: atWrite(n, () => setTimeout(() => child.kill('SIGKILL'), 100)) },
    ])
    child.once('error', reject)
    child.once('exit', code => resolve(code ?? 'killed'))
  })
}

describeWithApiServer('a bootstrap that is interrupted', () => {
  afterEach(async () => {
    await takeBack()
    expect(await hub.snapshot()).toEqual(before)
  })

  describe.each(MODELS)('%s', (model, flags) => {
    const argv = ['bootstrap', model, ...flags, '--yes', '--no-wait']

    it('converges after kill -9 at every single write, by resume and by running it again', async () => {
      expect((await cli.run(argv)).code).toBe(0)
      const whole = await hub.snapshot()
      await takeBack()
      for (let n = 1; ; n++) {
        const ended = await killedAtWrite(n, argv)
        proxy.setRules([])
        if (ended !== 'killed') {
          // There is no n-th write any more: the run went through.
          expect(ended).toBe(0)
          expect(n).toBeGreaterThan(6)
          break
        }
        expect((await runs()).at(-1)?.state).toBe('interrupted')
        const again = n % 2 === 0 ? ['apply', '--resume', '--yes', '--no-wait'] : argv
        const { code, stderr } = await cli.run(again)
        expect({ n, code, stderr: code === 0 ? '' : stderr }).toEqual({ n, code: 0, stderr: '' })
        expect(await hub.snapshot()).toEqual(whole)
        // Nobody is told to go on with it any more.
        expect((await runs()).filter(run => run.state === 'interrupted')).toEqual([])
        await takeBack()
        expect(await hub.snapshot()).toEqual(before)
      }
    }, 300_000)

    it('converges after kill -9 at every single write of its revert, by reverting again', async () => {
      for (let n = 1; ; n++) {
        expect((await cli.run(argv)).code).toBe(0)
        const { id } = (await runs()).at(-1) ?? { id: '' }
        const ended = await killedAtWrite(n, ['plan', 'revert', id, '--yes'])
        proxy.setRules([])
        expect((await runs()).at(-1)?.state).toBe(ended === 'killed' ? 'half-reverted' : 'reverted')
        if (ended !== 'killed') {
          expect(ended).toBe(0)
          expect(n).toBeGreaterThan(6)
          break
        }
        const resumed = await cli.run(['apply', '--resume', id, '--yes', '--no-wait'])
        expect(resumed).toMatchObject({ code: 2, stderr: expect.stringContaining(`fleetctl plan revert ${id}`) })
        expect((await cli.run(['plan', 'revert', id, '--yes'])).code).toBe(0)
        expect((await runs()).at(-1)?.state).toBe('reverted')
        expect(await hub.snapshot()).toEqual(before)
      }
    }, 300_000)

    it.each([
      ['is forbidden', { kind: 'status', status: 403, message: 'User "admin" cannot patch resource' }, 7],
      [
        'is refused by admission',
        { kind: 'status', status: 422, message: 'admission webhook "x" denied the request: no' },
        7,
      ],
      ['meets a hub that is gone', { kind: 'reset', afterBytes: 0 }, 7],
    ] as const)('says how to go on when a write in the middle %s', async (_, fault, exitCode) => {
      // From the fourth write on nothing comes through any more.
      let count = 0
      proxy.setRules([{ fault, when: request => isWrite(request) && ++count >= 4 }])
      const stopped = await cli.run(argv)
      expect(stopped.code).toBe(exitCode)
      expect(stopped.stderr).toMatch(/stopped at step \d+: /)
      const { id } = (await runs()).at(-1) ?? { id: '' }
      expect(stopped.stderr).toContain(`fleetctl apply --resume ${id}`)
      expect(stopped.stderr).toContain(`${id}.jsonl`)
      proxy.setRules([])
      expect((await cli.run(['apply', '--resume', id, '--yes', '--no-wait'])).code).toBe(0)
      expect((await cli.run(argv)).stdout).toContain('0 to create, 0 to configure')
    })
  })

  it('can be taken back half-way', async () => {
    let count = 0
    proxy.setRules([{ fault: { kind: 'reset', afterBytes: 0 }, when: request => isWrite(request) && ++count >= 5 }])
    expect((await cli.run(['bootstrap', 'pull', ...DEMO, '--yes', '--no-wait'])).code).toBe(7)
  })

  it('writes nothing when admission would refuse a later object', async () => {
    // A real policy of the API server, in force before the first write.
    await refuseApplicationSets()
    const { code, stderr } = await cli.run(['bootstrap', 'pull', ...DEMO, '--yes', '--no-wait'])
    expect(code).toBe(6)
    expect(stderr).toContain('no ApplicationSets here')
    expect(await hub.snapshot()).toEqual(before)
    await allowApplicationSets()
  })

  it.each(MODELS)(
    '%s: stops where a real policy refuses a write in the middle, and goes on when it is gone',
    async (model, flags) => {
      // Lets rehearsals pass, so that only the write itself is refused.
      await refuseApplicationSets('request.dryRun == true')
      const stopped = await cli.run(['bootstrap', model, ...flags, '--yes', '--no-wait'])
      await allowApplicationSets()
      expect(stopped).toMatchObject({ code: 7, stderr: expect.stringContaining('no ApplicationSets here') })
      expect((await cli.run(['apply', '--resume', '--yes', '--no-wait'])).code).toBe(0)
      expect((await runs()).at(-1)?.state).toBe('done')
    },
  )

  it('does not write over what somebody changes in the middle', async () => {
    const argv = ['bootstrap', 'pull', ...DEMO, '--yes', '--no-wait']
    const sno = EMPTY_HUB.find(o => o.kind === 'ManagedCluster' && valueAt(o, 'metadata', 'name') === 'sno') ?? {}
    const label = (region: string | null) => hub.patch(sno, { metadata: { labels: { region } } }, 'somebody')
    let changed: Promise<void> | undefined
    const change = (): void => {
      changed = label('eu')
    }
    // The write before takes its time, and sno has a label more when its turn comes.
    proxy.setRules([{ fault: { kind: 'delay', ms: 1500 }, when: atWrite(2, change) }])
    const stopped = await cli.run(argv)
    await changed
    expect(stopped).toMatchObject({
      code: 7,
      stderr: expect.stringContaining('ManagedCluster/sno has been changed by somebody else'),
    })
    proxy.setRules([])
    // The old plan does not fit any more; a new one does.
    expect((await cli.run(['apply', '--resume', '--yes', '--no-wait'])).code).toBe(6)
    const again = await cli.run(argv)
    expect(again).toMatchObject({ code: 0, stderr: expect.stringContaining('to take all back, revert that as well') })
    expect((await runs()).slice(-2).map(run => run.state)).toEqual(['superseded', 'done'])
    await takeBack()
    await label(null)
  })
})

const POLICIES = '/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicies'

/** @param unless what lets one pass all the same; the probe never passes, so that it shows when the policy is in force */
async function refuseApplicationSets(unless = 'false'): Promise<void> {
  const server = servers.server('hub')
  await server.request('POST', POLICIES, {
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: 'ValidatingAdmissionPolicy',
    metadata: { name: 'no-appsets' },
    spec: {
      failurePolicy: 'Fail',
      matchConstraints: {
        resourceRules: [
          { apiGroups: ['argoproj.io'], apiVersions: ['*'], operations: ['CREATE'], resources: ['applicationsets'] },
        ],
      },
      validations: [unless, "object.metadata.name != 'probe'"].map(expression => ({
        expression,
        message: 'no ApplicationSets here',
      })),
    },
  })
  await server.request('POST', `${POLICIES.slice(0, -'policies'.length)}policybindings`, {
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: 'ValidatingAdmissionPolicyBinding',
    metadata: { name: 'no-appsets' },
    spec: { policyName: 'no-appsets', validationActions: ['Deny'] },
  })
  await untilProbeIs('denied')
}

async function allowApplicationSets(): Promise<void> {
  await servers.server('hub').request('DELETE', `${POLICIES.slice(0, -'policies'.length)}policybindings/no-appsets`)
  await servers.server('hub').request('DELETE', `${POLICIES}/no-appsets`)
  await untilProbeIs('admitted')
}

/** Policies come and go a moment after they were written. */
async function untilProbeIs(wanted: 'denied' | 'admitted'): Promise<void> {
  const probe = {
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'ApplicationSet',
    metadata: { name: 'probe', namespace: 'openshift-gitops' },
    spec: { generators: [], template: { metadata: { name: 'x' }, spec: { project: 'x', destination: {} } } },
  }
  const at = '/apis/argoproj.io/v1alpha1/namespaces/openshift-gitops/applicationsets?dryRun=All'
  for (let tries = 0; tries < 100; tries++) {
    const is = await servers
      .server('hub')
      .request('POST', at, probe)
      .then(
        () => 'admitted',
        (error: Error) => (error.message.includes('no ApplicationSets here') ? 'denied' : error.message),
      )
    if (is === wanted) return
    await new Promise(resolve => setTimeout(resolve, 100))
  }
  throw new Error(`the probe was never ${wanted}`)
}
