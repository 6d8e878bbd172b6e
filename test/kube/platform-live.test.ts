import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { listAt, textAt, valueAt } from '../../src/raw.ts'
import { type ApiServers, START_TIMEOUT_MS, startApiServers } from '../support/apiserver.ts'
import { describeWithApiServer, hasApiServer } from '../support/describe.ts'
import { LiveCli } from '../support/live-cli.ts'

const CRDS = join(dirname(fileURLToPath(import.meta.url)), '..', 'crds')
const DEFINITIONS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions'

/** Definitions of Argo CD and its operator's ArgoCD. */
const ARGO = ['applications.argoproj.io', 'applicationsets.argoproj.io', 'appprojects.argoproj.io']
/** Definitions of Open Cluster Management, upstream and below ACM alike. */
const OCM = [
  'managedclusters.cluster.open-cluster-management.io',
  'managedclustersets.cluster.open-cluster-management.io',
  'managedclustersetbindings.cluster.open-cluster-management.io',
  'placements.cluster.open-cluster-management.io',
  'placementdecisions.cluster.open-cluster-management.io',
  'manifestworks.work.open-cluster-management.io',
  'managedclusteraddons.addon.open-cluster-management.io',
]
const UPSTREAM = ['gitopsclusters.apps.open-cluster-management.io.v1alpha1']

/** What each server has, and what the doctor says of it. */
const HUBS: readonly (readonly [name: string, definitions: readonly string[], note: RegExp])[] = [
  ['neither', [], /neither Open Cluster Management \(managedclusters.*\) nor Argo CD \(applications\.argoproj\.io\)/],
  ['argo', ARGO, /no Open Cluster Management .* Argo CD is looked at alone/],
  ['ocm', OCM, /no Argo CD \(applications\.argoproj\.io\)/],
  ['upstream', [...OCM, ...UPSTREAM, ...ARGO], /upstream Open Cluster Management, not ACM/],
  ['bare', [...OCM, ...ARGO], /serves no GitOpsCluster/],
]

let servers: ApiServers
let cli: LiveCli
beforeAll(async () => {
  if (!hasApiServer) return
  servers = await startApiServers({ clusters: HUBS.map(([name]) => name) })
  cli = new LiveCli(servers.kubeconfig)
  for (const [name, definitions] of HUBS) {
    const server = servers.server(name)
    for (const definition of definitions) {
      const body = readFileSync(join(CRDS, `${definition}.yaml`), 'utf8')
      await server.request('POST', DEFINITIONS, body, 'application/yaml')
    }
    for (const definition of definitions) {
      const dot = definition.indexOf('.')
      const [plural, group] = [definition.slice(0, dot), definition.slice(dot + 1).replace(/\.v1alpha1$/, '')]
      await served(name, group, plural)
    }
  }
}, START_TIMEOUT_MS)
afterAll(async () => {
  cli?.end()
  await servers?.stop()
})

/** Waits until lists of a new kind are answered. */
async function served(name: string, group: string, plural: string): Promise<void> {
  const server = servers.server(name)
  for (let tries = 0; ; tries++) {
    try {
      const definition = await server.request('GET', `${DEFINITIONS}/${plural}.${group}`)
      const version = listAt(definition, 'spec', 'versions').find(v => valueAt(v, 'served') === true)
      await server.request('GET', `/apis/${group}/${textAt(version, 'name')}/${plural}`)
      return
    } catch (error) {
      if (tries > 1_000) throw error
      await new Promise(resolve => setTimeout(resolve, 100))
    }
  }
}

describeWithApiServer('a hub on which a part of the chain is not installed', () => {
  it.each(HUBS)('%s: says what is there, and no more', async (name, _, note) => {
    const { code, stdout, stderr } = await cli.run(['doctor', '--context', name, '-o', 'json'])
    const report = JSON.parse(stdout)
    expect(stderr).toBe('')
    expect(report.source.notes).toEqual([expect.stringMatching(note)])
    expect(report.findings.filter((f: { severity: string }) => f.severity === 'error')).toEqual([])
    expect(report.unknown).toEqual([])
    expect(code).toBe(0)
    const text = await cli.run(['doctor', '--context', name])
    expect(text.stdout.replaceAll(/\s+/g, ' ')).toMatch(note)
  })

  it.each(['neither', 'ocm'])('%s: a trace says that there is no Argo CD', async name => {
    const { code, stdout, stderr } = await cli.run(['trace', 'app', 'shop', '--context', name])
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toMatch(/^error: the hub has no Argo CD .* no Application "shop"\n$/)
  })
})
