import { describe, expect, test } from 'vitest'
import type { AgentStatus } from '../../src/agent/status/status.ts'
import { CHECKS } from '../../src/checks/registry.ts'
import { agentStatusExitCode } from '../../src/commands/agent/status.ts'
import { doctorExitCode } from '../../src/commands/exit-code.ts'
import { runDoctor } from '../../src/doctor.ts'
import { traceApp } from '../../src/trace/run.ts'
import { CASES } from '../checks/catalogue/cases.ts'
import { isOneOf, KNOWN, readExpected } from '../support/expected.ts'
import { FLEET_NAMES, FLEETS, readRecorded, recorded } from '../support/fleets.ts'
import { patched } from '../support/patch.ts'
import { isAgentFleet, partsOf, stateOf, statusOf } from './support.ts'

const exitCode = (status: AgentStatus) => agentStatusExitCode(status, { failOn: 'error', allowIncomplete: false })
const AGENT_FLEETS = FLEET_NAMES.filter(isAgentFleet)
const ARGO = 'hub/ArgoCD/openshift-gitops/openshift-gitops'

test('there are recorded fleets in agent mode, healthy and broken', () => {
  const healthy = AGENT_FLEETS.filter(name => readExpected(FLEETS, name).healthy)
  expect(healthy.length).toBeGreaterThanOrEqual(2)
  expect(AGENT_FLEETS.length - healthy.length).toBeGreaterThanOrEqual(9)
})

describe.each(AGENT_FLEETS.filter(name => !(name in KNOWN)))('%s', name => {
  const expected = readExpected(FLEETS, name)

  test('the part with the root is not well, and every other trouble comes from a root', async () => {
    const status = await statusOf(name)
    const bad = partsOf(status).filter(p => p.state !== 'ok' && p.state !== 'unknown')
    for (const root of expected.root ?? []) {
      const shown = bad.filter(p => p.findings.some(f => isOneOf(f.subject, root)))
      expect(
        shown.map(p => p.state),
        `root ${root.kind}/${root.name}`,
      ).toContain('broken')
    }
    const roots = new Set((await runDoctor(await recorded(name))).findings.map(f => f.code))
    for (const part of bad.filter(p => p.state !== 'waiting')) {
      expect(part.findings.length, part.part).toBeGreaterThan(0)
      for (const found of part.findings) expect(roots, part.part).toContain(found.root)
    }
    if (expected.healthy) expect(bad).toEqual([])
  })

  test('it says what the doctor says', async () => {
    const report = await runDoctor(await recorded(name))
    const status = await statusOf(name)
    const codes = [...status.findings, ...status.elsewhere].map(f => f.code)
    const wanted = report.findings.filter(f => f.category === 'agent' && f.severity !== 'info').map(f => f.code)
    expect(codes).toEqual(expect.arrayContaining(wanted))
    expect(report.findings.map(f => f.code)).toEqual(expect.arrayContaining(codes))
    expect(exitCode(status)).toBe(doctorExitCode(report, { failOn: 'error', allowIncomplete: false }))
  })

  test('its Applications are broken where a trace of them is', async () => {
    const fleet = await recorded(name)
    for (const { applications } of (await statusOf(name)).principals.flatMap(p => p.agents)) {
      expect(applications.length).toBeGreaterThan(0)
      for (const { subject, code, state } of applications) {
        const trace = await traceApp(fleet, { namespace: subject.namespace, name: subject.name })
        expect(code).toBe(trace.finding?.code ?? '')
        expect(state === 'broken').toBe(trace.firstBroken !== null)
      }
    }
  })
})

test('the fleet of which the recording contradicts its description shows the fault once that is put right', async () => {
  const annotation = ['metadata', 'annotations', 'argocd.argoproj.io/skip-reconcile']
  const fleet = await patched('agent-double-reconciliation', patch => {
    for (const agent of ['bm', 'sno']) patch.unset(`hub/Secret/openshift-gitops/cluster-${agent}`, annotation)
  })
  const status = await statusOf(fleet)
  for (const agent of ['bm', 'sno']) expect(stateOf(status, 'cluster secret', agent)).toBe('broken')
})

const OTHERS = FLEET_NAMES.filter(name => !isAgentFleet(name))

test.each(OTHERS)('%s: without agent mode it says what there is instead', async name => {
  const fleet = await readRecorded(name)
  const { fleet: typed } = await fleet.load()
  const status = await statusOf(fleet)
  expect(status.principals).toEqual([])
  expect(status.state).toBe('ok')
  expect(status.summary).toContain('Agent mode is off')
  const count = typed.hub.of('Application').all.length
  expect(status.summary).toContain(count === 0 ? 'no Applications' : `${count} Application`)
  expect(exitCode(status)).toBe(0)
})

/** Every fault of the catalogue that a small change makes in a hub with agents. */
const FAULTS = CASES.filter(c => isAgentFleet(c.fleet))

test.each(FAULTS)('$slug, $fault: has a part, or is told beside them', async ({ slug, fleet, change, severity }) => {
  const check = CHECKS.find(c => c.slug === slug)
  const status = await statusOf(await patched(fleet, change))
  const bad = partsOf(status).filter(p => p.state === 'broken' || p.state === 'stale')
  const told = [...bad.flatMap(p => p.findings), ...partsOf(status).flatMap(p => p.findings)].map(f => f.code)
  const beside = status.elsewhere.flatMap(f => [f.code, ...f.explains.map(e => e.code)])
  const isOurs = check?.category === 'agent'
  if (!isOurs) return
  expect([...told, ...beside]).toContain(check?.code)
  if (severity === 'error') expect(exitCode(status)).toBe(1)
})

describe('what could not be seen', () => {
  const hubOnly = () =>
    patched('agent-healthy', patch => {
      for (const spoke of ['bm', 'sno']) patch.forget(spoke)
    })

  test('spokes that were not read are unknown, but a fresh status proves that the agents work', async () => {
    const status = await statusOf(await hubOnly())
    for (const agent of ['bm', 'sno']) {
      expect(stateOf(status, 'connection', agent)).toBe('ok')
      for (const part of ['client certificate', 'spoke ArgoCD', 'agent', 'spoke controller', 'live view'])
        expect(stateOf(status, part, agent), part).toBe('unknown')
    }
    const open = partsOf(status).filter(p => p.state === 'unknown')
    for (const part of open) expect(part.ask, `${part.part} of ${part.agent}`).toMatch(/^oc /)
    expect(status.state).toBe('ok')
    expect(exitCode(status)).toBe(0)
  })

  test('an agent without any status is unknown, with the command that would tell', async () => {
    const silent = await patched('agent-healthy', patch => {
      patch.removeAll(o => o.cluster === 'hub' && ['Application', 'ApplicationSet'].includes(o.kind))
    })
    const status = await statusOf(silent)
    const connections = partsOf(status).filter(p => p.part === 'connection')
    expect(connections.map(p => p.state)).toEqual(['unknown', 'unknown'])
    for (const { ask } of connections) expect(ask).toContain('http:openshift-gitops-agent-principal-metrics:8000')
    expect(exitCode(status)).toBe(3)
    expect(agentStatusExitCode(status, { failOn: 'error', allowIncomplete: true })).toBe(0)
  })

  test.each(['ArgoCD', 'Secret', 'Policy', 'Deployment'] as const)('%s was refused on the hub', async kind => {
    const status = await statusOf(await patched('agent-healthy', patch => patch.refuse('hub', kind)))
    expect(status.unseen.map(u => u.resource.split('/')[0])).toContain(kind)
    expect(partsOf(status).filter(p => p.state === 'broken')).toEqual([])
    expect(exitCode(status)).toBe(3)
  })

  test('where a principal is switched off again its agents are broken, and the reason stands above them', async () => {
    const off = await patched('agent-healthy', patch => {
      patch.set(ARGO, ['spec', 'argoCDAgent', 'principal', 'enabled'], false)
    })
    const status = await statusOf(off)
    expect(status.principals).toHaveLength(1)
    expect(status.principals[0]?.setup).toBe('')
    expect(stateOf(status, 'ArgoCD')).toBe('broken')
    expect(status.findings.map(f => f.code)).toContain('FLT0841')
    expect(exitCode(status)).toBe(1)
  })
})

test('statuses of managed and of autonomous agents get old alike', async () => {
  for (const name of ['agent-healthy', 'agent-autonomous-healthy']) {
    const old = await patched(name, patch => patch.later(60 * 60_000))
    const status = await statusOf(old)
    const states = partsOf(status).filter(p => p.part === 'connection')
    expect(
      states.map(p => p.state),
      name,
    ).toEqual(['stale', 'stale'])
    expect(
      states.flatMap(p => p.findings.map(f => f.code)),
      name,
    ).toEqual(['FLT0808', 'FLT0808'])
  }
})
