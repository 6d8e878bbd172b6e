import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { CHECKS } from '../../src/checks/registry.ts'
import { schemaOf } from '../../src/output/schema/schemas.ts'
import { listAt, textAt, texts, valueAt } from '../../src/raw.ts'
import { type Right, rightsFor, type Side } from '../../src/rbac/rights.ts'
import { grantsFor, type RbacRule } from '../../src/rbac/roles.ts'
import { type ApiServers, START_TIMEOUT_MS, startApiServers } from '../support/apiserver.ts'
import { describeWithApiServer, hasApiServer } from '../support/describe.ts'
import { FLEET_NAMES, recordedFleet } from '../support/fleets.ts'
import { LiveCli } from '../support/live-cli.ts'
import { loadFleet } from '../support/load-fleet.ts'

/** A fleet in agent mode: the only one in which single Secrets are read. */
const FLEET = 'agent-healthy'
const ARGO = 'openshift-gitops'
const SPOKE = 'bm'
const RBAC = '/apis/rbac.authorization.k8s.io/v1'

/** A fleet of another model; `FLEETCTL_TEST_FLEETS=all` takes every recorded fleet (some minutes). */
const SOME = ['pull-rbac-forbidden-retrying']
const OTHERS = process.env.FLEETCTL_TEST_FLEETS === 'all' ? FLEET_NAMES : SOME

let servers: ApiServers
let cli: LiveCli
/** Fresh servers: the definitions of another fleet would have to go first, which takes them long. */
async function start(fleet: string, users: readonly string[]): Promise<void> {
  await end()
  servers = await startApiServers({ clusters: ['hub', SPOKE], users: users.map(name => ({ name })) })
  await loadFleet(servers.servers, recordedFleet(fleet))
  cli = new LiveCli(servers.kubeconfig)
}
async function end(): Promise<void> {
  cli?.end()
  await servers?.stop()
}
beforeAll(async () => {
  if (hasApiServer) await start(FLEET, ['printed', 'exact', 'less', 'nobody'])
}, START_TIMEOUT_MS)
afterAll(end)

function as(user: string): string[] {
  return ['--context', `${user}@hub`, '--spoke', SPOKE, '--spoke-context', `${SPOKE}=${user}@${SPOKE}`]
}

/** Applies what a command line prints with the real kubectl. */
async function apply(context: string, argv: readonly string[]): Promise<void> {
  const { code, stdout } = await cli.run(argv)
  expect(code).toBe(0)
  const file = join(cli.state, 'roles.yaml')
  writeFileSync(file, stdout)
  await servers.kubectl(['--context', context, 'apply', '-f', file])
}

async function json(argv: readonly string[]): Promise<{ readonly code: number; readonly document: unknown }> {
  const { code, stdout } = await cli.run([...argv, '-o', 'json'])
  return { code, document: JSON.parse(stdout) }
}

const isReport = new Ajv2020({ strictRequired: false }).compile(schemaOf('AccessReport') ?? false)

/** Rows of can-i as `cluster verb resource`, once the API server has taken notice of new roles. */
async function canI(
  argv: readonly string[],
  until: (missing: readonly string[]) => boolean,
): Promise<readonly string[]> {
  for (let tries = 0; ; tries++) {
    const { code, document } = await json(['rbac', 'can-i', ...argv])
    const missing = [...new Set(listAt(document, 'missing').map(rowText))].sort()
    expect(isReport(document), JSON.stringify(isReport.errors)).toBe(true)
    expect(valueAt(document, 'unknown')).toEqual([])
    expect(code).toBe(missing.length === 0 ? 0 : 3)
    if (until(missing) || tries > 600) return missing
    await new Promise(resolve => setTimeout(resolve, 50))
  }
}

function rowText(row: unknown): string {
  const [cluster, verb, resource, group] = ['cluster', 'verb', 'resource', 'group'].map(key => textAt(row, key))
  return `${cluster} ${verb} ${resource}${group === '' ? '' : `.${group}`}`
}

/** What a doctor run could not see for lack of a right, as `cluster verb resource`. */
async function refusals(argv: readonly string[]): Promise<readonly string[]> {
  const { document } = await json(['doctor', ...argv])
  const reasons = listAt(document, 'unknown').flatMap(check =>
    listAt(check, 'unseen').flatMap(unseen => {
      const need = /\(need: (\S+ \S+)\)/.exec(textAt(unseen, 'reason'))?.[1]
      return need === undefined ? [] : [`${textAt(unseen, 'cluster')} ${need}`]
    }),
  )
  return [...new Set(reasons)].sort()
}

/** The verdicts of a run: what it found and what it could not evaluate. */
async function verdicts(argv: readonly string[]): Promise<unknown> {
  const { document } = await json(['doctor', ...argv])
  const codes = (key: string): string[] => listAt(document, key).map(x => textAt(x, 'code'))
  return { findings: codes('findings'), unknown: codes('unknown'), skipped: codes('skipped'), passed: codes('passed') }
}

const admin = ['--context', 'hub', '--spoke', SPOKE]

describeWithApiServer('a user with the printed roles', () => {
  it('lacks nothing, sees all that the administrator sees, and asks for nothing more', async () => {
    expect(await canI(as('printed'), () => true)).not.toEqual([])
    await apply('hub', ['rbac', '--for', 'doctor', '-n', ARGO, '--to', 'user:printed'])
    await apply(SPOKE, ['rbac', '--for', 'doctor', '--on', 'spoke', '-n', ARGO, '--to', 'user:printed'])
    expect(await canI(as('printed'), missing => missing.length === 0)).toEqual([])
    const marks = await Promise.all(['hub', SPOKE].map(name => servers.server(name).mark()))
    expect(await refusals(as('printed'))).toEqual([])
    expect(await verdicts(as('printed'))).toEqual(await verdicts(admin))
    const refused = await Promise.all(
      ['hub', SPOKE].map(async (name, i) => {
        const asked = await servers.server(name).audit(marks[i])
        return asked.filter(e => e.user === 'printed' && e.status === 403).map(e => e.resource)
      }),
    )
    expect(refused[0]).toEqual([])
    // Only what helps to find namespaces is tried without a right.
    expect(refused[1]?.filter(resource => !['services', 'statefulsets'].includes(resource))).toEqual([])
  })

  it('traces as well', async () => {
    const { document } = await json(['trace', 'cluster', SPOKE, ...as('printed')])
    const traces = listAt(document, 'traces')
    expect(traces.length).toBeGreaterThan(0)
    expect(traces.flatMap(trace => listAt(trace, 'unseen'))).toEqual([])
  })

  it('a spoke that cannot be asked is said, and the hub is answered for', async () => {
    const dead = ['--server', 'https://127.0.0.1:1']
    const config = join(cli.state, 'dead.kubeconfig')
    await servers.kubectl(['config', 'set-cluster', 'dead', ...dead], { KUBECONFIG: config })
    await servers.kubectl(['config', 'set-context', 'dead', '--cluster', 'dead'], { KUBECONFIG: config })
    const map = join(cli.state, 'spokes.yaml')
    writeFileSync(map, JSON.stringify({ [SPOKE]: { kubeconfig: config, context: 'dead' } }))
    const { code, document } = await json(['rbac', 'can-i', '--context', 'printed@hub', '--spokes-from', map])
    expect(code).toBe(3)
    expect(document).toMatchObject({
      missing: [],
      clusters: [
        { name: 'hub', reason: '' },
        { name: SPOKE, reason: expect.stringContaining('127.0.0.1'), allowed: 0 },
      ],
    })
  })

  it('with --exact: the same, with Roles in the namespaces that matter', async () => {
    await apply('hub', ['rbac', '--exact', '--context', 'hub', '--to', 'user:exact'])
    await apply(SPOKE, ['rbac', '--exact', '--on', 'spoke', ...admin, '--to', 'user:exact'])
    expect(await canI(as('exact'), missing => missing.length === 0)).toEqual([])
    expect(await refusals(as('exact'))).toEqual([])
    expect(await verdicts(as('exact'))).toEqual(await verdicts(admin))
    // A namespace that does not matter is closed.
    const answer = await servers
      .kubectl(['--context', 'exact@hub', 'auth', 'can-i', 'list', 'pods', '-n', 'default'])
      .catch(error => String(valueAt(error, 'stdout')))
    expect(answer.trim()).toBe('no')
  })

  it('a user without any is told of each of them', async () => {
    const missing = await canI(as('nobody'), () => true)
    expect(missing).toContain('hub list applications.argoproj.io')
    expect(missing).toContain(`${SPOKE} list applications.argoproj.io`)
    const { stdout, code } = await cli.run(['rbac', 'can-i', '--context', 'nobody@hub'])
    expect(code).toBe(3)
    expect(stdout).toMatch(/^CLUSTER +NAMESPACE +VERB +RESOURCE +ALLOWED +CHECKS\n/)
    expect(stdout).toMatch(/\nhub +<all> +list +manifestworks\.work\.open-cluster-management\.io +no +\d+\n/)
  })
})

interface Without {
  readonly side: Side
  readonly role: string
  readonly index: number
  readonly title: string
  readonly rule: RbacRule
}

/** Each rule of each printed role. */
const RULES: readonly Without[] = (['hub', 'spoke'] as const).flatMap(side => {
  const rights: readonly Right[] = rightsFor(side, CHECKS, { secrets: true })
  const grants = grantsFor(rights, { command: 'doctor', side, argo: [ARGO], places: undefined })
  return grants.flatMap(({ role }) =>
    (role.rules ?? []).map((rule, index) => ({
      side,
      role: role.metadata.name,
      index,
      title: `${rule.verbs} ${rule.resources}${rule.apiGroups[0] === '' ? '' : `.${rule.apiGroups}`}`,
      rule,
    })),
  )
})

/** Kinds that this spoke does not serve, so that nobody misses the right. */
const NOT_SERVED = ['klusterlets']

describeWithApiServer('without one rule', () => {
  beforeAll(async () => {
    await apply('hub', ['rbac', '-n', ARGO, '--to', 'user:less'])
    await apply(SPOKE, ['rbac', '--on', 'spoke', '-n', ARGO, '--to', 'user:less'])
    await canI(as('less'), missing => missing.length === 0)
  })

  describe.each(RULES)('$side $role: $title', ({ side, role, index, rule }) => {
    it('can-i and doctor name each of its resources', async () => {
      const cluster = side === 'hub' ? 'hub' : SPOKE
      const server = servers.server(cluster)
      const at = role.endsWith('-secrets') ? `${RBAC}/namespaces/${ARGO}/roles/${role}` : `${RBAC}/clusterroles/${role}`
      const whole = await server.request('GET', at)
      const rules = listAt(whole, 'rules')
      expect(texts(valueAt(rules[index], 'resources'))).toEqual(rule.resources)
      const without = rules.filter((_, i) => i !== index)
      await server.request('PATCH', at, { rules: without }, 'application/merge-patch+json')
      try {
        const group = rule.apiGroups[0] === '' ? '' : `.${rule.apiGroups[0]}`
        const expected = rule.resources
          .filter(resource => !NOT_SERVED.includes(resource))
          .map(resource => `${cluster} ${rule.verbs[0]} ${resource}${group}`)
          .sort()
        expect(await canI(as('less'), missing => missing.join() === expected.join())).toEqual(expected)
        expect(await refusals(as('less'))).toEqual(expected)
      } finally {
        await server.request('PATCH', at, { rules }, 'application/merge-patch+json')
      }
    })
  })
})

describeWithApiServer('roles for the namespaces of another fleet', () => {
  beforeAll(() => start(OTHERS[0] ?? FLEET, OTHERS), START_TIMEOUT_MS)

  it.each(OTHERS)('%s: nothing is refused, and the verdicts are those of the administrator', async fleet => {
    const folder = recordedFleet(fleet)
    await loadFleet(servers.servers, folder)
    await apply('hub', ['rbac', '--exact', '--context', 'hub', '--to', `user:${fleet}`])
    const hasSpoke = existsSync(join(folder, SPOKE, 'index.yaml'))
    if (hasSpoke) await apply(SPOKE, ['rbac', '--exact', '--on', 'spoke', ...admin, '--to', `user:${fleet}`])
    const [user, everyone] = [as(fleet), admin].map(flags => (hasSpoke ? flags : flags.slice(0, 2)))
    expect(await canI(user ?? [], missing => missing.length === 0)).toEqual([])
    expect(await refusals(user ?? [])).toEqual([])
    expect(await verdicts(user ?? [])).toEqual(await verdicts(everyone ?? []))
  })
})
