import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { type ApiServers, START_TIMEOUT_MS, startApiServers } from '../support/apiserver.ts'
import type { AuditEvent } from '../support/audit.ts'
import { BootstrapHub, EMPTY_HUB } from '../support/bootstrap-hub.ts'
import { describeWithApiServer, hasApiServer } from '../support/describe.ts'
import { expectSchema } from '../support/expect-schema.ts'
import { LiveCli, type LiveOutcome } from '../support/live-cli.ts'

let servers: ApiServers
let hub: BootstrapHub
let cli: LiveCli
let folder: string
beforeAll(async () => {
  if (!hasApiServer) return
  servers = await startApiServers({ clusters: ['hub'] })
  hub = new BootstrapHub(servers.server('hub'))
  await hub.installDefinitions()
  for (const object of EMPTY_HUB) await hub.create(object)
  cli = new LiveCli(servers.server('hub').kubeconfig)
  folder = mkdtempSync(join(tmpdir(), 'fleetctl-export-'))
}, START_TIMEOUT_MS)
afterAll(async () => {
  cli?.end()
  if (folder !== undefined) rmSync(folder, { recursive: true, force: true })
  await servers?.stop()
})

const GIT = ['--repo-url', 'https://git.example.test/fleet.git', '--path', 'apps/{{name}}']
const DEMO = ['--set', 'demo', '--clusters', 'bm,sno', ...GIT]
const MODELS: readonly (readonly [string, readonly string[]])[] = [
  ['push', DEMO],
  ['push', [...DEMO, '--service-account', 'deployer', '--grant-namespaces', 'shop', '--project', 'retail']],
  ['pull', DEMO],
  ['pull', [...DEMO, '--spoke-gitops', 'addon', '--managed-namespaces', 'shop']],
  ['pull', [...DEMO, '--policy-namespace', 'acm-policies', '--predicate', 'vendor=OpenShift', '--on-leave', 'keep']],
  ['agent', DEMO],
  ['agent', [...DEMO, '--setup', 'hybrid']],
]

const isWrite = (e: AuditEvent): boolean => ['create', 'update', 'patch', 'delete', 'deletecollection'].includes(e.verb)
/** Reviews are questions, though they are posted. */
const isQuestion = (e: AuditEvent): boolean => e.resource === 'selfsubjectaccessreviews'
const isDryRun = (e: AuditEvent): boolean => e.uri.includes('dryRun=All')

async function writesSince(mark: number): Promise<readonly AuditEvent[]> {
  return (await servers.server('hub').audit(mark)).filter(e => isWrite(e) && !isQuestion(e))
}

/** Takes the newest run back, so that the next test begins with the same hub. */
async function takeBack(): Promise<void> {
  const { runs } = JSON.parse((await cli.run(['plan', 'list', '-o', 'json'])).stdout)
  for (const run of [...runs].reverse()) {
    if (run.state === 'reverted') continue
    const { code, stdout } = await cli.run(['plan', 'revert', run.id, '--yes'])
    expect({ code, stdout: code === 0 ? '' : stdout }).toEqual({ code: 0, stdout: '' })
  }
  await hub.finishNamespaces()
}

describeWithApiServer('bootstrap on a real API server', () => {
  afterEach(takeBack)

  it.each(MODELS)(
    '%s %j: every object passes, a second run changes nothing, revert brings back what was',
    async (model, flags) => {
      const before = await hub.snapshot()
      const dry = await servers.server('hub').mark()
      const rehearsal = await cli.run(['bootstrap', model, ...flags, '--dry-run=server'])
      expect(rehearsal).toMatchObject({ code: 0, stderr: '' })
      const rehearsed = await writesSince(dry)
      expect(rehearsed.length).toBeGreaterThan(0)
      expect(rehearsed.filter(e => !isDryRun(e))).toEqual([])
      expect(rehearsed.every(e => e.uri.includes('fieldValidation=Strict'))).toBe(true)
      expect(await hub.snapshot()).toEqual(before)

      const first = await cli.run(['bootstrap', model, ...flags, '--yes', '--no-wait', '-o', 'json'])
      expect(first.code).toBe(0)
      const report = JSON.parse(first.stdout)
      expect(report.kind).toBe('ApplyReport')
      expectSchema('ApplyReport', report)
      const outcomes = report.results.filter((r: { subject: unknown }) => r.subject !== null)
      expect(new Set(outcomes.map((r: { outcome: string }) => r.outcome))).toEqual(new Set(['created', 'configured']))

      const mark = await servers.server('hub').mark()
      const second = await cli.run(['bootstrap', model, ...flags, '--yes', '--no-wait', '-o', 'json'])
      expect(second.code).toBe(0)
      const again = JSON.parse(second.stdout).results.filter((r: { subject: unknown }) => r.subject !== null)
      // A namespace or project that is there is used as it is.
      const asked = outcomes.filter(
        (r: { subject: { kind: string } }) => !['Namespace', 'AppProject'].includes(r.subject.kind),
      )
      expect(again).toHaveLength(asked.length)
      expect(new Set(again.map((r: { outcome: string }) => r.outcome))).toEqual(new Set(['unchanged']))
      expect(await writesSince(mark)).toEqual([])

      await takeBack()
      expect(await hub.snapshot()).toEqual(before)
    },
  )

  it('writes nothing under --dry-run=client, without a terminal to ask on, and with a danger that is not accepted', async () => {
    const mark = await servers.server('hub').mark()
    expect((await cli.run(['bootstrap', 'pull', ...DEMO, '--dry-run=client'])).code).toBe(0)
    const unasked = await cli.run(['bootstrap', 'pull', ...DEMO])
    expect(unasked.code).toBe(6)
    expect(unasked.stderr).toContain('pass --yes')
    expect((await writesSince(mark)).filter(e => !isDryRun(e))).toEqual([])
    expect(
      JSON.parse((await cli.run(['plan', 'list', '-o', 'json'])).stdout).runs.filter(
        (r: { state: string }) => r.state !== 'reverted',
      ),
    ).toEqual([])
  })

  const NARROW = ['--service-account', 'd', '--grant-namespaces', 'shop']
  it.each([
    ['flat', 'push', NARROW],
    ['kustomize', 'push', NARROW],
    ['by-cluster', 'push', NARROW],
    ['flat', 'pull', ['--policy-namespace', 'acm-policies']],
    ['flat', 'agent', []],
  ] as const)('exports files (%s, %s) that kubectl makes the same objects of', async (layout, model, flags) => {
    const at = join(folder, `${layout}-${model}`)
    const argv = ['bootstrap', model, ...DEMO, ...flags]
    const { kubeconfig: KUBECONFIG } = servers.server('hub')
    const before = await hub.snapshot()
    expect((await cli.run([...argv, '--export', at, '--layout', layout])).code).toBe(0)
    expect(await hub.snapshot()).toEqual(before)

    expect((await cli.run([...argv, '--yes', '--no-wait'])).code).toBe(0)
    const applied = await hub.snapshot()
    await takeBack()
    await servers.kubectl(['apply', '-k', at], { KUBECONFIG })
    expect(withoutTraces(await hub.snapshot())).toEqual(withoutTraces(applied))
    expect((await cli.run([...argv, '--yes', '--no-wait'])).stdout).toContain('0 to create, 0 to configure')
    await servers.kubectl(['delete', '-k', at, '--ignore-not-found', '--wait=false'], { KUBECONFIG })
    await hub.finishNamespaces()
    for (const object of EMPTY_HUB) if ((await hub.get(object)) === undefined) await hub.create(object)
  })

  it('applies a saved plan, and refuses it once the world has moved', async () => {
    const file = join(folder, 'plan.json')
    expect((await cli.run(['bootstrap', 'pull', ...DEMO, '--plan-out', file])).code).toBe(0)
    expect(JSON.parse(readFileSync(file, 'utf8')).kind).toBe('Plan')
    const cluster = EMPTY_HUB.find(o => o.kind === 'ManagedCluster')
    if (cluster === undefined) throw new Error('no cluster')
    await hub.patch(cluster, { metadata: { labels: { region: 'eu' } } }, 'somebody')
    const mark = await servers.server('hub').mark()
    const refused = await cli.run(['apply', '-f', file, '--yes', '--no-wait'])
    expect(refused.code).toBe(6)
    expect(refused.stderr).toContain('changed by somebody else')
    expect((await writesSince(mark)).filter(e => !isDryRun(e))).toEqual([])

    // A controller that only reports does not move the world.
    await hub.patch(cluster, { metadata: { labels: { region: null } } }, 'somebody')
    await hub.setStatus(cluster, { version: { kubernetes: 'v1.35.0' } })
    const applied = await cli.run(['apply', '-f', file, '--yes', '--no-wait'])
    expect(applied.code).toBe(0)
    expect(applied.stdout).toContain('applicationset.argoproj.io/demo-pull created')
  })

  it('moves clusters out of another set only when told to, and revert moves them back', async () => {
    const push = (set: string, ...more: string[]): Promise<LiveOutcome> =>
      cli.run(['bootstrap', 'push', '--set', set, '--clusters', 'bm,sno', ...GIT, '--yes', '--no-wait', ...more])
    expect((await push('first')).code).toBe(0)
    const before = await hub.snapshot()
    const refused = await push('second')
    expect(refused).toMatchObject({ code: 6, stderr: expect.stringContaining('move-clusters') })
    expect(await hub.snapshot()).toEqual(before)
    expect((await push('second', '--accept', 'move-clusters')).code).toBe(0)
    const moved = await hub.get({
      apiVersion: 'cluster.open-cluster-management.io/v1',
      kind: 'ManagedCluster',
      metadata: { name: 'bm' },
    })
    expect(moved).toMatchObject({
      metadata: { labels: { 'cluster.open-cluster-management.io/clusterset': 'second' } },
    })
    const { runs } = JSON.parse((await cli.run(['plan', 'list', '-o', 'json'])).stdout)
    expect((await cli.run(['plan', 'revert', runs.at(-1).id, '--yes'])).code).toBe(0)
    expect(await hub.snapshot()).toEqual(before)
  })

  it('tells the operator of an Argo CD in a namespace of its own, and revert leaves its other variables', async () => {
    const at = 'argocd-agents'
    const objects = [
      { apiVersion: 'v1', kind: 'Namespace', metadata: { name: at } },
      {
        apiVersion: 'argoproj.io/v1beta1',
        kind: 'ArgoCD',
        metadata: { name: 'agents', namespace: at },
        spec: {},
      },
      {
        apiVersion: 'operators.coreos.com/v1alpha1',
        kind: 'Subscription',
        metadata: { name: 'gitops', namespace: 'openshift-gitops' },
        spec: {
          name: 'openshift-gitops-operator',
          channel: 'gitops-1.22',
          source: 'redhat-operators',
          sourceNamespace: 'openshift-marketplace',
          config: { env: [{ name: 'LOG_LEVEL', value: 'info' }] },
        },
      },
    ]
    for (const object of objects) await hub.create(object)
    const before = await hub.snapshot()
    const agent = ['bootstrap', 'agent', ...DEMO, '-n', at, '--setup', 'hybrid', '--yes', '--no-wait']
    const refused = await cli.run(agent)
    // The list is one value to the server, and whoever wrote it owns it.
    expect(refused).toMatchObject({ code: 6, stdout: expect.stringContaining('.spec.config.env is set by ') })
    expect(await hub.snapshot()).toEqual(before)
    expect((await cli.run([...agent, '--force-conflicts'])).code).toBe(0)
    expect(await hub.get(objects[2] ?? {})).toMatchObject({
      spec: {
        config: {
          env: [
            { name: 'LOG_LEVEL', value: 'info' },
            { name: 'ARGOCD_CLUSTER_CONFIG_NAMESPACES', value: 'openshift-gitops,argocd-agents' },
          ],
        },
      },
    })
    expect((await cli.run(agent)).stdout).toContain('0 to create, 0 to configure')
    await takeBack()
    expect(await hub.snapshot()).toEqual(before)
    for (const object of [...objects].reverse()) await hub.remove(object)
    await hub.finishNamespaces()
  })

  it('moves back a cluster that somebody had put into its set by hand', async () => {
    const bare = {
      apiVersion: 'cluster.open-cluster-management.io/v1',
      kind: 'ManagedCluster',
      metadata: { name: 'new' },
    }
    await hub.create({ ...bare, spec: { hubAcceptsClient: true } })
    // The first label of all: whoever sets it makes the map, and keeps it when the label is taken over.
    await hub.patch(
      bare,
      { metadata: { labels: { 'cluster.open-cluster-management.io/clusterset': 'old' } } },
      'oc-label',
    )
    const before = await hub.snapshot()
    const argv = ['bootstrap', 'clusterset', 'demo', '--clusters', 'new', '--yes', '--accept', 'move-clusters']
    expect((await cli.run(argv)).code).toBe(0)
    expect(await hub.snapshot()).not.toEqual(before)
    await takeBack()
    expect(await hub.snapshot()).toEqual(before)
    await hub.remove(bare)
  })

  it('leaves alone what somebody has changed since, and says what', async () => {
    await cli.run(['bootstrap', 'pull', ...DEMO, '--yes', '--no-wait'])
    const { runs } = JSON.parse((await cli.run(['plan', 'list', '-o', 'json'])).stdout)
    const set = {
      apiVersion: 'argoproj.io/v1alpha1',
      kind: 'ApplicationSet',
      metadata: { name: 'demo-pull', namespace: 'openshift-gitops' },
    }
    await hub.patch(set, { spec: { template: { spec: { project: 'other' } } } }, 'kubectl-edit')
    const reverted = await cli.run(['plan', 'revert', runs.at(-1).id, '--yes', '-o', 'json'])
    expect(reverted.code).toBe(0)
    expectSchema('RevertReport', JSON.parse(reverted.stdout))
    expectSchema('Run', JSON.parse((await cli.run(['plan', 'show', runs.at(-1).id, '-o', 'json'])).stdout))
    expectSchema('RunList', JSON.parse((await cli.run(['plan', 'list', '-o', 'json'])).stdout))
    const left = JSON.parse(reverted.stdout).results.filter((r: { outcome: string }) => r.outcome === 'left')
    expect(left).toMatchObject([
      {
        subject: { kind: 'ApplicationSet' },
        left: [{ path: '.spec.template.spec.project', why: 'changed since by kubectl-edit' }],
      },
    ])
    await hub.remove(set)
  })
})

/** Without what kubectl and Git leave in an object: the last applied copy, and the options of objects that are shared. */
function withoutTraces(snapshot: ReadonlyMap<string, string>): ReadonlyMap<string, unknown> {
  return new Map(
    [...snapshot].map(([key, text]) => {
      const object = JSON.parse(text)
      delete object.metadata.annotations
      return [key, object]
    }),
  )
}
