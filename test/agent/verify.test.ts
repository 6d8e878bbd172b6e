import { describe, expect, test } from 'vitest'
import type { AgentVerification } from '../../src/agent/status/verification.ts'
import { heardOfAgents, type VerifyOptions, verifyAgents } from '../../src/agent/status/verify.ts'
import { CHECKS } from '../../src/checks/registry.ts'
import { diagnose } from '../../src/diagnosis.ts'
import { runDoctor } from '../../src/doctor.ts'
import { FLEET_NAMES, type RecordedFleet, recorded } from '../support/fleets.ts'
import { patched } from '../support/patch.ts'
import { isAgentFleet } from './support.ts'

async function verify(fleet: string | RecordedFleet, options: VerifyOptions = {}): Promise<AgentVerification> {
  const source = typeof fleet === 'string' ? await recorded(fleet) : fleet
  return verifyAgents(source, await diagnose(source, CHECKS), options)
}

const verdicts = (result: AgentVerification) =>
  Object.fromEntries(result.agents.map(a => [a.name, [a.verdict, a.code]]))
const BOTH_VERIFIED = { bm: ['verified', ''], sno: ['verified', ''] }

/** By what happened in each recording: which ways worked at that moment. */
const EXPECTED: Readonly<Record<string, object>> = {
  'agent-healthy': BOTH_VERIFIED,
  'agent-autonomous-healthy': BOTH_VERIFIED,
  // The fault is beside the way, or behind the agent: Applications arrive and their status comes back.
  'agent-hub-frozen-push': BOTH_VERIFIED,
  'agent-no-route': BOTH_VERIFIED,
  'agent-read-rbac-missing': BOTH_VERIFIED,
  'agent-spoke-controller-forbidden': BOTH_VERIFIED,
  'agent-double-reconciliation': BOTH_VERIFIED,
  'agent-disconnected': { bm: ['failed', 'FLT0805'], sno: ['verified', ''] },
  'agent-client-cert-missing': { bm: ['failed', 'FLT0806'], sno: ['verified', ''] },
  'agent-auth-regex-mismatch': { bm: ['failed', 'FLT0802'], sno: ['failed', 'FLT0802'] },
  'agent-appproject-no-match': { bm: ['failed', 'FLT0804'], sno: ['failed', 'FLT0804'] },
  'agent-dbm-off-on-hub': { bm: ['failed', 'FLT0803'], sno: ['failed', 'FLT0803'] },
}

test('every recorded agent fleet has its expectation', () => {
  expect(Object.keys(EXPECTED).sort()).toEqual(FLEET_NAMES.filter(isAgentFleet))
})

test.each(Object.entries(EXPECTED))('%s', async (name, expected) => {
  const result = await verify(name)
  expect(verdicts(result)).toEqual(expected)
  expect(result.blockers).toHaveLength(result.agents.filter(a => a.verdict === 'failed').length)
  expect(new Set(result.findings.map(f => f.code))).toEqual(new Set(result.agents.flatMap(a => a.code || [])))
})

describe('with less to judge by', () => {
  test('only the hub: who wrote the status tells that the agent did', async () => {
    const result = await verify(
      await patched('agent-healthy', patch => {
        for (const spoke of ['bm', 'sno']) patch.forget(spoke)
      }),
    )
    expect(verdicts(result)).toEqual(BOTH_VERIFIED)
  })

  test('only the hub, and nobody recorded who wrote: unknown', async () => {
    const fleet = await patched('agent-healthy', patch => {
      for (const spoke of ['bm', 'sno']) {
        patch.forget(spoke)
        patch.unset(`hub/Application/openshift-gitops/branding-bottom-${spoke}`, ['metadata', 'managedFields'])
      }
    })
    expect(verdicts(await verify(fleet))).toEqual({ bm: ['unknown', ''], sno: ['unknown', ''] })
  })

  test('no Application: unknown, and nothing to wait for', async () => {
    const fleet = await patched('agent-healthy', patch =>
      patch.remove('hub/Application/openshift-gitops/branding-bottom-sno'),
    )
    const result = await verify(fleet)
    expect(verdicts(result)).toEqual({ bm: ['verified', ''], sno: ['unknown', ''] })
    expect(result.blockers).toEqual([])
  })

  test('a copy of another Application of the same name is not the one that was sent', async () => {
    const fleet = await patched('agent-healthy', patch => {
      patch.set(
        'bm/Application/openshift-gitops/branding-bottom-bm',
        ['metadata', 'annotations', 'argocd.argoproj.io/source-uid'],
        'another',
      )
    })
    const result = await verify(fleet)
    expect(verdicts(result).bm).toEqual(['waiting', ''])
    expect(result.blockers).toEqual([expect.stringContaining('is not on bm yet')])
  })

  test('an Application that was just made waits', async () => {
    const fleet = await patched('agent-healthy', patch => {
      const at = 'hub/Application/openshift-gitops/branding-bottom-bm'
      patch.unset(at, ['status'])
      patch.unset(at, ['metadata', 'managedFields'])
      patch.set(at, ['metadata', 'creationTimestamp'], '2026-11-30T16:37:40Z')
    })
    expect(verdicts(await verify(fleet)).bm).toEqual(['waiting', ''])
  })

  test('an old status has failed, with the cause that the doctor names', async () => {
    const fleet = await patched('agent-healthy', patch => patch.later(60 * 60_000))
    const result = await verify(fleet)
    const roots = (await runDoctor(fleet)).findings.map(f => f.code)
    for (const { verdict, code, roundTrips } of result.agents) {
      expect(verdict).toBe('failed')
      expect(roots).toContain(code)
      expect(roundTrips.map(t => t.back)).toEqual(['old'])
    }
  })
})

test('only a status from after a time counts where that is asked for', async () => {
  const source = await recorded('agent-healthy')
  const heard = heardOfAgents(await diagnose(source, CHECKS))
  const again = await verify(source, { newerThan: heard })
  expect(verdicts(again)).toEqual({ bm: ['waiting', ''], sno: ['waiting', ''] })
  const before = new Map([...heard].map(([name, at]) => [name, at - 1]))
  expect(verdicts(await verify(source, { newerThan: before }))).toEqual(BOTH_VERIFIED)
})

test('one spoke of several', async () => {
  expect(verdicts(await verify('agent-disconnected', { spokes: ['sno'] }))).toEqual({ sno: ['verified', ''] })
})
