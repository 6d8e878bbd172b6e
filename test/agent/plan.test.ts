import { describe, expect, it } from 'vitest'
import type { AgentHub } from '../../src/agent/hub.ts'
import { INSTANCE_CHECKS } from '../../src/agent/preconditions/instance.ts'
import { engine } from '../../src/commands/engine.ts'
import type { Fleet } from '../../src/fleet/fleet.ts'
import { whatIf } from '../../src/plan/what-if.ts'
import { valueAt } from '../../src/raw.ts'
import { runCli } from '../commands/run-cli.ts'
import { expectSchema } from '../support/expect-schema.ts'
import { readExpected } from '../support/expected.ts'
import { FLEET_NAMES, FLEETS, readRecorded, recorded, recordedFleet } from '../support/fleets.ts'

interface Frozen {
  readonly subject: {
    readonly cluster: string
    readonly kind: string
    readonly namespace: string
    readonly name: string
  }
  readonly cluster: string
  readonly model: string
  readonly already: boolean
  readonly otherWay: { readonly by: string; readonly text: string }
}

async function plan(fleet: string, ...flags: readonly string[]) {
  const argv = ['agent', 'plan', '--from', recordedFleet(fleet), '-o', 'json', ...flags]
  const { code, stdout, stderr } = await runCli(argv, { engine })
  return { code, stderr, document: stdout === '' ? undefined : JSON.parse(stdout) }
}

const namesOf = (frozen: readonly Frozen[]): string[] => frozen.map(f => `${f.subject.namespace}/${f.subject.name}`)

/**
 * Applications that the hub's controller has to itself, by the objects as they were recorded: not marked for pull, not told
 * to skip, not for an agent by the label of the Secret with its destination's name, not sent by an agent.
 */
async function handledByTheHub(fleet: string): Promise<string[]> {
  const { objects } = await readRecorded(fleet)
  const hub = objects.filter(o => o.cluster === 'hub').map(o => ({ kind: o.kind, raw: o.raw }))
  const agents = new Set(
    hub
      .filter(o => o.kind === 'Secret')
      .map(o => valueAt(o.raw, 'metadata', 'labels', 'argocd-agent.argoproj-labs.io/agent-name'))
      .filter(name => typeof name === 'string'),
  )
  const isMine = (app: unknown): boolean => {
    const labels = valueAt(app, 'metadata', 'labels')
    const annotations = valueAt(app, 'metadata', 'annotations')
    const pull = 'apps.open-cluster-management.io/pull-to-ocm-managed-cluster'
    const target = 'apps.open-cluster-management.io/ocm-managed-cluster'
    const destination = valueAt(app, 'spec', 'destination', 'name')
    return (
      valueAt(labels, pull) === undefined &&
      valueAt(annotations, target) === undefined &&
      valueAt(annotations, 'argocd.argoproj.io/skip-reconcile') !== 'true' &&
      valueAt(annotations, 'argocd.argoproj.io/source-uid') === undefined &&
      !(typeof destination === 'string' && agents.has(destination))
    )
  }
  return hub
    .filter(o => o.kind === 'Application' && isMine(o.raw))
    .map(o => `${valueAt(o.raw, 'metadata', 'namespace')}/${valueAt(o.raw, 'metadata', 'name')}`)
    .sort()
}

describe('agent plan names what would freeze', () => {
  it.each(FLEET_NAMES)('%s: exactly the Applications that the controller of the hub has to itself', async fleet => {
    const { document, code } = await plan(fleet)
    expectSchema('AgentPlan', document)
    const isPrincipalBesidePush = document.setup === 'hybrid'
    const isUpstream = document.setup === 'upstream'
    const wanted = isPrincipalBesidePush || isUpstream ? [] : await handledByTheHub(fleet)
    expect(namesOf(document.frozen)).toEqual(wanted)
    const isFresh = document.frozen.some((f: Frozen) => !f.already)
    expect(code).toBe(isFresh ? 6 : 0)
  })

  it('names none in a fleet that the expectations call pull or agent alone', async () => {
    const alone = FLEET_NAMES.filter(name => ['pull', 'agent'].includes(readExpected(FLEETS, name).model)).filter(
      name => readExpected(FLEETS, name).healthy,
    )
    expect(alone.length).toBeGreaterThan(2)
    for (const fleet of alone)
      expect({ fleet, frozen: (await plan(fleet)).document.frozen }).toEqual({ fleet, frozen: [] })
  })

  it('says of each where it goes and how it can live on', async () => {
    const { document } = await plan('mixed-healthy')
    expect(document.frozen).toMatchObject([
      {
        subject: {
          cluster: 'hub',
          group: 'argoproj.io',
          kind: 'Application',
          namespace: 'openshift-gitops',
          name: 'compliance-operator-bm',
        },
        model: 'push',
        cluster: 'bm',
        applicationSet: 'openshift-gitops/compliance-operator',
        otherWay: { by: 'agent' },
        already: false,
      },
      { subject: { name: 'compliance-operator-sno' }, cluster: 'sno' },
    ])
  })

  it('says of a controller that is off that its Applications are frozen already, those of the hub included', async () => {
    const { document, code } = await plan('agent-hub-frozen-push')
    expect(code).toBe(0)
    expect(document.frozen.every((f: Frozen) => f.already)).toBe(true)
    expect(document.frozen.map((f: Frozen) => [f.subject.name, f.model])).toEqual([
      ['bm-branding-push', 'push'],
      ['hub-branding', 'local'],
      ['hub-new', 'local'],
      ['hub-setup', 'local'],
    ])
  })
})

describe('agent plan is refused until what freezes is named', () => {
  const BOTH = 'compliance-operator-bm,openshift-gitops/compliance-operator-sno'

  it.each([
    ['nothing named', [], 6],
    ['one of two named', ['--accept-frozen', 'compliance-operator-bm'], 6],
    ['one too much', ['--accept-frozen', `${BOTH},other`], 6],
    ['exactly these', ['--accept-frozen', BOTH], 0],
    ['hybrid', ['--setup', 'hybrid'], 0],
    ['dedicated', ['--setup', 'dedicated'], 0],
  ])('%s', async (_, flags, code) => {
    const result = await plan('mixed-healthy', ...flags)
    expect(result.code).toBe(code)
    expect(result.document.blockers.some((b: string) => b.startsWith('frozen-applications'))).toBe(code === 6)
  })

  it('says what the list lacks and has too much', async () => {
    const { document } = await plan('mixed-healthy', '--accept-frozen', 'compliance-operator-bm,other')
    expect(document.blockers.join()).toContain(
      'not named: openshift-gitops/compliance-operator-sno; named without need: openshift-gitops/other',
    )
  })

  it('refuses upstream on a hub of ACM, and the others on a hub of upstream', async () => {
    expect(await plan('mixed-healthy', '--setup', 'upstream')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('exclude each other'),
    })
    expect(await plan('upstream-healthy', '--setup', 'hybrid')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('--setup upstream'),
    })
  })
})

describe('agent enable against a recording', () => {
  it('is refused where push and agent would register the same clusters, and no flag opens that', async () => {
    const argv = ['agent', 'enable', '--from', recordedFleet('mixed-healthy'), '-o', 'json']
    const flags = ['--setup', 'hybrid', '--placement', 'production-clusters', '--accept', 'by-hand']
    const { code, stdout } = await runCli([...argv, ...flags], { engine })
    expect(code).toBe(6)
    const plan = JSON.parse(stdout)
    expectSchema('Plan', plan)
    const gate = plan.gates.find((g: { code: string }) => g.code === 'preconditions')
    expect(gate).toMatchObject({ flag: '', accepted: false })
    expect(gate.details.join()).toContain('no-second-registration: bm: GitOpsCluster gitops-production registers it')
  })

  it('changes nothing on a hub of agents', async () => {
    const argv = ['agent', 'enable', '--from', recordedFleet('agent-healthy'), '-o', 'json']
    const { code, stdout } = await runCli(argv, { engine })
    expect(code).toBe(0)
    expect(JSON.parse(stdout).summary).toMatchObject({ create: 0, configure: 0, delete: 0 })
  })

  it('is not opened by the code of the danger when its plan is applied later: the names are needed', async () => {
    const argv = ['agent', 'enable', '--from', recordedFleet('mixed-healthy'), '-o', 'json']
    const { stdout } = await runCli(argv, { engine })
    const apply = ['apply', '-f', '-', '--accept', 'frozen-applications', '--dry-run=client']
    const { code, stderr } = await runCli(apply, { engine, stdin: stdout })
    expect(code).toBe(2)
    expect(stderr).toContain('--accept-frozen openshift-gitops/compliance-operator-bm')
  })

  it('is refused when its plan is applied much later: other Applications may have come', async () => {
    const named = 'compliance-operator-bm,compliance-operator-sno'
    const argv = ['agent', 'enable', '--from', recordedFleet('mixed-healthy'), '--accept-frozen', named, '-o', 'json']
    const plan = JSON.parse((await runCli(argv, { engine })).stdout)
    const apply = ['apply', '-f', '-', '--dry-run=client']
    const old = JSON.stringify({ ...plan, createdAt: '2026-01-01T00:00:00.000Z' })
    const refused = await runCli(apply, { engine, stdin: old })
    expect(refused).toMatchObject({ code: 6, stderr: expect.stringContaining('frozen-applications') })
    expect(refused.stderr).toContain('make the plan again')
    // The fresh one is shown; what else is in its way stays in its way.
    expect((await runCli(apply, { engine, stdin: JSON.stringify(plan) })).stdout).toContain('accepted')
  })

  it('refuses upstream, which is set up by hand', async () => {
    const { code, stderr } = await runCli(['agent', 'enable', '--from', recordedFleet('upstream-healthy')], { engine })
    expect(code).toBe(6)
    expect(stderr).toContain('agent plan --setup upstream')
  })
})

describe('agent plan on a hub', () => {
  it('finds a hub of agents as it is wanted', async () => {
    const { document, code } = await plan('agent-healthy')
    expect(code).toBe(0)
    expect(document.clusters).toEqual(['bm', 'sno'])
    expect(document.steps.map((s: { key: string; state: string }) => [s.key, s.state])).toEqual([
      ['operator', 'unchanged'],
      ['selection', 'unchanged'],
      ['rights', 'unchanged'],
      ['principal', 'unchanged'],
      ['registration', 'unchanged'],
      ['agents', 'unchanged'],
      ['applications', 'open'],
    ])
    expect(document.preconditions.filter((p: { state: string }) => p.state === 'failed')).toEqual([])
  })

  it('recommends hybrid where Applications need the controller, and goes on with it where it is on', async () => {
    expect((await plan('mixed-healthy')).document.recommended.setup).toBe('hybrid')
    expect((await plan('agent-double-reconciliation')).document).toMatchObject({
      setup: 'hybrid',
      recommended: { setup: 'hybrid' },
    })
    expect((await plan('upstream-healthy')).document).toMatchObject({ setup: 'upstream' })
  })

  it.each([
    ['agent-dbm-off-on-hub', 'principal-settings', 'failed'],
    ['agent-appproject-no-match', 'projects-match', 'failed'],
    ['agent-spoke-controller-forbidden', 'hub-not-selected', 'ok'],
  ])('%s: precondition %s is %s', async (fleet, code, state) => {
    const { document } = await plan(fleet)
    expect(document.preconditions.find((p: { code: string }) => p.code === code)?.state).toBe(state)
  })

  it('blocks clusters that push or pull uses', async () => {
    const { document } = await plan('mixed-healthy', '--setup', 'hybrid', '--placement', 'production-clusters')
    const states = new Map(document.preconditions.map((p: { code: string; state: string }) => [p.code, p.state]))
    expect(states.get('clusters-not-pushed-to')).toBe('failed')
    expect(states.get('clusters-not-pulled-to')).toBe('failed')
    expect(states.get('no-second-registration')).toBe('failed')
  })

  it('prints neither a secret nor anything that the recording holds in its place', async () => {
    const { stdout } = await runCli(['agent', 'plan', '--from', recordedFleet('agent-healthy'), '-o', 'wide'], {
      engine,
    })
    expect(stdout).not.toContain('CANARY')
    expect(stdout).not.toContain(Buffer.from('CANARY').toString('base64').slice(0, 7))
  })
})

describe('preconditions of what surrounds the principal', () => {
  const CODES = ['route-passes-through', 'acm-version', 'namespace-lets-it-run']
  const states = async (fleet: string) => {
    const { document } = await plan(fleet)
    const found = document.preconditions.filter((p: { code: string }) => CODES.includes(p.code))
    return found.map((p: { code: string; state: string; weight: string; todo: string }) => [
      p.code,
      p.state,
      p.todo !== '',
    ])
  }

  it('are met by agents that have reported and by a principal that runs, and open where nothing shows it', async () => {
    // No recording holds a Subscription of ACM itself.
    expect(await states('agent-healthy')).toEqual([
      ['route-passes-through', 'ok', false],
      ['acm-version', 'unknown', true],
      ['namespace-lets-it-run', 'ok', false],
    ])
    expect(await states('push-healthy')).toEqual([
      ['route-passes-through', 'unknown', true],
      ['acm-version', 'unknown', true],
      ['namespace-lets-it-run', 'unknown', true],
    ])
  })
})

describe('a principal of the charts', () => {
  it('is found by its labels where no ArgoCD describes it, and stops the plan with what to do by hand', async () => {
    const loaded = await (await recorded('agent-healthy')).load()
    const check = INSTANCE_CHECKS.find(c => c.code === 'no-other-principal')
    // Of an AgentHub the check looks at the fleet alone.
    const judge = (fleet: Fleet) => check?.judge({ fleet } as AgentHub)
    expect(judge(loaded.fleet)?.state).toBe('ok')
    // As chart argocd-agent-principal labels it (agent-mode.md 3.4); no recording has one.
    const labels = { 'app.kubernetes.io/part-of': 'argocd-agent', 'app.kubernetes.io/component': 'principal' }
    const principal = {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name: 'gate', namespace: 'delivery', labels },
      spec: { template: { spec: { containers: [] } } },
    }
    const verdict = judge(whatIf(loaded, [principal]).fleet)
    expect(verdict).toMatchObject({ state: 'failed', seen: expect.stringContaining('delivery/gate') })
    expect(verdict?.todo).toContain('argocd-agent-params')
  })
})
