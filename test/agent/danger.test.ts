import { describe, expect, it } from 'vitest'
import { lostOnClusters } from '../../src/agent/danger.ts'
import { engine } from '../../src/commands/engine.ts'
import { gatesOf } from '../../src/fixes/gates.ts'
import type { Manifest } from '../../src/plan/object.ts'
import { NO_PREVIEW } from '../../src/plan/preview.ts'
import { whatIf } from '../../src/plan/what-if.ts'
import { isObject } from '../../src/raw.ts'
import { runCli } from '../commands/run-cli.ts'
import { type RawObject, recorded, recordedFleet } from '../support/fleets.ts'

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

  const template = (object: RawObject): RawObject => {
    const at = spec(object).template
    const inner = isObject(at) ? at.spec : undefined
    if (!isObject(inner)) throw new Error('no template')
    return inner
  }

  it('is what a changed template takes from agents, before the controller has written it', async () => {
    const lost = await lostWith('ApplicationSet', 'branding-bottom-agent', object => {
      template(object).destination = { server: '{{server}}', namespace: '' }
    })
    expect(lost).toEqual([
      [BM, 'bm', expect.stringContaining('its template says destination.server')],
      [SNO, 'sno', expect.stringContaining('its template says destination.server')],
    ])
  })

  it('is what a template gives a project that does not match', async () => {
    const fleet = await recorded('agent-healthy')
    const base = fleet.objects.find(o => o.cluster === 'hub' && o.kind === 'AppProject')
    const set = fleet.objects.find(o => o.cluster === 'hub' && o.kind === 'ApplicationSet')
    if (base === undefined || set === undefined) throw new Error('no project, no ApplicationSet')
    const project = structuredClone(base.raw)
    project.metadata = { ...(isObject(project.metadata) ? project.metadata : {}), name: 'narrow' }
    spec(project).destinations = [{ name: 'bm', server: '*', namespace: '*' }]
    const changed = structuredClone(set.raw)
    template(changed).project = 'narrow'
    const loaded = await fleet.load()
    const before = whatIf(loaded, [project as unknown as Manifest])
    const after = whatIf(loaded, [project, changed] as unknown as Manifest[])
    expect(lostOnClusters(before.fleet, after.fleet).map(l => [l.key, l.why])).toEqual([
      [SNO, 'AppProject narrow stops matching its agent'],
    ])
    // A fix of the doctor that would do this is refused, and no flag opens it.
    const gates = gatesOf(
      { steps: [], preview: NO_PREVIEW, before: before.fleet, after: after.fleet },
      new Set(['deleted-by-agents']),
    )
    expect(gates).toMatchObject([{ code: 'deleted-by-agents', flag: '', accepted: false }])
  })

  it('is not what a template says that is not written into Applications', async () => {
    const lost = await lostWith('ApplicationSet', 'branding-bottom-agent', object => {
      template(object).destination = { server: '{{server}}', namespace: '' }
      spec(object).syncPolicy = { applicationsSync: 'create-only' }
    })
    expect(lost).toEqual([])
  })

  it('keeps a bootstrap of pull from an ApplicationSet of agents', async () => {
    const argv = ['bootstrap', 'pull', '--from', recordedFleet('agent-healthy'), '--appset', 'branding-bottom-agent']
    const where = [
      '--set',
      'production',
      '--placement',
      'production-clusters',
      '--app-name',
      'branding-bottom-{{name}}',
    ]
    const git = ['--repo-url', 'https://git.example.test/fleet.git', '--path', 'apps', '-o', 'json']
    const { code, stdout } = await runCli([...argv, ...where, ...git], { engine })
    expect(code).toBe(6)
    const gate = JSON.parse(stdout).gates.find((g: { code: string }) => g.code === 'agent-applicationset')
    expect(gate).toMatchObject({ flag: '', accepted: false, details: [`${BM} on bm`, `${SNO} on sno`] })
  })
})
