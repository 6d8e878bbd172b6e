import { describe, expect, it } from 'vitest'
import { lookAtPod } from '../../src/checks/agent/agent-support.ts'
import { engine } from '../../src/commands/engine.ts'
import { runCli } from '../commands/run-cli.ts'
import { recordedFleet } from '../support/fleets.ts'

describe('the words of a fix', () => {
  it('offer no other Placement where the namespace has none', async () => {
    const { stdout } = await runCli(['doctor', '--from', recordedFleet('placement-deleted')], { engine })
    expect(stdout).toMatch(/^ {2}Fix +create Placement openshift-gitops\/emea-openshift$/m)
  })

  it('send one to the Deployment where nothing made a pod of it', () => {
    const meta = { namespace: 'openshift-gitops', name: 'acm-agent' }
    expect(lookAtPod({ meta }, [])).toBe(
      'see why it does not run: oc -n openshift-gitops describe deployment acm-agent',
    )
    expect(lookAtPod({ meta }, [{ meta: { name: 'acm-agent-5d8f-x2x' } }])).toContain('describe pod acm-agent-5d8f-x2x')
  })
})
