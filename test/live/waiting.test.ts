import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest'
import { type ApiServers, START_TIMEOUT_MS, startApiServers } from '../support/apiserver.ts'
import { BootstrapHub, EMPTY_HUB } from '../support/bootstrap-hub.ts'
import { describeWithApiServer, hasApiServer } from '../support/describe.ts'
import { LiveCli } from '../support/live-cli.ts'
import { PlayedControllers } from '../support/played-controllers.ts'

let servers: ApiServers
let hub: BootstrapHub
let cli: LiveCli
let controllers: PlayedControllers
beforeAll(async () => {
  if (!hasApiServer) return
  servers = await startApiServers({ clusters: ['hub'] })
  hub = new BootstrapHub(servers.server('hub'))
  await hub.installDefinitions()
  for (const object of EMPTY_HUB) await hub.create(object)
  cli = new LiveCli(servers.server('hub').kubeconfig)
}, START_TIMEOUT_MS)
afterAll(async () => {
  cli?.end()
  await servers?.stop()
})

const argvOf = (model: 'push' | 'pull'): readonly string[] => [
  ...['bootstrap', model, '--set', 'demo', '--clusters', 'bm,sno'],
  ...['--repo-url', 'https://git.example.test/fleet.git', '--path', 'apps/{{name}}', '--yes'],
]
const PUSH = argvOf('push')

describeWithApiServer('waiting for what controllers make of it', () => {
  beforeEach(() => {
    controllers = new PlayedControllers(hub)
  })
  afterEach(async () => {
    await controllers.stop()
    const { runs } = JSON.parse((await cli.run(['plan', 'list', '-o', 'json'])).stdout)
    for (const run of runs) if (run.state !== 'reverted') await cli.run(['plan', 'revert', run.id, '--yes'])
  })

  it('ends with 0 when the first Applications are Synced', async () => {
    const playing = controllers.run()
    const done = await cli.run([...PUSH, '--timeout', '200s'])
    expect({ code: done.code, stderr: done.stderr }).toMatchObject({ code: 0 })
    expect(done.stdout).toMatch(/reached until Placement openshift-gitops\/demo-clusters decides on bm, sno/)
    expect(done.stdout).toMatch(/demo-push-bm +bm +push +ok/)
    await controllers.stop()
    await playing
  })

  it('waits in pull for policy, ManifestWorks and reports as well', async () => {
    const playing = controllers.run()
    const done = await cli.run([...argvOf('pull'), '--timeout', '200s'])
    expect({ code: done.code, stderr: done.stderr }).toMatchObject({ code: 0 })
    expect(done.stdout).toMatch(/reached until Policy openshift-gitops\/demo-spoke-gitops is compliant on bm, sno/)
    expect(done.stdout).toMatch(/demo-pull-sno +sno +pull +ok/)
    const tree = await cli.run(['trace', 'app', 'demo-pull-bm'])
    expect(tree).toMatchObject({ code: 0 })
    expect(tree.stdout).toMatch(/ManifestWork bm\/demo-pull-bm-[0-9a-f]{5} +ok/)
    await controllers.stop()
    await playing
  })

  it('stops with 5 at a signal that never comes, names what blocks, and goes on later', async () => {
    const playing = controllers.run(['GitOpsCluster'])
    const stopped = await cli.run([...PUSH, '--timeout', '10s'])
    expect(stopped.code).toBe(5)
    expect(stopped.stdout).not.toContain('applicationset.argoproj.io/demo-push created')
    expect(stopped.stderr).toMatch(/waited in vain at step \d+: its controller has not reported yet/)
    expect(stopped.stderr).toContain('apply --resume')
    await controllers.stop()
    await playing
    controllers = new PlayedControllers(hub)
    const again = controllers.run()
    expect((await cli.run(['apply', '--resume', '--yes', '--timeout', '200s'])).code).toBe(0)
    await controllers.stop()
    await again
  })

  it('stops at Ctrl-C and says how to go on', async () => {
    const abort = new AbortController()
    const { InterruptedError } = await import('../../src/errors.ts')
    setTimeout(() => abort.abort(new InterruptedError('SIGINT')), 4000)
    const stopped = await cli.run(PUSH, abort.signal)
    expect(stopped.code).toBe(130)
    expect(stopped.stderr).toContain('apply --resume')
  })
})
