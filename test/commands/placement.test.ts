import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { isObject } from '../../src/raw.ts'
import { openPath } from '../../src/source/open.ts'
import { fixture, raws } from '../fleet/placement/support.ts'
import { FLEET_NAMES, recordedFleet, recordedTyped } from '../support/fleets.ts'
import { runCli } from './run-cli.ts'

const WORLD = fileURLToPath(new URL('../fleet/placement/fixtures/world.yaml', import.meta.url))

interface Explanation {
  readonly selected: readonly string[]
  readonly decided: readonly string[] | null
  readonly certain: boolean
  readonly satisfied: unknown
  readonly notSelected: readonly { readonly cluster: string; readonly reason: string; readonly detail: string }[]
}

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'fleetctl-placement-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

async function explain(from: string, ...argv: string[]): Promise<Explanation> {
  const command = ['placement', 'explain', ...argv, '--from', from, '-o', 'json']
  const { code, stdout, stderr } = await runCli(command, { cwd: folder, engine: { openPath } })
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  return JSON.parse(stdout)
}

const file = fixture('cases.yaml')
/** Here Balance, which looks at the decisions of other Placements at that moment, chooses. */
const UNCERTAIN = ['n-2', 'spread']

describe('a Placement of a file, against a world of a file', () => {
  it.each(raws(isObject(file) ? file.cases : undefined).map(c => ({ name: String(c.name), c })))(
    '$name is as the real controller decided',
    async ({ name, c }) => {
      const manifest = {
        apiVersion: 'cluster.open-cluster-management.io/v1beta1',
        kind: 'Placement',
        metadata: { name, namespace: c.namespace, annotations: c.annotations ?? {} },
        spec: c.spec,
      }
      writeFileSync(join(folder, 'placement.yaml'), JSON.stringify(manifest))
      const explained = await explain(WORLD, '-f', 'placement.yaml')
      expect(explained.certain).toBe(!UNCERTAIN.includes(name))
      if (explained.certain) expect(explained.selected).toEqual(c.selected)
      const { status = '', reason = '' } = raws(c.conditions).find(one => one.type === 'PlacementSatisfied') ?? {}
      expect(explained.satisfied).toMatchObject({ status, reason })
      expect(explained.notSelected.filter(n => n.reason === '' || n.detail === '')).toEqual([])
    },
  )
})

describe('an edit after which the scheduler chooses', () => {
  const manifest = {
    apiVersion: 'cluster.open-cluster-management.io/v1beta1',
    kind: 'Placement',
    metadata: { name: 'production-clusters', namespace: 'openshift-gitops' },
    spec: { clusterSets: ['production'], numberOfClusters: 1 },
  }

  it('says how many stay, and of no cluster that it surely goes', async () => {
    const from = recordedFleet('pull-healthy')
    writeFileSync(join(folder, 'one.yaml'), JSON.stringify(manifest))
    expect(await explain(from, '-f', 'one.yaml')).toMatchObject({
      selected: [],
      candidates: ['bm', 'sno'],
      chooses: 1,
      edit: { comes: [], goes: [], mayGo: ['bm', 'sno'] },
    })
    const argv = ['placement', 'explain', '-f', 'one.yaml', '--from', from]
    const { stdout } = await runCli(argv, { cwd: folder, engine: { openPath } })
    expect(stdout).toContain('would select 1 of bm, sno; which one is decided by the scheduler.')
    expect(stdout).toMatch(/^ {2}May go +bm, sno$/m)
    expect(stdout).not.toMatch(/^ {2}Goes/m)
  })
})

describe('the Placements of every recorded fleet', () => {
  it.each(FLEET_NAMES)('%s: what is said is what was decided', async name => {
    const fleet = await recordedTyped(name)
    for (const { meta } of fleet.hub.of('Placement').all) {
      const explained = await explain(recordedFleet(name), `${meta.namespace}/${meta.name}`)
      const where = { placement: meta.name, certain: explained.certain }
      expect({ ...where, selected: explained.selected }).toEqual({ ...where, selected: explained.decided ?? [] })
    }
  })
})
