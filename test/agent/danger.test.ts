import { describe, expect, it } from 'vitest'
import { lostOnClusters } from '../../src/agent/danger.ts'
import type { Manifest } from '../../src/plan/object.ts'
import { whatIf } from '../../src/plan/what-if.ts'
import { isObject } from '../../src/raw.ts'
import { type RawObject, recorded } from '../support/fleets.ts'

/** The recorded hub of agents, with one of its objects changed. */
async function lostWith(kind: string, name: string, change: (object: RawObject) => void): Promise<unknown> {
  const fleet = await recorded('agent-healthy')
  const loaded = await fleet.load()
  const found = fleet.objects.find(o => {
    const metadata = o.raw.metadata
    return o.cluster === 'hub' && o.kind === kind && isObject(metadata) && metadata.name === name
  })
  if (found === undefined) throw new Error(`no ${kind} ${name}`)
  const object = structuredClone(found.raw)
  change(object)
  const [before, after] = [whatIf(loaded, []), whatIf(loaded, [object as unknown as Manifest])]
  return lostOnClusters(before.fleet, after.fleet).map(l => [l.key, l.cluster, l.why])
}

const spec = (object: RawObject): RawObject => (isObject(object.spec) ? object.spec : {})
const BM = 'openshift-gitops/branding-bottom-bm'
const SNO = 'openshift-gitops/branding-bottom-sno'

describe('what agents would delete with the workload', () => {
  it('is nothing where nothing changes', async () => {
    expect(await lostWith('ArgoCD', 'openshift-gitops', () => {})).toEqual([])
  })

  it('is everything when destination-based mapping is turned off under them', async () => {
    const lost = await lostWith('ArgoCD', 'openshift-gitops', object => {
      const agent = spec(object).argoCDAgent
      if (isObject(agent) && isObject(agent.principal)) agent.principal.destinationBasedMapping = false
    })
    const why = 'destination-based mapping is turned off under its agent'
    expect(lost).toEqual([
      [BM, 'bm', why],
      [SNO, 'sno', why],
    ])
  })

  it('is what a project stops matching', async () => {
    const lost = await lostWith('AppProject', 'default', object => {
      spec(object).destinations = [{ name: 'bm', server: '*', namespace: '*' }]
    })
    expect(lost).toEqual([[SNO, 'sno', 'AppProject default stops matching its agent']])
  })

  it('is an Application that names its server instead of its cluster', async () => {
    const fleet = await recorded('agent-healthy')
    const secret = fleet.objects.find(o => isObject(o.raw.metadata) && o.raw.metadata.name === 'cluster-bm')
    const data = secret?.raw.data
    const server = Buffer.from(String(isObject(data) ? data.server : ''), 'base64').toString()
    const lost = await lostWith('Application', 'branding-bottom-bm', object => {
      spec(object).destination = { server, namespace: '' }
    })
    expect(lost).toEqual([[BM, 'bm', 'its destination names a server instead of the cluster']])
  })
})
