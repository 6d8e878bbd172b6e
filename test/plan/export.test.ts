import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import type { Model, Settings } from '../../src/bootstrap/settings.ts'
import { exportFiles, LAYOUTS, type Layout } from '../../src/plan/export-files.ts'
import { filesForGit } from '../../src/plan/for-git.ts'
import type { Plan } from '../../src/plan/plan.ts'
import { writeExport } from '../../src/plan/write-export.ts'
import { schemaErrors } from '../support/crd-schema.ts'
import { GIT, planOn, recordedHub, stepOf, type TestHub } from '../support/hub.ts'

const mixed = await recordedHub('mixed-healthy')
const agents = await recordedHub('agent-healthy')
const DEMO: Settings = { ...GIT, set: 'demo', clusters: ['bm', 'sno'] }

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'fleetctl-export-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

async function files(hub: TestHub, plan: Plan, layout: Layout) {
  return exportFiles(plan, layout, await filesForGit(plan, hub.reader))
}

/** Paths that the kustomizations reach from the top, in order. */
function reached(root: string, at = ''): string[] {
  const file = join(root, at, 'kustomization.yaml')
  if (!existsSync(file)) return [at]
  const { resources } = parse(readFileSync(file, 'utf8'))
  return resources.flatMap((name: string) => reached(root, at === '' ? name : `${at}/${name}`))
}

describe.each(LAYOUTS)('layout %s', layout => {
  it.each(['push', 'pull'] as const)(
    'of %s: one object a file, all of them in the kustomization, valid, and a README',
    async (model: Model) => {
      const plan = await planOn(mixed, model, {
        ...DEMO,
        ...(model === 'push' ? { serviceAccount: 'd', grantNamespaces: ['shop'] } : {}),
      })
      const list = await files(mixed, plan, layout)
      await writeExport(folder, list, '/')
      const paths = readdirSync(folder, { recursive: true, withFileTypes: true })
        .filter(e => e.isFile())
        .map(e => join(e.parentPath, e.name))
      const objects = paths.filter(path => path.endsWith('.yaml') && !path.endsWith('kustomization.yaml'))
      const expected = plan.steps.filter(step => step.type === 'object').length
      expect(objects).toHaveLength(expected)
      expect(
        reached(folder)
          .map(path => join(folder, path))
          .sort(),
      ).toEqual([...objects].sort())
      for (const path of objects) {
        const object = parse(readFileSync(path, 'utf8'))
        expect(schemaErrors(object), path).toEqual([])
        expect(object.status).toBeUndefined()
        expect(
          Object.keys(object.metadata).filter(key => !['name', 'namespace', 'labels', 'annotations'].includes(key)),
        ).toEqual([])
      }
      const readme = readFileSync(join(folder, 'README.md'), 'utf8')
      for (const path of reached(folder)) expect(readme).toContain(`(${path})`)
      expect(readme).toContain('lost-applications')
      expect(dirname(join(folder, 'README.md'))).toBe(folder)
    },
  )

  it('gives the same bytes for the same plan', async () => {
    const once = await files(mixed, await planOn(mixed, 'pull', DEMO), layout)
    const again = await recordedHub('mixed-healthy')
    expect(await files(again, await planOn(again, 'pull', DEMO), layout)).toEqual(once)
  })
})

describe('files of objects that belong to others', () => {
  it('keep a cluster accepted, and say nothing else of it', async () => {
    const plan = await planOn(mixed, 'pull', DEMO)
    const shared = await filesForGit(plan, mixed.reader)
    expect(shared.get(stepOf(plan, 'ManagedCluster', 'bm').number)).toEqual({
      apiVersion: 'cluster.open-cluster-management.io/v1',
      kind: 'ManagedCluster',
      metadata: {
        name: 'bm',
        labels: { 'cluster.open-cluster-management.io/clusterset': 'demo' },
        annotations: { 'argocd.argoproj.io/sync-options': 'ServerSideApply=true,Prune=false,Delete=false' },
      },
      spec: { hubAcceptsClient: true },
    })
  })

  it('hold the whole ArgoCD: a client-side apply drops what a file leaves out', async () => {
    const plan = await planOn(agents, 'agent', { ...GIT, placement: 'production-clusters', appset: 'shop' })
    const argo = (await filesForGit(plan, agents.reader)).get(stepOf(plan, 'ArgoCD', 'openshift-gitops').number)
    expect(argo).toMatchObject({ spec: { applicationSet: {}, controller: { enabled: false, processors: {} } } })
    expect(argo).not.toHaveProperty('status')
    // What belongs to others is no part of a plan that may be saved or printed.
    expect(JSON.stringify(plan)).not.toContain('processors')
  })
})

describe('an export', () => {
  it('replaces its own files, and names those that are left over', async () => {
    const list = await files(mixed, await planOn(mixed, 'pull', DEMO), 'flat')
    await writeExport(folder, list, '/')
    const less = list.filter(file => !file.path.startsWith('policy-'))
    expect((await writeExport(folder, less, '/')).left).toEqual(['policy-demo-spoke-gitops.yaml'])
  })

  it.each(['kustomization.yaml', 'README.md', 'placement-demo-clusters.yaml'])(
    'never touches a %s of somebody else',
    async name => {
      writeFileSync(join(folder, name), 'mine\n')
      const list = await files(mixed, await planOn(mixed, 'pull', DEMO), 'flat')
      await expect(writeExport(folder, list, '/')).rejects.toThrow(`${name} is there and was not written by fleetctl`)
      expect(readdirSync(folder)).toEqual([name])
      expect(readFileSync(join(folder, name), 'utf8')).toBe('mine\n')
    },
  )

  it('needs a folder', async () => {
    writeFileSync(join(folder, 'file'), '')
    await expect(writeExport(join(folder, 'file'), [], '/')).rejects.toThrow('no folder')
  })
})
