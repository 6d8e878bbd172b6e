import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'
import { CHECKS as ALL_CHECKS } from '../../src/checks/registry.ts'
import { engine } from '../../src/commands/engine.ts'
import type { ExitCode } from '../../src/errors.ts'
import type { KindName } from '../../src/fleet/kinds.ts'
import type { Wish } from '../../src/kube/access-review.ts'
import { NamespaceFacts } from '../../src/kube/namespace-facts.ts'
import { renderAccess } from '../../src/output/access-text.ts'
import { listAt, textAt, texts, valueAt } from '../../src/raw.ts'
import { type AccessReport, accessReport, type LackingRight, reviewAccess } from '../../src/rbac/access-report.ts'
import { type Right, rightsFor } from '../../src/rbac/rights.ts'
import { OPTIONS } from '../output/samples.ts'
import { recordedFleet } from '../support/fleets.ts'
import { CHECKS, runCli, type Setting } from './run-cli.ts'

const REAL: Setting = { engine }
/** `FLT0103` reads Applications on spokes; all three read Placements on the hub. */
const FEW: Setting = { engine: { checks: async () => CHECKS } }

async function items(argv: readonly string[], setting: Setting = REAL): Promise<readonly unknown[]> {
  const { code, stdout, stderr } = await runCli(['rbac', ...argv, '-o', 'json'], setting)
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  const document: unknown = JSON.parse(stdout)
  expect(document).toMatchObject({ apiVersion: 'v1', kind: 'List' })
  return listAt(document, 'items')
}

/** `Kind namespace/name` of each. */
function titles(objects: readonly unknown[]): string[] {
  return objects.map(o => {
    const namespace = textAt(o, 'metadata', 'namespace')
    return `${textAt(o, 'kind')} ${namespace === '' ? '' : `${namespace}/`}${textAt(o, 'metadata', 'name')}`
  })
}

function resourcesOf(object: unknown): readonly string[] {
  return listAt(object, 'rules').flatMap(rule => texts(valueAt(rule, 'resources')))
}

describe('roles', () => {
  test('--watch adds what is watched, without Secrets, and nothing else', async () => {
    const all = await items(['--watch'])
    expect(titles(all).slice(-1)).toEqual(['ClusterRole fleetctl-doctor-hub-watch'])
    expect(titles(all).slice(0, -1)).toEqual(titles(await items([])))
    const watched = all.at(-1)
    expect(resourcesOf(watched)).toContain('manifestworks')
    expect(resourcesOf(watched)).not.toContain('secrets')
    expect(listAt(watched, 'rules').map(rule => texts(valueAt(rule, 'verbs')))).toSatisfy((verbs: string[][]) =>
      verbs.every(v => v.join() === 'list,watch'),
    )
    expect(all.slice(0, -1).flatMap(o => listAt(o, 'rules').flatMap(r => texts(valueAt(r, 'verbs'))))).not.toContain(
      'watch',
    )
  })

  test('by default ClusterRoles, with Secrets apart; -n makes the latter Roles there', async () => {
    const hub = ['ClusterRole fleetctl-doctor-hub', 'ClusterRole fleetctl-doctor-hub-namespaces']
    const plain = await items([])
    expect(titles(plain)).toEqual([...hub, 'ClusterRole fleetctl-doctor-hub-secrets'])
    expect(plain.slice(0, 2).flatMap(resourcesOf)).not.toContain('secrets')
    expect(resourcesOf(plain[2])).toEqual(['secrets', 'secrets'])
    expect(titles(await items(['-n', 'b,a', '--for', 'doctor']))).toEqual([
      ...hub,
      'Role a/fleetctl-doctor-hub-secrets',
      'Role b/fleetctl-doctor-hub-secrets',
    ])
    expect(titles(await items(['--no-secrets']))).toEqual(hub)
    expect(titles(await items(['--for', 'trace', '--on', 'spoke', '--no-secrets']))).toEqual([
      'ClusterRole fleetctl-trace-spoke',
      'ClusterRole fleetctl-trace-spoke-namespaces',
    ])
  })

  test('follow what the checks declare', async () => {
    expect((await items(['--on', 'spoke'], FEW)).map(o => valueAt(o, 'rules'))).toEqual([
      [{ apiGroups: ['argoproj.io'], resources: ['applications'], verbs: ['list'] }],
    ])
    const [hub] = await items([], FEW)
    expect(resourcesOf(hub)).toContain('placements')
    expect(resourcesOf(hub)).not.toContain('leases')
  })

  test('only read, and no rule is a wildcard', async () => {
    for (const side of ['hub', 'spoke']) {
      const rules = (await items(['--on', side])).flatMap(o => listAt(o, 'rules'))
      expect(new Set(rules.flatMap(rule => texts(valueAt(rule, 'verbs'))))).toEqual(new Set(['get', 'list']))
      expect(JSON.stringify(rules)).not.toContain('*')
      for (const rule of rules.filter(r => texts(valueAt(r, 'verbs')).includes('get')))
        expect(texts(valueAt(rule, 'resourceNames'))).not.toEqual([])
    }
  })

  test('--to prints bindings', async () => {
    const argv = ['-n', 'argo', '--to', 'user:ci-bot', '--to', 'serviceaccount:ci:bot', '--to', 'group:a:b']
    const objects = await items(argv)
    expect(titles(objects.slice(3))).toEqual([
      'ClusterRoleBinding fleetctl-doctor-hub',
      'ClusterRoleBinding fleetctl-doctor-hub-namespaces',
      'RoleBinding argo/fleetctl-doctor-hub-secrets',
    ])
    const apiGroup = 'rbac.authorization.k8s.io'
    expect(objects[5]).toEqual({
      apiVersion: `${apiGroup}/v1`,
      kind: 'RoleBinding',
      metadata: { name: 'fleetctl-doctor-hub-secrets', namespace: 'argo' },
      roleRef: { apiGroup, kind: 'Role', name: 'fleetctl-doctor-hub-secrets' },
      subjects: [
        { apiGroup, kind: 'User', name: 'ci-bot' },
        { kind: 'ServiceAccount', namespace: 'ci', name: 'bot' },
        { apiGroup, kind: 'Group', name: 'a:b' },
      ],
    })
  })

  test('of a recording: a Role in each namespace that matters, and Secrets only beside Argo CD', async () => {
    const from = ['--from', recordedFleet('agent-healthy')]
    const [wide, ...roles] = await items(from)
    expect(titles([wide])).toEqual(['ClusterRole fleetctl-doctor-hub'])
    expect(resourcesOf(wide)).not.toContain('secrets')
    expect(new Set(roles.map(o => valueAt(o, 'kind')))).toEqual(new Set(['Role']))
    const withSecrets = roles.filter(o => resourcesOf(o).includes('secrets'))
    // The recorded ArgoCD and GitOpsCluster name this one.
    expect(withSecrets.map(o => valueAt(o, 'metadata', 'namespace'))).toEqual(['openshift-gitops'])
    const spoke = await items([...from, '--on', 'spoke', '--spoke', 'bm'])
    expect(titles(spoke)[0]).toBe('ClusterRole fleetctl-doctor-spoke')
  })

  test('the text is what the machine formats say, with comments', async () => {
    const { stdout } = await runCli(['rbac', '-n', 'argo'], REAL)
    const documents = parseAllDocuments(stdout).map((d): unknown => d.toJS())
    expect(documents).toEqual(await items(['-n', 'argo']))
    expect(stdout).toContain(
      '#   kubectl create rolebinding fleetctl-doctor-hub-secrets -n argo --role=fleetctl-doctor-hub-secrets --user=USER\n',
    )
    expect(parse((await runCli(['rbac', '-n', 'argo', '-o', 'yaml'], REAL)).stdout)).toMatchObject({ kind: 'List' })
    expect((await runCli(['rbac', '--no-secrets', '-o', 'name'], REAL)).stdout).toBe(
      'clusterrole.rbac.authorization.k8s.io/fleetctl-doctor-hub\n' +
        'clusterrole.rbac.authorization.k8s.io/fleetctl-doctor-hub-namespaces\n',
    )
  })

  test.each([
    [['rbac', '--for', 'apply'], 'expected doctor, trace, snapshot, bootstrap, agent or fix'],
    [['rbac', '--for', 'bootstrap', '--on', 'spoke'], 'on the hub only'],
    [['rbac', '--for', 'agent', '--no-secrets', '--to', 'user:x'], 'name them with -n'],
    [['rbac', 'can-i', '--for', 'bootstrap'], 'asks for its rights itself'],
    [['rbac', '--on', 'hubs'], 'did you mean "hub"?'],
    [['rbac', '--no-secrets', '--to', 'ci-bot'], 'expected user:NAME, group:NAME or serviceaccount:NAMESPACE:NAME'],
    [['rbac', '--no-secrets', '--to', 'serviceaccount:x'], 'expected user:NAME'],
    [['rbac', '--to', 'user:x'], 'name them with -n, or pass --no-secrets'],
    [['rbac', '--from', recordedFleet('agent-healthy'), '--on', 'spoke'], 'name one with --spoke; there are bm, sno'],
    [['rbac', 'can-i', '--from', 'x'], 'asks a live hub'],
    [['rbac', 'can-i', '--to', 'user:x'], '--to is for "rbac"'],
  ])('%j is a mistake', async (argv, message) => {
    const { code, stdout, stderr } = await runCli(argv, REAL)
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toMatch(/^error: [^\n]*\n$/)
    expect(stderr).toContain(message)
  })
})

describe('what the user lacks', () => {
  const facts = new NamespaceFacts('hub')
  facts.add('argo', 'argo')
  facts.add('apps', 'apps')
  const rights = rightsFor('hub', ALL_CHECKS, { secrets: true })
  const of = (kind: KindName): readonly Right[] => rights.filter(r => r.kind === kind && r.verb === 'list')
  const ask = async (kind: KindName, answer: (wish: Wish) => boolean | undefined, state: 'served' | 'not-served') => {
    const asked: string[] = []
    const { allowed, missing, unknown } = await reviewAccess(
      { name: 'hub', role: 'hub' },
      of(kind),
      { facts },
      {
        served: () => state,
        allowed: async wish => {
          asked.push(wish.namespace)
          return answer(wish)
        },
      },
    )
    const places = (rows: readonly LackingRight[]) => rows.map(row => row.namespace)
    return { asked, allowed, missing: places(missing), unknown: places(unknown) }
  }

  test('whoever may do it everywhere is not asked about each namespace', async () => {
    const all = { asked: [''], allowed: 1, missing: [], unknown: [] }
    expect(await ask('ConfigMap', () => true, 'served')).toEqual(all)
    expect(await ask('Application', () => true, 'served')).toEqual(all)
  })

  test('else in each namespace that matters', async () => {
    expect(await ask('ConfigMap', ({ namespace }) => namespace === 'argo', 'served')).toEqual({
      asked: ['', 'apps', 'argo'],
      allowed: 1,
      missing: ['apps'],
      unknown: [],
    })
    expect((await ask('Secret', () => false, 'served')).missing).toEqual(['argo'])
  })

  test('a list over the whole cluster is asked for as such', async () => {
    const none = { asked: [''], allowed: 0, missing: [''], unknown: [] }
    expect(await ask('Application', ({ namespace }) => namespace !== '', 'served')).toEqual(none)
  })

  test('no answer is unknown, and what is not served is not needed', async () => {
    expect(await ask('Application', () => undefined, 'served')).toMatchObject({ missing: [], unknown: [''] })
    expect(await ask('Application', () => false, 'not-served')).toEqual({
      asked: [],
      allowed: 0,
      missing: [],
      unknown: [],
    })
  })
})

describe('docs/permissions.md', () => {
  const page = readFileSync('docs/permissions.md', 'utf8')
  const blocks = [...page.matchAll(/<!-- run: (.*?) -->\n```console\n([\s\S]*?)\n```/g)]

  test.each(blocks.map(([, argv = '', block = '']) => [argv, block]))('%s is current', async (argv, block) => {
    const { code, stdout } = await runCli(argv.split(' '), REAL)
    const hint = 'run: node scripts/build.mjs && node scripts/generate-docs.mjs'
    expect(block, hint).toBe(`$ fleetctl ${argv}\n${stdout.trimEnd()}\n$ echo $?\n${code}`)
  })

  test('shows both sides', () => {
    expect(blocks.map(([, argv]) => argv)).toEqual(expect.arrayContaining(['rbac', 'rbac --on spoke']))
  })
})

describe('the text of can-i', () => {
  const row = { cluster: 'hub', verb: 'get', group: '', namespace: 'argo', checks: ['FLT0102', 'FLT0103'] }
  const secret: LackingRight = { ...row, resource: 'secrets', name: 'redis' }
  const works: LackingRight = { ...row, verb: 'list', group: 'work.io', resource: 'works', namespace: '', name: '' }
  const report = (missing: readonly LackingRight[], unknown: readonly LackingRight[], reason = ''): AccessReport =>
    accessReport('doctor', [
      { name: 'hub', role: 'hub', reason: '', allowed: 3, missing, unknown },
      { name: 'bm', role: 'spoke', reason, allowed: 0, missing: [], unknown: [] },
    ])
  const show = (document: AccessReport, exitCode: ExitCode): string => renderAccess(document, { ...OPTIONS, exitCode })

  test('a row for each right, then what that means', () => {
    expect(show(report([works], [secret]), 3)).toBe(`\
CLUSTER   NAMESPACE   VERB   RESOURCE        ALLOWED   CHECKS
hub       <all>       list   works.work.io   no        2
hub       argo        get    secrets/redis   unknown   2

2 of 5 rights that doctor needs are missing or not known of; 2 checks could not say all. See fleetctl rbac --for doctor.
`)
    expect(show(report([], []), 0)).toBe('All 3 rights that doctor needs are there.\n')
    expect(show(report([], [], 'no route'), 3)).toBe(
      'bm could not be asked: no route\nAll 3 rights that could be asked about are there.\n',
    )
  })
})
