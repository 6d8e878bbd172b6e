import { expect, test } from 'vitest'
import { applications } from '../../src/fleet/joins/applications.ts'
import { subjectText } from '../../src/fleet/subject.ts'
import { traceApp, traceCluster } from '../../src/trace/run.ts'
import type { ApplicationTrace } from '../../src/trace/trace.ts'
import { copyOf } from '../checks/catalogue/case.ts'
import { recorded } from '../support/fleets.ts'
import { patched } from '../support/patch.ts'

const hopsOf = ({ hops }: ApplicationTrace) => hops.map(h => `${subjectText(h.subject)} ${h.state}`)

/** The chain of the reference (agent-mode.md 4.6), with the agent on the spoke where that was read. */
const ON_THE_HUB = [
  'openshift-gitops/ApplicationSet/branding-bottom-agent ok',
  'openshift-gitops/Placement/production-clusters ok',
  'openshift-gitops/GitOpsCluster/gitops-agent-clusters ok',
  'openshift-gitops/Secret/cluster-bm ok',
  'openshift-gitops/Application/branding-bottom-bm ok',
  'openshift-gitops/AppProject/default ok',
  'openshift-gitops/ArgoCD/openshift-gitops ok',
  'openshift-gitops/Deployment/openshift-gitops-agent-principal ok',
  'bm/ManagedClusterAddOn/gitops-addon ok',
  'openshift-gitops/Policy/gitops-agent-clusters-argocd-policy ok',
]

test('managed, with the spoke', async () => {
  const trace = await traceApp(await recorded('agent-healthy'), { name: 'branding-bottom-bm' })
  expect([trace.model, trace.spoke, trace.firstBroken]).toEqual(['agent', 'bm', null])
  expect(hopsOf(trace)).toEqual([
    ...ON_THE_HUB,
    'openshift-gitops/Deployment/acm-openshift-gitops-agent-agent on bm ok',
    'openshift-gitops/Application/branding-bottom-bm on bm ok',
  ])
})

test('managed, with the hub alone: its own copy tells how the Application is', async () => {
  const hub = await patched('agent-healthy', p => {
    for (const spoke of ['bm', 'sno']) p.forget(spoke)
  })
  const trace = await traceApp(hub, { name: 'branding-bottom-bm' })
  expect(hopsOf(trace)).toEqual([...ON_THE_HUB, 'openshift-gitops/Application/branding-bottom-bm on bm ok'])
  expect(trace.hops.at(-1)?.source).toBe("hub's copy")
  expect(trace.unseen).toEqual([])
})

test('with the hub alone, an agent that has gone silent is told by the age of what it sent', async () => {
  const hub = await patched('agent-disconnected', p => {
    for (const spoke of ['bm', 'sno']) p.forget(spoke)
    const at = 'hub/Application/openshift-gitops/branding-bottom-bm'
    p.set(at, ['status', 'reconciledAt'], '2026-11-30T14:00:00Z')
    p.unset(at, ['metadata', 'managedFields'])
  })
  const trace = await traceApp(hub, { name: 'branding-bottom-bm' })
  expect(trace.finding?.code).toBe('FLT0808')
  expect((await traceApp(hub, { name: 'branding-bottom-sno' })).firstBroken).toBeNull()
})

test('autonomous: from the hub Application in the namespace of the agent to the one on the spoke', async () => {
  const trace = await traceApp(await recorded('agent-autonomous-healthy'), { namespace: 'bm', name: 'branding-bm' })
  expect([trace.model, trace.spoke, trace.firstBroken]).toEqual(['agent', 'bm', null])
  expect(hopsOf(trace).slice(-8)).toEqual([
    'bm/Application/branding-bm ok',
    'openshift-gitops/AppProject/bm-default ok',
    'openshift-gitops/ArgoCD/openshift-gitops ok',
    'openshift-gitops/Deployment/openshift-gitops-agent-principal ok',
    'bm/ManagedClusterAddOn/gitops-addon ok',
    'openshift-gitops/Policy/gitops-agent-clusters-argocd-policy ok',
    'openshift-gitops/Deployment/acm-openshift-gitops-agent-agent on bm ok',
    'openshift-gitops/Application/branding-bm on bm ok',
  ])
})

test('the certificate request that keeps an agent down is named, and hangs on the add-on', async () => {
  const trace = await traceApp(await recorded('agent-client-cert-missing'), { name: 'branding-bottom-bm' })
  expect(trace.firstBroken?.kind).toBe('CertificateSigningRequest')
  const broken = trace.hops.filter(h => h.state === 'broken').map(h => h.subject.kind)
  expect(broken).toEqual(expect.arrayContaining(['CertificateSigningRequest', 'Deployment']))
})

/** A hub on which all three ways of delivery live, and Applications for itself. */
const allThree = () =>
  patched('agent-hub-frozen-push', p => {
    copyOf(p, 'hub/Application/openshift-gitops/branding-bottom-sno', 'kiosk-pull', raw => {
      const { metadata, spec } = raw as { metadata: Record<string, unknown>; spec: Record<string, unknown> }
      metadata.ownerReferences = []
      metadata.managedFields = []
      metadata.labels = { 'apps.open-cluster-management.io/pull-to-ocm-managed-cluster': 'true' }
      metadata.annotations = {
        'apps.open-cluster-management.io/ocm-managed-cluster': 'sno',
        'argocd.argoproj.io/skip-reconcile': 'true',
      }
      spec.destination = { server: 'https://kubernetes.default.svc' }
    })
  })

test('each Application of a hub with all three models has its own', async () => {
  const { fleet } = await (await allThree()).load()
  const models = Object.fromEntries(fleet.join(applications).all.map(l => [l.app.meta.name, [l.model, l.cluster]]))
  expect(models).toEqual({
    'bm-branding-push': ['push', 'bm'],
    'branding-bottom-bm': ['agent', 'bm'],
    'branding-bottom-sno': ['agent', 'sno'],
    'hub-branding': ['local', 'local-cluster'],
    'hub-new': ['local', 'local-cluster'],
    'hub-setup': ['local', 'local-cluster'],
    'kiosk-pull': ['pull', 'sno'],
  })
})

test('and a trace of a cluster tells them apart', async () => {
  const traces = (await traceCluster(await allThree(), 'bm')).traces
  const told = traces.map(t => [t.application.name, t.model, t.finding?.code ?? '']).sort()
  expect(told).toEqual([
    // Nobody reconciles what is pushed; the agent's Application goes on.
    ['bm-branding-push', 'push', 'FLT0801'],
    ['branding-bottom-bm', 'agent', ''],
  ])
})
