import { afterAll, beforeAll, expect, it } from 'vitest'
import { type ApiServers, START_TIMEOUT_MS, startApiServers } from '../support/apiserver.ts'
import { BootstrapHub, EMPTY_HUB } from '../support/bootstrap-hub.ts'
import { describeWithApiServer, hasApiServer } from '../support/describe.ts'
import { grant } from '../support/grant.ts'
import { LiveCli } from '../support/live-cli.ts'

const ARGO = 'openshift-gitops'
const MODELS = [
  ['bootstrap', 'push', ['--service-account', 'deployer', '--grant-namespaces', 'shop']],
  ['bootstrap', 'pull', ['--spoke-gitops', 'policy']],
  ['agent', 'agent', ['--accept', 'frozen-applications']],
] as const

let servers: ApiServers
let cli: LiveCli
beforeAll(async () => {
  if (!hasApiServer) return
  servers = await startApiServers({ clusters: ['hub'], users: [{ name: 'bootstrap' }, { name: 'agent' }] })
  const hub = new BootstrapHub(servers.server('hub'))
  await hub.installDefinitions()
  for (const object of EMPTY_HUB) await hub.create(object)
  cli = new LiveCli(servers.kubeconfig)
}, START_TIMEOUT_MS)
afterAll(async () => {
  cli?.end()
  await servers?.stop()
})

async function allow(command: string): Promise<void> {
  const to = ['--to', `user:${command}`, '-o', 'json']
  const { code, stdout } = await cli.run(['rbac', '--for', command, '-n', ARGO, ...to])
  expect(code).toBe(0)
  await grant(servers, 'hub', stdout)
}

describeWithApiServer('a user with the printed roles', () => {
  it.each(MODELS)('%s: bootstraps %s, takes it back, and is refused nothing', async (command, model, more) => {
    await allow(command)
    const as = ['--context', `${command}@hub`]
    const mark = await servers.server('hub').mark()
    const set = ['--set', `set-${model}`, '--clusters', 'bm', '--repo-url', 'https://git.example.test/fleet.git']
    const args = ['bootstrap', model, ...set, '--path', 'apps', ...more, ...as, '--yes', '--no-wait']
    const made = await cli.run(args)
    expect(made.code, made.stderr + made.stdout).toBe(0)
    const { runs } = JSON.parse((await cli.run(['plan', 'list', '-o', 'json'])).stdout)
    const run = runs.find((r: { state: string }) => r.state !== 'reverted')
    const back = await cli.run(['plan', 'revert', run.id, ...as, '--yes'])
    expect({ code: back.code, stderr: back.stderr }).toMatchObject({ code: 0 })
    const asked = (await servers.server('hub').audit(mark)).filter(e => e.user === command)
    expect(asked.filter(e => e.verb === 'patch').length).toBeGreaterThan(4)
    expect(asked.filter(e => e.verb === 'delete').length).toBeGreaterThan(2)
    // Signposts are tried without a right: being refused loses nothing.
    const refused = asked.filter(e => e.status === 403 && !['services', 'statefulsets'].includes(e.resource))
    expect(refused.map(e => `${e.verb} ${e.uri}`)).toEqual([])
  })

  it('the roles hold no right to write outside the namespace of Argo CD that would do inside it', async () => {
    const { stdout } = await cli.run(['rbac', '--for', 'bootstrap', '-n', ARGO, '-o', 'json'])
    for (const role of JSON.parse(stdout).items) {
      if (role.kind !== 'ClusterRole') continue
      const written = role.rules
        .filter((r: { verbs: string[] }) => r.verbs.some(v => v !== 'list' && v !== 'get'))
        .flatMap((r: { resources: string[] }) => r.resources)
      for (const resource of ['applicationsets', 'placements', 'gitopsclusters', 'secrets'])
        expect(written).not.toContain(resource)
    }
  })
})
