import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { parse } from 'yaml'
import { isObject, textAt, valueAt } from '../../src/raw.ts'
import { type ApiServers, START_TIMEOUT_MS, startApiServers } from '../support/apiserver.ts'
import type { AuditEvent } from '../support/audit.ts'
import { describeWithApiServer, hasApiServer } from '../support/describe.ts'
import { recordedFleet } from '../support/fleets.ts'
import { LiveCli, type LiveOutcome } from '../support/live-cli.ts'
import { loadCluster } from '../support/load-fleet.ts'

let servers: ApiServers
let cli: LiveCli
let folder: string
beforeAll(async () => {
  if (!hasApiServer) return
  servers = await startApiServers({ clusters: ['hub'] })
  cli = new LiveCli(servers.server('hub').kubeconfig)
  folder = mkdtempSync(join(tmpdir(), 'fleetctl-fix-'))
}, START_TIMEOUT_MS)
afterAll(async () => {
  cli?.end()
  if (folder !== undefined) rmSync(folder, { recursive: true, force: true })
  await servers?.stop()
})

const KINDS: readonly string[] = [
  '/apis/cluster.open-cluster-management.io/v1beta2/managedclustersetbindings',
  '/apis/cluster.open-cluster-management.io/v1beta1/placements',
  '/apis/apps.open-cluster-management.io/v1beta1/gitopsclusters',
  '/apis/argoproj.io/v1alpha1/applicationsets',
  '/apis/argoproj.io/v1alpha1/applications',
  '/apis/argoproj.io/v1alpha1/appprojects',
  '/apis/work.open-cluster-management.io/v1/manifestworks',
  '/apis/rbac.authorization.k8s.io/v1/roles',
  '/apis/rbac.authorization.k8s.io/v1/rolebindings',
  '/api/v1/configmaps',
  '/api/v1/secrets',
]

/** A list; empty where the kind is not served. A new kind's list answers 429 until its storage is set up. */
async function listOf(path: string, tries = 600): Promise<unknown> {
  try {
    return await servers.server('hub').request('GET', path)
  } catch (error) {
    const text = String(error)
    if (text.includes(': 404')) return {}
    if (!text.includes(': 429') || tries === 0) throw error
    await new Promise(resolve => setTimeout(resolve, 100))
    return listOf(path, tries - 1)
  }
}

/** Everything that a fix could have touched, without what a server sets: what a revert has to bring back. */
async function snapshot(): Promise<ReadonlyMap<string, string>> {
  const all = new Map<string, string>()
  for (const path of KINDS) {
    const list = await listOf(path)
    const items = valueAt(list, 'items')
    for (const item of Array.isArray(items) ? items : []) {
      const { resourceVersion, generation, managedFields, ...metadata } = item.metadata
      all.set(`${path}/${metadata.namespace}/${metadata.name}`, JSON.stringify({ ...item, metadata }))
    }
  }
  return all
}

async function load(name: string): Promise<ReadonlyMap<string, string>> {
  await loadCluster(servers.server('hub'), join(recordedFleet(name), 'hub'))
  return snapshot()
}

const isWrite = (e: AuditEvent): boolean =>
  ['create', 'update', 'patch', 'delete', 'deletecollection'].includes(e.verb) &&
  e.resource !== 'selfsubjectaccessreviews' &&
  !e.uri.includes('dryRun=All')

const fix = (...args: string[]): Promise<LiveOutcome> => cli.run(['doctor', 'fix', ...args, '--no-wait'])

/** Codes with their subjects that the doctor finds now. */
async function found(code: string): Promise<readonly string[]> {
  const outcome = await cli.run(['doctor', '--checks', code, '-o', 'json'])
  const findings: unknown = JSON.parse(outcome.stdout).findings
  return (Array.isArray(findings) ? findings : []).map(f => textAt(f, 'subject', 'name'))
}

async function takeBack(): Promise<void> {
  const { runs } = JSON.parse((await cli.run(['plan', 'list', '-o', 'json'])).stdout)
  const run = runs.at(-1)
  const outcome = await cli.run(['plan', 'revert', run.id, '--yes'])
  expect(outcome).toMatchObject({ code: 0 })
}

describeWithApiServer('doctor fix on a real API server', () => {
  /** Fleet, code, flags, name of the subject. */
  const FIXES: readonly (readonly [string, string, readonly string[], string])[] = [
    ['push-binding-deleted', 'FLT0102', [], 'production'],
    ['acm-placement-matchkey', 'FLT0208', ['--force-conflicts'], 'acm-placement'],
    ['appset-rolebinding-deleted', 'FLT0209', [], 'openshift-gitops-applicationset-controller-placement'],
    ['pull-label-missing', 'FLT0304', [], 'till-fleet'],
    ['goc-placementref-kind', 'FLT0202', ['--force-conflicts'], 'emea-push'],
    ['pull-switched-off', 'FLT0404', ['--force-conflicts'], 'multicluster-integrations-config'],
  ]
  it.each(FIXES)('%s: %s is tried without a write, mended, and taken back', async (fleet, code, flags, name) => {
    const before = await load(fleet)
    expect(await found(code)).toContain(name)
    const mark = await servers.server('hub').mark()
    for (const how of ['client', 'server']) {
      expect(await fix(code, ...flags, `--dry-run=${how}`)).toMatchObject({ code: 0, stderr: '' })
    }
    const preview = await fix(code, ...flags, '--export', join(folder, code))
    expect(preview.code).toBe(0)
    expect((await servers.server('hub').audit(mark)).filter(isWrite)).toEqual([])
    expect(await snapshot()).toEqual(before)

    const mended = await fix(code, ...flags, '--yes', '-o', 'json')
    expect(mended).toMatchObject({ code: 0 })
    expect(await found(code)).not.toContain(name)
    expect(await snapshot()).not.toEqual(before)
    const again = JSON.parse((await fix(code, ...flags, '--yes', '-o', 'json')).stdout)
    expect(again.results.filter((r: { outcome: string }) => r.outcome !== 'unchanged')).toEqual([])

    await takeBack()
    expect(await snapshot()).toEqual(before)
  })

  it('deletes only what is accepted by name, and says that it cannot be brought back', async () => {
    const before = await load('pull-recreated-stale-manifestwork')
    const refused = await fix('FLT0603', '--yes')
    expect(refused.code).toBe(6)
    expect(refused.stdout).toContain('needs --accept deletes')
    expect(await snapshot()).toEqual(before)
    const deleted = await fix('FLT0603', '--yes', '--accept', 'deletes')
    expect(deleted.code).toBe(0)
    expect(deleted.stdout).toContain('deleted')
    const reverted = await cli.run([
      'plan',
      'revert',
      JSON.parse((await cli.run(['plan', 'list', '-o', 'json'])).stdout).runs.at(-1).id,
      '--yes',
    ])
    expect(reverted.stdout).toContain('it was deleted, which cannot be taken back')
  })

  it('leaves alone what Git keeps, and writes it as a file', async () => {
    await load('pull-label-missing')
    const path = '/apis/argoproj.io/v1alpha1/namespaces/openshift-gitops/applicationsets/till-fleet'
    const tracked = {
      metadata: {
        annotations: {
          'argocd.argoproj.io/tracking-id': 'platform:argoproj.io/ApplicationSet:openshift-gitops/till-fleet',
        },
      },
    }
    await servers.server('hub').request('PATCH', path, tracked, 'application/merge-patch+json')
    const before = await snapshot()
    const refused = await fix('FLT0304', '--yes')
    expect(refused.code).toBe(6)
    expect(refused.stderr).toContain('Argo CD Application "platform", who would undo the change')
    const exported = join(folder, 'tracked')
    expect((await fix('FLT0304', '--export', exported)).code).toBe(0)
    expect(await snapshot()).toEqual(before)
    const file: unknown = parse(readFileSync(join(exported, 'applicationset-till-fleet.yaml'), 'utf8'))
    expect(
      textAt(
        file,
        'spec',
        'template',
        'metadata',
        'labels',
        'apps.open-cluster-management.io/pull-to-ocm-managed-cluster',
      ),
    ).toBe('true')
    // The file is whole: applied, it loses nothing of what was there.
    expect(isObject(file) && valueAt(file, 'spec', 'generators')).toBeTruthy()
    expect(readdirSync(exported)).toContain('README.md')
  })

  it('never writes or exports the data of a Secret', async () => {
    await load('agent-healthy')
    const argo = '/apis/argoproj.io/v1beta1/namespaces/openshift-gitops/argocds/openshift-gitops'
    await servers
      .server('hub')
      .request('PATCH', argo, { spec: { controller: { enabled: true } } }, 'application/merge-patch+json')
    const secret = '/api/v1/namespaces/openshift-gitops/secrets/cluster-bm'
    const unmarked = { metadata: { annotations: { 'argocd.argoproj.io/skip-reconcile': null } } }
    await servers.server('hub').request('PATCH', secret, unmarked, 'application/merge-patch+json')
    const before = await snapshot()
    const exported = join(folder, 'secret')
    const saved = join(folder, 'secret-plan.json')
    expect((await fix('FLT0809', '--export', exported, '--plan-out', saved)).code).toBe(0)
    const data = Object.values(JSON.parse(before.get('/api/v1/secrets/openshift-gitops/cluster-bm') ?? '{}').data ?? {})
    const texts = [
      readFileSync(saved, 'utf8'),
      ...readdirSync(exported).map(f => readFileSync(join(exported, f), 'utf8')),
    ]
    expect(data.length).toBeGreaterThan(0)
    for (const text of texts) for (const value of data) expect(text).not.toContain(value)
    expect(await fix('FLT0809', '--yes')).toMatchObject({ code: 0 })
    expect(await found('FLT0809')).toEqual([])
    await takeBack()
    expect(await snapshot()).toEqual(before)
  })
})
