import { afterAll, beforeAll, expect, it } from 'vitest'
import { AgentLab, ARGO, baseObjects, GOC, PLACEMENT, snapshotOf } from '../support/agent-lab.ts'
import { type ApiServers, START_TIMEOUT_MS, startApiServers } from '../support/apiserver.ts'
import { BootstrapHub } from '../support/bootstrap-hub.ts'
import { describeWithApiServer, hasApiServer } from '../support/describe.ts'
import { recordedFleet } from '../support/fleets.ts'
import { grant } from '../support/grant.ts'
import { LiveCli, type LiveOutcome } from '../support/live-cli.ts'
import { loadFleet } from '../support/load-fleet.ts'

/** `lab` has controllers that act, `hub` holds recordings. */
let servers: ApiServers
let cli: LiveCli
beforeAll(async () => {
  if (!hasApiServer) return
  servers = await startApiServers({ clusters: ['lab', 'hub'], users: [{ name: 'agent' }, { name: 'fix' }] })
  cli = new LiveCli(servers.kubeconfig)
}, START_TIMEOUT_MS)
afterAll(async () => {
  cli?.end()
  await servers?.stop()
})

/** Gives the user of the command's name the roles that are printed for it. */
async function allow(command: 'agent' | 'fix', cluster: string): Promise<void> {
  const { code, stdout } = await cli.run([
    'rbac',
    '--for',
    command,
    '-n',
    ARGO,
    '--to',
    `user:${command}`,
    '-o',
    'json',
  ])
  expect(code).toBe(0)
  await grant(servers, cluster, stdout)
}

/** What the user was refused; signposts are tried without a right, and being refused loses nothing. */
async function refused(user: string, cluster: string, mark: number): Promise<readonly string[]> {
  const events = (await servers.server(cluster).audit(mark)).filter(e => e.user === user)
  expect(events.filter(e => e.verb === 'patch').length).toBeGreaterThan(0)
  return events
    .filter(e => e.status === 403 && !(e.verb === 'list' && ['services', 'statefulsets'].includes(e.resource)))
    .map(e => `${e.verb} ${e.uri}`)
}

const ok = ({ code, stdout, stderr }: LiveOutcome): unknown => (code === 0 ? { code } : { code, stdout, stderr })

describeWithApiServer('a user with the roles that rbac prints', () => {
  it('agent: enables agents and takes it back, and is refused nothing', async () => {
    const hub = new BootstrapHub(servers.server('lab'))
    await hub.installDefinitions()
    await snapshotOf(hub)
    for (const object of baseObjects()) await hub.create(object)
    const lab = new AgentLab(hub)
    await lab.once()
    await allow('agent', 'lab')
    const as = ['--context', 'agent@lab', '--yes', '--timeout', '200s']
    const mark = await servers.server('lab').mark()
    lab.start()
    try {
      const choice = ['--set', 'edge', '--clusters', 'bm,sno', '--placement', PLACEMENT, '--gitopscluster', GOC]
      const git = [
        '--repo-url',
        'https://git.example.test/fleet.git',
        '--path',
        'apps/{{name}}',
        '--appset',
        'edge-agent',
      ]
      const made = await cli.run(['agent', 'enable', ...choice, ...git, '--setup', 'hybrid', ...as])
      expect(ok(made)).toEqual({ code: 0 })
      expect(ok(await cli.run(['agent', 'remove', 'sno', '--accept-lost', `${ARGO}/edge-agent-sno`, ...as]))).toEqual({
        code: 0,
      })
      expect(ok(await cli.run(['agent', 'revert', ...as]))).toEqual({ code: 0 })
    } finally {
      await lab.stop()
    }
    expect(await refused('agent', 'lab', mark)).toEqual([])
  }, 600_000)

  it.each<[string, string, readonly string[]]>([
    ['push-binding-deleted', 'FLT0102', []],
    ['acm-placement-matchkey', 'FLT0208', ['--force-conflicts']],
    ['pull-label-missing', 'FLT0304', []],
    ['pull-switched-off', 'FLT0404', ['--force-conflicts']],
  ])('fix: mends %s (%s) and takes it back, and is refused nothing', async (fleet, code, flags) => {
    await loadFleet(new Map([['hub', servers.server('hub')]]), recordedFleet(fleet), { asOfNow: true })
    await allow('fix', 'hub')
    const as = ['--context', 'fix@hub', '--yes']
    const mark = await servers.server('hub').mark()
    expect(ok(await cli.run(['doctor', 'fix', code, ...flags, ...as]))).toEqual({ code: 0 })
    const { runs } = JSON.parse((await cli.run(['plan', 'list', '-o', 'json'])).stdout)
    expect(ok(await cli.run(['plan', 'revert', runs.at(-1).id, ...as]))).toEqual({ code: 0 })
    expect(await refused('fix', 'hub', mark)).toEqual([])
  })
})
