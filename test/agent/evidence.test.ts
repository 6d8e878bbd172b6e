import { describe, expect, it } from 'vitest'
import { withEvidence } from '../../src/agent/status/evidence.ts'
import { readPrincipalLog } from '../../src/agent/status/principal-log.ts'
import { readPrincipalMetrics } from '../../src/agent/status/principal-metrics.ts'
import { statusOf } from './support.ts'

// Lines as the code of argocd-agent writes them (agent-mode.md 4.5, 5); the token stands for what a log should not hold.
const LOG = `time="2026-11-30T16:00:00Z" level=info msg="Now listening on 0.0.0.0:8443"
time="2026-11-30T16:00:02Z" level=info msg="client authentication successful" client=bm agent_version=0.9.0
time="2026-11-30T16:00:02Z" level=info msg="An agent connected to the subscription stream" client=bm
time="2026-11-30T16:00:03Z" level=warning msg="Version mismatch: rejecting connection (agent: 0.8.1, principal: 0.9.0)" client=sno
time="2026-11-30T16:00:09Z" level=warning msg="Version mismatch: rejecting connection (agent: 0.8.1, principal: 0.9.0)" client=sno token=canary-of-a-token
`
const METRICS = `# HELP argocd_principal_connected_agents The number of agents
# TYPE argocd_principal_connected_agents gauge
argocd_principal_connected_agents 1
argocd_principal_agent_connections_total{agent_name="bm"} 3
argocd_principal_agent_connections_total{agent_name="sno"} 1
principal_errors{resource_type="application"} 2
principal_errors{resource_type="appproject"} 1
`

describe('what stands behind the objects of a principal', () => {
  it('a log tells who came, and which known faults it names', () => {
    const read = readPrincipalLog(LOG, ['bm', 'sno', 'b'])
    expect(read.connected).toEqual(['bm'])
    expect(read.faults).toEqual([{ text: 'agents of another version are refused', times: 2, agents: ['sno'] }])
    expect(read.isTroubled).toBe(true)
    const lines = LOG.trim().split('\n')
    const later = readPrincipalLog([...lines.slice(3), ...lines.slice(0, 3)].join('\n'), ['bm', 'sno'])
    expect(later.isTroubled).toBe(false)
  })

  it('metrics tell how many agents are connected now', () => {
    const read = readPrincipalMetrics(METRICS)
    expect(read.connected).toBe(1)
    expect([...read.connections]).toEqual([
      ['bm', 3],
      ['sno', 1],
    ])
    expect(read.errors).toBe(3)
    expect(readPrincipalMetrics('<html>no metrics</html>').connected).toBeUndefined()
  })

  it('are parts of the status, without a line of the log', async () => {
    const status = await withEvidence(await statusOf('agent-healthy'), {
      log: async () => ({ text: LOG }),
      metrics: async () => ({ text: METRICS }),
    })
    const parts = status.principals[0]?.parts ?? []
    expect(parts.find(p => p.part === 'log')).toMatchObject({ state: 'waiting', subject: { kind: 'Deployment' } })
    expect(parts.find(p => p.part === 'log')?.message).toContain('bm came; agents of another version are refused (sno)')
    expect(parts.find(p => p.part === 'metrics')).toMatchObject({ state: 'waiting' })
    expect(parts.find(p => p.part === 'metrics')?.message).toContain('1 of 2 agents connected')
    expect(JSON.stringify(status)).not.toContain('canary-of-a-token')
  })

  it('are unknown with the command that would tell where they may not be read', async () => {
    const reason = 'you may not get pods/log'
    const status = await withEvidence(await statusOf('agent-healthy'), { log: async () => ({ reason }) })
    const part = status.principals[0]?.parts.find(p => p.part === 'log')
    expect(part).toMatchObject({ state: 'unknown', message: reason })
    expect(part?.ask).toMatch(/^oc -n openshift-gitops logs deployment\//)
    expect(status.unseen.at(-1)).toMatchObject({ reason })
  })
})
