import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import type { RawObject } from '../../src/raw.ts'
import { type ApiServers, START_TIMEOUT_MS, startApiServers } from '../support/apiserver.ts'
import { BootstrapHub, EMPTY_HUB } from '../support/bootstrap-hub.ts'
import { describeWithApiServer, hasApiServer } from '../support/describe.ts'
import { LiveCli } from '../support/live-cli.ts'

let servers: ApiServers
let hub: BootstrapHub
let cli: LiveCli
let before: ReadonlyMap<string, string>
beforeAll(async () => {
  if (!hasApiServer) return
  servers = await startApiServers({ clusters: ['hub'], users: [{ name: 'limited' }] })
  hub = new BootstrapHub(servers.server('hub'))
  await hub.installDefinitions()
  for (const object of EMPTY_HUB) await hub.create(object)
  await grant()
  cli = new LiveCli(servers.kubeconfig)
  before = await hub.snapshot()
}, START_TIMEOUT_MS)
afterAll(async () => {
  cli?.end()
  await servers?.stop()
})

const RBAC = '/apis/rbac.authorization.k8s.io/v1'

/** Lets `limited` read everything and write everything but GitOpsClusters, and not bind sets. */
async function grant(): Promise<void> {
  const read = { apiGroups: ['*'], resources: ['*'], verbs: ['get', 'list', 'watch'] }
  const write = {
    apiGroups: ['cluster.open-cluster-management.io', 'argoproj.io', 'policy.open-cluster-management.io'],
    resources: [
      'managedclustersets',
      'managedclusters',
      'managedclustersetbindings',
      'placements',
      'applicationsets',
      'policies',
      'placementbindings',
      'managedclustersets/join',
    ],
    verbs: ['create', 'patch', 'delete'],
  }
  const server = servers.server('hub')
  await server.request('POST', `${RBAC}/clusterroles`, { metadata: { name: 'limited' }, rules: [read, write] })
  await server.request('POST', `${RBAC}/clusterrolebindings`, {
    metadata: { name: 'limited' },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'limited' },
    subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: 'limited' }],
  })
}

const PULL = [
  ...['bootstrap', 'pull', '--set', 'demo', '--clusters', 'bm,sno', '--no-wait'],
  ...['--repo-url', 'https://git.example.test/fleet.git', '--path', 'apps/{{name}}'],
]

const OTHERS: RawObject = {
  apiVersion: 'cluster.open-cluster-management.io/v1beta1',
  kind: 'Placement',
  metadata: { name: 'demo-clusters', namespace: 'openshift-gitops' },
  spec: { clusterSets: ['other'], tolerations: [{ key: 'gpu', operator: 'Exists' }] },
}

async function takeBack(): Promise<void> {
  const { runs } = JSON.parse((await cli.run(['plan', 'list', '-o', 'json'])).stdout)
  for (const run of [...runs].reverse()) {
    if (run.state !== 'reverted') expect((await cli.run(['plan', 'revert', run.id, '--yes'])).code).toBe(0)
  }
}

describeWithApiServer('what a bootstrap does not do', () => {
  afterEach(async () => {
    await takeBack()
    await hub.remove(OTHERS)
    expect(await hub.snapshot()).toEqual(before)
  })

  it('says which rights are missing before anything is written, subresources included', async () => {
    const refused = await cli.run([...PULL, '--yes', '--context', 'limited@hub'])
    expect(refused.code).toBe(6)
    expect(refused.stderr).toContain('refused, nothing was written: you may not create managedclustersets/bind')
    expect(refused.stderr).toContain(
      'patch gitopsclusters.apps.open-cluster-management.io "gitops-demo" in openshift-gitops',
    )
  })

  it('does the rest under --partial, says what was left out, and ends with 7', async () => {
    const partly = await cli.run([...PULL, '--yes', '--partial', '--context', 'limited@hub', '-o', 'json'])
    expect(partly.code).toBe(7)
    const outcomes = Object.fromEntries(
      JSON.parse(partly.stdout)
        .results.filter((r: { subject: unknown }) => r.subject !== null)
        .map((r: { subject: { kind: string; name: string }; outcome: string }) => [
          `${r.subject.kind}/${r.subject.name}`,
          r.outcome,
        ]),
    )
    expect(outcomes).toMatchObject({
      'GitOpsCluster/gitops-demo': 'skipped',
      'ManagedClusterSetBinding/demo': 'skipped',
      'Placement/demo-clusters': 'created',
      'ApplicationSet/demo-pull': 'created',
    })
  })

  it('shows fields that others own, and takes them only when told to', async () => {
    await hub.create(OTHERS)
    await hub.patch(OTHERS, { spec: { numberOfClusters: 3 } }, 'kubectl-edit')
    const was = await hub.get(OTHERS)
    const refused = await cli.run([...PULL, '--yes', '--number-of-clusters', '2'])
    expect(refused.code).toBe(6)
    expect(refused.stdout).toContain('conflicts')
    expect(refused.stdout).toContain(
      'openshift-gitops/Placement/demo-clusters.spec.numberOfClusters is set by kubectl-edit',
    )
    expect(refused.stdout).toMatch(/\.spec\.numberOfClusters: 3 -> 2 \(set by kubectl-edit\)/)
    const forced = await cli.run([...PULL, '--yes', '--number-of-clusters', '2', '--force-conflicts'])
    expect(forced.stderr).not.toContain('error')
    expect(forced.code).toBe(0)
    await takeBack()
    expect((await hub.get(OTHERS))?.spec).toEqual(was?.spec)
  })

  it('offers files for what is kept in Git, and does not touch it', async () => {
    const owned = {
      ...OTHERS,
      metadata: {
        name: 'demo-clusters',
        namespace: 'openshift-gitops',
        annotations: { 'argocd.argoproj.io/tracking-id': 'platform:x:y/z' },
      },
    }
    await hub.create(owned)
    const refused = await cli.run([...PULL, '--yes', '--force-conflicts'])
    expect(refused.code).toBe(6)
    expect(refused.stdout).toContain('gitops-owned')
    expect(refused.stdout).toContain('Argo CD Application "platform"')
    expect(refused.stdout).toContain('--export DIR')
  })

  it('tells a hub that is not there from one that says no', async () => {
    const gone = await cli.run([...PULL, '--yes', '--server', 'https://127.0.0.1:1'])
    expect(gone.code).toBe(4)
    const stranger = await cli.run([...PULL, '--yes', '--token', 'nobody-knows-this'])
    expect(stranger.code).toBe(4)
  })
})
