import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { type RawObject, valueAt } from '../../src/raw.ts'
import { type AgentTestHub, CHOICE, GIT, LIMIT, startAgentHub } from '../support/agent-hub.ts'
import { AgentLab, ARGO, GOC, type LabPart, snapshotOf } from '../support/agent-lab.ts'
import { START_TIMEOUT_MS } from '../support/apiserver.ts'
import type { BootstrapHub } from '../support/bootstrap-hub.ts'
import { describeWithApiServer, hasApiServer } from '../support/describe.ts'
import { expectSchema } from '../support/expect-schema.ts'
import { LiveCli, type LiveOutcome } from '../support/live-cli.ts'

let started: AgentTestHub
let hub: BootstrapHub
let cli: LiveCli
let before: ReadonlyMap<string, RawObject>
beforeAll(async () => {
  if (!hasApiServer) return
  started = await startAgentHub()
  ;({ hub, cli } = started)
  before = await snapshotOf(hub)
}, START_TIMEOUT_MS)
afterAll(() => started?.stop())

/** Runs a command while the controllers act. */
async function playing(argv: readonly string[], silent: readonly LabPart[] = []): Promise<LiveOutcome> {
  const lab = new AgentLab(hub, silent)
  lab.start()
  try {
    return await cli.run(argv)
  } finally {
    await lab.stop()
  }
}

/** Lets the controllers come to rest, and gives what is there. */
async function settled(): Promise<ReadonlyMap<string, RawObject>> {
  const lab = new AgentLab(hub)
  await lab.once()
  await lab.once()
  return snapshotOf(hub)
}

const argo = { apiVersion: 'argoproj.io/v1beta1', kind: 'ArgoCD', metadata: { name: ARGO, namespace: ARGO } }

const SET_UPS: readonly (readonly [string, readonly string[], unknown])[] = [
  ['documented', ['--accept-frozen', 'hub-branding'], { enabled: false }],
  ['hybrid', ['--setup', 'hybrid'], { enabled: true }],
]

describeWithApiServer('agent enable and agent revert', () => {
  afterEach(async () => {
    await playing(['agent', 'revert', ...LIMIT])
    expect(await settled()).toEqual(before)
  }, 120_000)

  it.each(SET_UPS)(
    '%s: the whole set of objects, unchanged the second time, and back field by field',
    async (_, flags, controller) => {
      const done = await playing(['agent', 'enable', ...CHOICE, ...GIT, ...flags, ...LIMIT, '-o', 'json'])
      expect({ code: done.code, stderr: done.code === 0 ? '' : done.stderr }).toEqual({ code: 0, stderr: '' })
      const report = JSON.parse(done.stdout)
      expectSchema('ApplyReport', report)
      expect(await hub.get(argo)).toMatchObject({
        spec: {
          applicationSet: {},
          server: { route: { enabled: true } },
          controller,
          argoCDAgent: { principal: { enabled: true, destinationBasedMapping: true } },
        },
      })
      // No Lease is left, and none of the variables of the operator that nobody reads were written.
      const there = await settled()
      expect([...there.keys()].filter(key => key.includes('/leases '))).toEqual([])
      expect(JSON.stringify([...there])).not.toContain('ARGOCD_PRINCIPAL_TLS_SERVER_ALLOW_GENERATE=')
      expect([...there.keys()]).toContain(`/api/v1/secrets ${ARGO}/cluster-bm`)

      const again = await playing(['agent', 'enable', ...CHOICE, ...GIT, ...flags, ...LIMIT, '-o', 'json'])
      expect({ code: again.code, stderr: again.code === 0 ? '' : again.stderr }).toEqual({ code: 0, stderr: '' })
      const outcomes = JSON.parse(again.stdout).results.map((r: { outcome: string }) => r.outcome)
      expect(new Set(outcomes)).toEqual(new Set(['unchanged']))
      const bare = await playing(['agent', 'enable', ...LIMIT, '-o', 'json'])
      expect(JSON.parse(bare.stdout).results.filter((r: { outcome: string }) => r.outcome !== 'unchanged')).toEqual([])

      const back = await playing(['agent', 'revert', ...LIMIT, '-o', 'json'])
      expect({ code: back.code, stderr: back.code === 0 ? '' : back.stderr }).toEqual({ code: 0, stderr: '' })
      expectSchema('RevertReport', JSON.parse(back.stdout))
      expect(await settled()).toEqual(before)
    },
    240_000,
  )

  it('dedicated: a second Argo CD beside the first, and its variable of the operator, and back field by field', async () => {
    // Nobody plays the operator of a second instance here: its signals are not awaited.
    const enable = ['agent', 'enable', ...CHOICE, '--setup', 'dedicated', '--yes', '--no-wait']
    const done = await playing([...enable, '-o', 'json'])
    expect({ code: done.code, stderr: done.code === 0 ? '' : done.stderr }).toEqual({ code: 0, stderr: '' })
    const second = {
      apiVersion: 'argoproj.io/v1beta1',
      kind: 'ArgoCD',
      metadata: { name: 'agent-hub', namespace: 'argocd-agent-hub' },
    }
    expect(await hub.get(second)).toMatchObject({
      spec: { applicationSet: {}, controller: { enabled: false }, argoCDAgent: { principal: { enabled: true } } },
    })
    expect(await hub.get(argo)).toMatchObject({ spec: { applicationSet: {}, server: { route: { enabled: true } } } })
    const subscription = {
      apiVersion: 'operators.coreos.com/v1alpha1',
      kind: 'Subscription',
      metadata: { name: 'openshift-gitops-operator', namespace: 'openshift-gitops-operator' },
    }
    const env = valueAt(await hub.get(subscription), 'spec', 'config', 'env')
    expect(env).toContainEqual({
      name: 'ARGOCD_CLUSTER_CONFIG_NAMESPACES',
      value: 'openshift-gitops,local-cluster,argocd-agent-hub',
    })
    // The two that nobody reads were there before, and stay.
    expect(env).toHaveLength(3)
    const back = await playing(['agent', 'revert', ...LIMIT])
    expect({ code: back.code, stderr: back.stderr }).toMatchObject({ code: 0 })
    await hub.finishNamespaces()
    expect(await settled()).toEqual(before)
  }, 120_000)

  it('refuses what freezes until it is named, and writes nothing', async () => {
    const refused = await cli.run(['agent', 'enable', ...CHOICE, ...LIMIT])
    expect(refused.code).toBe(6)
    expect(refused.stderr).toContain('frozen-applications')
    const wrong = await cli.run(['agent', 'enable', ...CHOICE, ...LIMIT, '--accept-frozen', 'hub-branding,other'])
    expect(wrong.code).toBe(6)
    expect(await snapshotOf(hub)).toEqual(before)
  }, 60_000)

  it('pauses after a step, goes on, and can be taken back half-way', async () => {
    const enable = ['agent', 'enable', ...CHOICE, '--setup', 'hybrid', ...LIMIT]
    const paused = await playing([...enable, '--pause-after', 'principal'])
    expect({ code: paused.code, stderr: paused.stderr }).toMatchObject({
      code: 0,
      stderr: expect.stringContaining('paused after step'),
    })
    expect((await settled()).has(`/apis/apps.open-cluster-management.io/v1beta1/gitopsclusters ${ARGO}/${GOC}`)).toBe(
      false,
    )
    const half = await playing(['agent', 'revert', ...LIMIT])
    expect({ code: half.code, stderr: half.stderr }).toMatchObject({ code: 0 })
    expect(await settled()).toEqual(before)

    expect((await playing([...enable, '--pause-after', 'selection'])).code).toBe(0)
    const resumed = await playing(['agent', 'enable', '--resume', ...LIMIT])
    expect({ code: resumed.code, stderr: resumed.code === 0 ? '' : resumed.stderr }).toEqual({ code: 0, stderr: '' })
  }, 240_000)

  it('stops with 5 at a signal that does not come, with the cause, and goes on later', async () => {
    const enable = ['agent', 'enable', ...CHOICE, '--setup', 'hybrid', '--yes', '--timeout', '25s', '-o', 'json']
    const stopped = await playing(enable, ['principal'])
    expect(stopped.code).toBe(5)
    expect(stopped.stderr).toContain('fleetctl agent enable --resume')
    expect(stopped.stderr).toMatch(/waited in vain at step \d+: 1 of 1 replicas are updated, 0 available/)
    expect(stopped.stderr).toMatch(/cause: FLT0813 .*The principal of ArgoCD "openshift-gitops" does not run/)
    expect(JSON.parse(stopped.stdout).causes.length).toBeGreaterThan(0)
    const resumed = await playing(['agent', 'enable', '--resume', ...LIMIT])
    expect({ code: resumed.code, stderr: resumed.code === 0 ? '' : resumed.stderr }).toEqual({ code: 0, stderr: '' })
  }, 240_000)

  it('lets no second run in', async () => {
    const lease = {
      apiVersion: 'coordination.k8s.io/v1',
      kind: 'Lease',
      metadata: { name: 'fleetctl-agent', namespace: ARGO },
      spec: { holderIdentity: 'other-host_1_abc', leaseDurationSeconds: 15, renewTime: now() },
    }
    await hub.create(lease)
    const renewing = setInterval(() => {
      void hub.patch(lease, { spec: { renewTime: now() } }, 'other')
    }, 1500)
    try {
      const refused = await cli.run(['agent', 'enable', ...CHOICE, '--setup', 'hybrid', ...LIMIT])
      expect(refused).toMatchObject({ code: 6, stderr: expect.stringContaining('held by other-host_1_abc') })
      expect((await snapshotOf(hub)).size).toBe(before.size + 1)
    } finally {
      clearInterval(renewing)
      await new Promise(resolve => setTimeout(resolve, 500))
      await hub.remove(lease)
    }
  }, 60_000)

  it('turns an ApplicationSet back to push only when its Applications are named, and exactly back again', async () => {
    const enable = ['agent', 'enable', ...CHOICE, ...GIT, '--setup', 'hybrid', ...LIMIT]
    expect((await playing(enable)).code).toBe(0)
    const whole = await settled()
    const turn = ['agent', 'appset', 'edge-agent', '--to', 'push', ...LIMIT]
    expect(await playing(turn)).toMatchObject({ code: 6, stderr: expect.stringContaining('deleted-by-agents') })
    expect(await settled()).toEqual(whole)
    const done = await playing([...turn, '--accept-lost', 'edge-agent-bm,edge-agent-sno'])
    expect({ code: done.code, stderr: done.stderr }).toMatchObject({ code: 0 })
    const set = {
      apiVersion: 'argoproj.io/v1alpha1',
      kind: 'ApplicationSet',
      metadata: { name: 'edge-agent', namespace: ARGO },
    }
    expect(valueAt(await hub.get(set), 'spec', 'template', 'spec', 'destination')).toEqual({ server: '{{server}}' })
    const { runs } = JSON.parse((await cli.run(['plan', 'list', '-o', 'json'])).stdout)
    const back = await playing(['plan', 'revert', runs.at(-1).id, '--yes'])
    expect({ code: back.code, stderr: back.stderr }).toEqual({ code: 0, stderr: '' })
    expect(await settled()).toEqual(whole)
  }, 240_000)

  it('takes the hub back without a journal as far as that can be known', async () => {
    expect((await playing(['agent', 'enable', ...CHOICE, '--setup', 'hybrid', ...LIMIT])).code).toBe(0)
    const blind = new LiveCli(started.servers.server('hub').kubeconfig)
    const lab = new AgentLab(hub)
    lab.start()
    const back = await blind.run(['agent', 'revert', '--leftovers', ...LIMIT])
    await lab.stop()
    blind.end()
    expect({ code: back.code, stderr: back.stderr }).toMatchObject({ code: 0 })
    expect(back.stdout).toContain('the variables of the operator before')
    const left = await settled()
    expect(await hub.get(argo)).toMatchObject({ spec: { argoCDAgent: { principal: { enabled: false } } } })
    const gone = [...before.keys()].filter(key => !left.has(key))
    expect(gone).toEqual([])
    // The principal, its agents and all that ACM made are gone; what selected stays.
    const more = [...left.keys()].filter(key => !before.has(key))
    expect(more.filter(key => /agent|gitops-addon|cluster-(bm|sno)/.test(key))).toEqual([])
    // The fields that stay, switched off, go by hand; the journal brings the rest back.
    await hub.patch(argo, { spec: { argoCDAgent: null, controller: null } }, 'kubectl')
  }, 240_000)
})

function now(): string {
  return `${new Date().toISOString().slice(0, -1)}000Z`
}
