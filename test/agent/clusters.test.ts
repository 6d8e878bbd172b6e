import { describe, expect, it } from 'vitest'
import { engine } from '../../src/commands/engine.ts'
import { runCli } from '../commands/run-cli.ts'
import { expectSchema } from '../support/expect-schema.ts'
import { recordedFleet } from '../support/fleets.ts'

interface Step {
  readonly type: string
  readonly action?: string
  readonly text?: string
  readonly subject?: { readonly kind: string; readonly namespace: string; readonly name: string }
}

async function plan(fleet: string, ...argv: readonly string[]) {
  const { code, stdout, stderr } = await runCli(['agent', ...argv, '--from', recordedFleet(fleet), '-o', 'json'], {
    engine,
  })
  const document = stdout === '' ? undefined : JSON.parse(stdout)
  if (code !== 2) expectSchema('Plan', document)
  const steps: readonly Step[] = document?.steps ?? []
  const deleted = steps
    .filter(s => s.action === 'delete')
    .map(s => `${s.subject?.namespace}/${s.subject?.kind}/${s.subject?.name}`)
  return { code, stderr, document, steps, deleted }
}

describe('agent remove', () => {
  it('lets the Applications go while the agent works, then what ACM made for the cluster, and nothing of others', async () => {
    const { code, deleted, steps, document } = await plan(
      'agent-healthy',
      'remove',
      'sno',
      '--accept-lost',
      'branding-bottom-sno',
    )
    expect(code).toBe(0)
    expect(document.gates).toMatchObject([{ code: 'lost-applications', accepted: true }])
    expect(deleted).toEqual([
      'sno/ManagedClusterAddOn/gitops-addon',
      'sno/AddOnDeploymentConfig/gitops-addon-config',
      'sno/ManifestWork/argocd-agent-ca-mw',
      'openshift-gitops/Secret/cluster-sno',
    ])
    const order = steps.map(s => s.text ?? `${s.action} ${s.subject?.kind}`)
    expect(order.slice(0, 3)).toEqual([
      'configure ManagedCluster',
      'until Placement openshift-gitops/production-clusters no longer decides on sno',
      'until Applications branding-bottom-sno in openshift-gitops are gone',
    ])
  })

  it.each([[[]], [['--accept-lost', 'branding-bottom-bm']]])('is refused with %j', async flags => {
    const { code, document } = await plan('agent-healthy', 'remove', 'sno', ...flags)
    expect(code).toBe(6)
    expect(document.gates[0].flag).toBe('--accept-lost openshift-gitops/branding-bottom-sno')
  })

  it('says where there is no agent', async () => {
    expect(await plan('mixed-healthy', 'remove', 'bm')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('agent enable'),
    })
    expect(await plan('agent-healthy', 'remove', 'smo')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('sno'),
    })
  })
})

describe('agent add', () => {
  it('refuses the hub itself', async () => {
    const { code, document } = await plan('agent-healthy', 'add', 'local-cluster')
    expect(code).toBe(6)
    expect(document.gates[0]).toMatchObject({ code: 'preconditions', flag: '' })
    expect(document.gates[0].details[0]).toContain('the hub itself')
  })

  it('finds one that is there as it is wanted', async () => {
    const { code, document } = await plan('agent-healthy', 'add', 'sno')
    expect(code).toBe(0)
    expect(document.summary).toMatchObject({ create: 0, configure: 0, delete: 0 })
    // The Placement selects bm too, which is an agent already: nothing comes to it.
    expect(document.notes.map((n: { code: string }) => n.code)).not.toContain('more-selected')
  })
})

describe('agent rotate-certs', () => {
  it('lets ACM issue new certificates before the principal starts again, and leaves the CA and the keys', async () => {
    const { deleted, steps } = await plan('agent-healthy', 'rotate-certs')
    expect(deleted).toEqual([
      'openshift-gitops/Secret/argocd-agent-principal-tls',
      'openshift-gitops/Secret/argocd-agent-resource-proxy-tls',
      'openshift-gitops/Pod/openshift-gitops-agent-principal-75784b7c67-m77z2',
    ])
    const waits = steps.filter(s => s.type === 'wait').map(s => s.text)
    expect(waits[0]).toContain('argocd-agent-principal-tls is made anew')
    expect(waits.at(-1)).toContain('is rolled out')
  })

  it('only restarts it with --no-reissue', async () => {
    const { deleted } = await plan('agent-healthy', 'rotate-certs', '--no-reissue')
    expect(deleted).toEqual(['openshift-gitops/Pod/openshift-gitops-agent-principal-75784b7c67-m77z2'])
  })
})
