import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { parse } from 'yaml'
import { CHECKS } from '../../src/checks/registry.ts'
import { KINDS } from '../../src/fleet/kinds.ts'
import { schemaOf } from '../../src/output/schema/schemas.ts'
import { listAt, text, textAt, valueAt } from '../../src/raw.ts'
import { rightsFor } from '../../src/rbac/rights.ts'
import { grantsFor } from '../../src/rbac/roles.ts'
import { type ApiServers, START_TIMEOUT_MS, startApiServers } from '../support/apiserver.ts'
import { describeWithApiServer, hasApiServer } from '../support/describe.ts'
import { FLEETS, recordedFleet } from '../support/fleets.ts'
import { grant } from '../support/grant.ts'
import { LiveCli } from '../support/live-cli.ts'
import { loadFleet } from '../support/load-fleet.ts'
import { until } from '../support/until.ts'

/** The second is in agent mode: the only one in which single Secrets are read. */
const FIRST = 'pull-rbac-forbidden-retrying'
const NAMES = [FIRST, 'agent-healthy']
const SPOKES = ['bm', 'sno']
const RBAC = '/apis/rbac.authorization.k8s.io/v1'

let servers: ApiServers
let cli: LiveCli
let folder: string
async function start(fleet: string): Promise<void> {
  await end()
  folder = mkdtempSync(join(tmpdir(), 'fleetctl-snapshot-'))
  servers = await startApiServers({ clusters: ['hub', ...SPOKES], users: ['viewer', 'nobody'].map(name => ({ name })) })
  await loadFleet(servers.servers, recordedFleet(fleet))
  cli = new LiveCli(servers.kubeconfig)
}
async function end(): Promise<void> {
  cli?.end()
  await servers?.stop()
  if (folder !== undefined) rmSync(folder, { recursive: true, force: true })
}
beforeAll(async () => {
  if (hasApiServer) await start(FIRST)
}, START_TIMEOUT_MS)
afterAll(end)

const isReport = new Ajv2020({ strictRequired: false }).compile(schemaOf('SnapshotReport') ?? false)
const at = (name: string): string => join(folder, name)
const ADMIN = ['--context', 'hub', '--spoke', SPOKES.join()]
const VIEWER = ['--context', 'viewer@hub', ...SPOKES.flatMap(s => ['--spoke-context', `${s}=viewer@${s}`])]

async function json(argv: readonly string[]): Promise<{ readonly code: number; readonly document: unknown }> {
  const { code, stdout, stderr } = await cli.run([...argv, '-o', 'json'])
  if (stdout === '') throw new Error(stderr)
  return { code, document: JSON.parse(stdout) }
}

async function snapshot(argv: readonly string[]): Promise<{ readonly code: number; readonly document: unknown }> {
  const { code, document } = await json(['snapshot', ...argv])
  expect(isReport(document), JSON.stringify(isReport.errors)).toBe(true)
  return { code, document }
}

/** Ages and moments in a text, which go on between two runs. */
const AGE = /\b(?:\d+(?:y|d|h|m|s)){1,2}\b|\b\d+ (?:second|minute|hour|day|week|month|year)s?\b/g

/** A report as bytes, without what names the source and without times. */
function bytes(document: unknown): string {
  const less = JSON.stringify(
    document,
    (key, value: unknown) => {
      // Of a hop, `source` is a text that counts.
      if (key === 'source' && typeof value === 'object') return ''
      return ['startedAt', 'finishedAt', 'readAt'].includes(key) ? '' : value
    },
    1,
  )
  return less.replaceAll(AGE, 'AGE')
}

describeWithApiServer('a snapshot of live clusters', () => {
  it.each(NAMES)('%s: doctor and trace say the same of it, to the byte', async name => {
    if (name !== FIRST) await start(name)
    const to = at(`${name}.tgz`)
    const { code, document } = await snapshot(['-o', to, ...ADMIN])
    expect([code, valueAt(document, 'gaps')]).toEqual([0, []])
    const [live, after] = [await json(['doctor', ...ADMIN]), await json(['doctor', '--from', to])]
    expect(after.code).toBe(live.code)
    expect(bytes(after.document)).toBe(bytes(live.document))
    const expected: unknown = parse(readFileSync(join(FLEETS, `${name}.expected.yaml`), 'utf8'))
    for (const trace of listAt(expected, 'trace').slice(0, 1)) {
      const app = textAt(trace, 'app')
      const traces = [await json(['trace', 'app', app, ...ADMIN]), await json(['trace', 'app', app, '--from', to])]
      expect(traces[1]?.code).toBe(traces[0]?.code)
      expect(bytes(traces[1]?.document)).toBe(bytes(traces[0]?.document))
    }
  })

  it('writes nothing, and reads each Secret only beside Argo CD', async () => {
    const marks = await Promise.all(['hub', ...SPOKES].map(name => servers.server(name).mark()))
    await snapshot(['-o', at('audited'), ...ADMIN])
    for (const [i, name] of ['hub', ...SPOKES].entries()) {
      const asked = await servers.server(name).audit(marks[i])
      const own = asked.filter(event => event.user === 'admin')
      expect(own.length).toBeGreaterThan(10)
      expect([...new Set(own.map(event => event.verb))].sort()).toEqual(['get', 'list'])
      const secrets = own.filter(event => event.resource === 'secrets').map(event => event.namespace)
      expect([...new Set(secrets)]).toEqual(['openshift-gitops'])
    }
    const all = readdirSync(at('audited'), { recursive: true, encoding: 'utf8' })
      .filter(file => file.endsWith('.yaml'))
      .map(file => readFileSync(join(at('audited'), file), 'utf8'))
      .join('')
    expect(all.includes('argocd.argoproj.io/secret-type')).toBe(true)
    const encoded = Buffer.from('CANARY-').toString('base64').slice(0, 8)
    expect([all.includes('CANARY-'), all.includes(encoded)]).toEqual([false, false])
  })

  it('records a spoke that does not answer as one that does not answer', async () => {
    const config = at('dead.kubeconfig')
    await servers.kubectl(['config', 'set-cluster', 'dead', '--server', 'https://127.0.0.1:1'], { KUBECONFIG: config })
    await servers.kubectl(['config', 'set-context', 'dead', '--cluster', 'dead'], { KUBECONFIG: config })
    const map = at('spokes.yaml')
    writeFileSync(map, JSON.stringify({ bm: { kubeconfig: config, context: 'dead' } }))
    const flags = ['--context', 'hub', '--spokes-from', map]
    const { code, document } = await snapshot(['-o', at('dead'), ...flags])
    expect(code).toBe(3)
    expect(valueAt(document, 'gaps')).toEqual([
      { cluster: 'bm', resource: '', reason: expect.stringContaining('127.0.0.1') },
    ])
    expect((await snapshot(['-o', at('dead'), ...flags, '--force', '--allow-incomplete'])).code).toBe(0)
    const [live, after] = [await json(['doctor', ...flags]), await json(['doctor', '--from', at('dead')])]
    expect(after.code).toBe(live.code)
    expect(bytes(after.document)).toBe(bytes(live.document))
  })

  it('of a hub that does not answer there is none', async () => {
    const dead = ['--server', 'https://127.0.0.1:1', '--context', 'hub']
    expect((await cli.run(['snapshot', '-o', at('none'), ...dead])).code).toBe(4)
    expect(existsSync(at('none'))).toBe(false)
    expect(readdirSync(folder).filter(name => name.startsWith('.'))).toEqual([])
  })
})

describeWithApiServer('a user with the roles that rbac --for snapshot prints', () => {
  /** Whether the hub takes the viewer for one who may read everything. */
  async function granted(): Promise<boolean> {
    return (await cli.run(['rbac', 'can-i', '--for', 'snapshot', '--context', 'viewer@hub'])).code === 0
  }

  it('a user without any gets a snapshot with gaps only, which says so', async () => {
    const { code, document } = await snapshot(['-o', at('nobody'), '--context', 'nobody@hub'])
    expect(code).toBe(3)
    expect(listAt(document, 'gaps').map(gap => textAt(gap, 'resource'))).toContain('applications.argoproj.io')
    const [live, after] = [
      await json(['doctor', '--context', 'nobody@hub']),
      await json(['doctor', '--from', at('nobody')]),
    ]
    expect(after.code).toBe(live.code)
    expect(bytes(after.document)).toBe(bytes(live.document))
  })

  it('records all that the administrator records, and uses each of the rules', async () => {
    const printed = ['rbac', '--for', 'snapshot', '-n', 'openshift-gitops', '--to', 'user:viewer', '-o', 'json']
    for (const context of ['hub', ...SPOKES]) {
      const { code, stdout } = await cli.run([...printed, ...(context === 'hub' ? [] : ['--on', 'spoke'])])
      expect(code).toBe(0)
      await grant(servers, context, stdout)
    }
    const marks = await Promise.all(['hub', ...SPOKES].map(name => servers.server(name).mark()))
    const { code, document } = await snapshot(['-o', at('viewer'), ...VIEWER])
    expect([code, valueAt(document, 'gaps')]).toEqual([0, []])
    await snapshot(['-o', at('admin'), ...ADMIN])
    const counts = (name: string): unknown[] =>
      ['hub', ...SPOKES].map(cluster => {
        const index: unknown = parse(readFileSync(join(at(name), cluster, 'index.yaml'), 'utf8'))
        const kinds = listAt(index, 'resources')
        // The roles themselves came to be between the two, for the administrator and for the viewer alike.
        return kinds.map(k => [textAt(k, 'kind'), valueAt(k, 'count')])
      })
    expect(counts('viewer')).toEqual(counts('admin'))
    // What nobody asked for in the run need not be in the roles.
    const asked = await Promise.all(
      ['hub', ...SPOKES].map(async (name, i) =>
        (await servers.server(name).audit(marks[i])).filter(event => event.user === 'viewer'),
      ),
    )
    for (const side of ['hub', 'spoke'] as const) {
      const events = side === 'hub' ? (asked[0] ?? []) : asked.slice(1).flat()
      const used = new Set(events.map(event => `${event.verb} ${event.resource}`))
      expect(events.filter(event => event.status === 403).map(event => event.resource)).toEqual([])
      const grants = grantsFor(rightsFor(side, CHECKS, { secrets: true, command: 'snapshot' }), {
        command: 'snapshot',
        side,
        argo: ['openshift-gitops'],
        places: undefined,
      })
      const rules = grants.flatMap(({ role }) => role.rules ?? [])
      const allowed = rules.flatMap(rule => rule.resources.map(resource => `${rule.verbs[0]} ${resource}`))
      // A kind that this fleet does not serve is not asked for.
      const served = new Set(
        listAt(await servers.server(side === 'hub' ? 'hub' : 'bm').request('GET', '/apis'), 'groups').map(g =>
          textAt(g, 'name'),
        ),
      )
      const groupOf = new Map<string, string>(Object.values(KINDS).map(({ plural, group }) => [plural, group]))
      const idle = allowed.filter(right => {
        const group = groupOf.get(right.split(' ')[1] ?? '') ?? ''
        return !used.has(right) && (group === '' || served.has(group))
      })
      expect(idle).toEqual([])
    }
  })

  it('is not enough with one rule less', async () => {
    const role = `${RBAC}/clusterroles/fleetctl-snapshot-hub`
    const hub = servers.server('hub')
    const rules = listAt(await hub.request('GET', role), 'rules')
    for (const rule of rules.filter(r => listAt(r, 'resources').length > 1).slice(0, 2)) {
      const without = rules.filter(other => other !== rule)
      await hub.request('PATCH', role, { rules: without }, 'application/merge-patch+json')
      await until(async () => !(await granted()), 'the server to take notice of the role')
      const { code, document } = await snapshot(['-o', at('less'), '--force', '--context', 'viewer@hub'])
      expect(code).toBe(3)
      const lost = listAt(document, 'gaps').map(gap => textAt(gap, 'resource').replace(/\..*/, ''))
      expect(lost.sort()).toEqual(listAt(rule, 'resources').map(text).sort())
      await hub.request('PATCH', role, { rules }, 'application/merge-patch+json')
      await until(granted, 'the server to take notice of the role')
    }
  })
})
