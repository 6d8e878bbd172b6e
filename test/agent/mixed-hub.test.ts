import { describe, expect, it } from 'vitest'
import { keyOf } from '../../src/agent/frozen.ts'
import { makeSwitch, type Switch } from '../../src/agent/make-agent-plan.ts'
import { AGENT_KINDS } from '../../src/commands/agent/kinds.ts'
import { loadFleet } from '../../src/fleet/load.ts'
import { keepObjects } from '../../src/plan/object-reader.ts'
import { isObject, type RawObject } from '../../src/raw.ts'
import { recorded } from '../support/fleets.ts'
import { sourceOf } from '../support/hub.ts'

const nameOf = (object: RawObject): unknown => (isObject(object.metadata) ? object.metadata.name : undefined)

async function hubOf(fleet: string): Promise<readonly RawObject[]> {
  const { objects } = await recorded(fleet)
  return objects.filter(o => o.cluster === 'hub').map(o => o.raw)
}

/**
 * Push, pull and agent on one hub: everything that was recorded of the hub of agents, with the Applications of the mixed hub
 * and the cluster secrets that they use beside it. The controller, which was off in the recording, is on: the field is the
 * one that an operator reads.
 */
async function threeModels(change: (argo: RawObject) => RawObject = argo => argo): Promise<readonly RawObject[]> {
  const agents = await hubOf('agent-healthy')
  const mixed = await hubOf('mixed-healthy')
  const isCluster = (o: RawObject): boolean =>
    o.kind === 'Secret' && isObject(o.metadata) && JSON.stringify(o.metadata.labels ?? {}).includes('secret-type')
  const added = mixed.filter(o => o.kind === 'Application' || o.kind === 'ApplicationSet' || isCluster(o))
  return [
    ...agents.map(o => {
      if (o.kind !== 'ArgoCD' || !isObject(o.spec)) return o
      return change({ ...o, spec: { ...o.spec, controller: { enabled: true } } })
    }),
    ...added,
  ]
}

async function switchOn(objects: readonly RawObject[], setup: 'documented' | 'hybrid'): Promise<Switch> {
  const { source, reader } = keepObjects(sourceOf(objects))
  const loaded = await loadFleet(source, AGENT_KINDS)
  return makeSwitch(
    {
      words: ['agent', 'enable'],
      setup,
      settings: {},
      agentNamespace: undefined,
      accepted: { frozen: [], lost: [], codes: new Set() },
    },
    { source, reader, loaded, now: new Date(0) },
  )
}

describe('a hub with push, pull and agents', () => {
  it('names exactly the push Applications, and none of pull or of agents', async () => {
    const objects = await threeModels()
    const names = objects.filter(o => o.kind === 'Application').map(nameOf)
    expect(names).toContain('branding-bottom-bm')
    expect(names).toContain('branding-bm')
    const { frozen, plan } = await switchOn(objects, 'documented')
    expect(frozen.map(keyOf)).toEqual([
      'openshift-gitops/compliance-operator-bm',
      'openshift-gitops/compliance-operator-sno',
    ])
    const gate = plan?.gates.find(g => g.code === 'frozen-applications')
    expect(gate).toMatchObject({
      accepted: false,
      flag: '--accept-frozen openshift-gitops/compliance-operator-bm,openshift-gitops/compliance-operator-sno',
    })
  })

  it('freezes none beside a controller that stays on', async () => {
    expect((await switchOn(await threeModels(), 'hybrid')).frozen).toEqual([])
  })

  it('offers files for Git where somebody keeps the ArgoCD resource there', async () => {
    const objects = await threeModels(argo => ({
      ...argo,
      metadata: {
        ...(isObject(argo.metadata) ? argo.metadata : {}),
        labels: { 'argocd.argoproj.io/instance': 'platform' },
      },
    }))
    const { plan, preconditions } = await switchOn(objects, 'documented')
    const gate = plan?.gates.find(g => g.code === 'gitops-owned')
    expect(gate?.text).toContain('--export DIR')
    expect(gate?.details.join()).toContain('Argo CD Application "platform"')
    expect(preconditions.find(p => p.code === 'not-kept-in-git')).toMatchObject({ state: 'failed', weight: 'warns' })
  })
})
