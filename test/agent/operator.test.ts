import { describe, expect, it } from 'vitest'
import { operatorPart } from '../../src/agent/plan/operator.ts'
import { hubFacts } from '../../src/bootstrap/hub.ts'
import { makeSteps } from '../../src/plan/make-steps.ts'
import type { RawObject } from '../../src/raw.ts'
import { recorded } from '../support/fleets.ts'
import { readHub, sourceOf } from '../support/hub.ts'

/** The Subscription that was recorded with the hub of agents, with other variables. */
async function partFor(env: readonly RawObject[] | undefined, namespace: string) {
  const { objects } = await recorded('agent-healthy')
  const found = objects.find(o => o.cluster === 'hub' && o.kind === 'Subscription')
  if (found === undefined) throw new Error('no Subscription was recorded')
  const { config: _, ...spec } = found.raw.spec as RawObject
  const raw = { ...found.raw, spec: env === undefined ? spec : { ...spec, config: { env } } }
  const { loaded, reader } = await readHub(sourceOf([raw]))
  const part = operatorPart(loaded.fleet, hubFacts(loaded.fleet).version, namespace)
  return { ...part, steps: await makeSteps(part.wants, reader, loaded.fleet) }
}

const CONFIG = 'ARGOCD_CLUSTER_CONFIG_NAMESPACES'

describe('the variable of the operator', () => {
  it.each([
    ['the default instance without any variable', undefined, 'openshift-gitops'],
    ['a namespace that is there', [{ name: CONFIG, value: 'openshift-gitops, agents' }], 'agents'],
    ['all namespaces', [{ name: CONFIG, value: '*' }], 'agents'],
  ])('is left alone for %s', async (_, env, namespace) => {
    expect(await partFor(env, namespace)).toMatchObject({ steps: [], byHand: '' })
  })

  it.each([
    // A value in the Subscription replaces the operator's own, so that one has to be in it.
    [undefined, [{ name: CONFIG, value: 'openshift-gitops,agents' }]],
    [
      [
        { name: 'NO_PROXY', value: '.svc' },
        { name: CONFIG, value: 'openshift-gitops,local-cluster' },
      ],
      [
        { name: 'NO_PROXY', value: '.svc' },
        { name: CONFIG, value: 'openshift-gitops,local-cluster,agents' },
      ],
    ],
    // Only the first element may be a star, and this one is not.
    [[{ name: CONFIG, value: 'a,*' }], [{ name: CONFIG, value: 'a,*,agents' }]],
  ])('gets the namespace beside what is in %j', async (env, wanted) => {
    const { steps } = await partFor(env, 'agents')
    expect(steps[0]).toMatchObject({ manifest: { spec: { config: { env: wanted } } }, shared: true, force: true })
    expect(steps[1]).toMatchObject({ type: 'wait', signal: { signal: 'rolled-out' } })
  })

  it.each([
    ['HTTPS_PROXY', 'https://user:hidden@proxy.example.test:3128'],
    ['REGISTRY_TOKEN', 'hidden'],
  ])('is left to a person where %s holds credentials, which stand in no plan', async (name, value) => {
    const part = await partFor([{ name, value }], 'agents')
    expect(part.steps).toEqual([])
    expect(part.byHand).toContain('openshift-gitops,agents')
    expect(JSON.stringify(part)).not.toContain('hidden')
  })
})
