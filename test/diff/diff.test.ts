import { Ajv2020 } from 'ajv/dist/2020.js'
import { describe, expect, test } from 'vitest'
import { CHECKS } from '../../src/checks/registry.ts'
import { diagnose } from '../../src/diagnosis.ts'
import { compareFleets } from '../../src/diff/compare.ts'
import type { FleetDiff } from '../../src/diff/fleet-diff.ts'
import type { KindName } from '../../src/fleet/kinds.ts'
import { subjectText } from '../../src/fleet/subject.ts'
import { schemaOf } from '../../src/output/schema/schemas.ts'
import type { FleetSource } from '../../src/source/source.ts'
import { FLEETS, recorded } from '../support/fleets.ts'
import { run } from '../support/run-real.ts'

const isDiff = new Ajv2020({ strictRequired: false }).compile(schemaOf('FleetDiff') ?? false)

async function compare(before: FleetSource, after: FleetSource): Promise<FleetDiff> {
  const state = async (source: FleetSource) => ({ source, diagnosis: await diagnose(source, CHECKS) })
  const diff = compareFleets(await state(before), await state(after))
  expect(isDiff(diff), JSON.stringify(isDiff.errors)).toBe(true)
  return diff
}

const between = async (a: string, b: string): Promise<FleetDiff> => compare(await recorded(a), await recorded(b))

/** `change subject field: before -> after`, without the uid of what was made anew. */
const lines = (diff: FleetDiff, section: string): string[] =>
  diff.changes
    .filter(c => c.section === section)
    .map(({ change, subject, fields }) =>
      [
        change,
        subjectText(subject),
        ...(change === 'changed' ? fields.filter(f => f.field !== 'uid') : []).map(
          f => `${f.field}: ${f.before} -> ${f.after}`,
        ),
      ].join(' '),
    )

/** A source whose hub refused a kind. */
function refusing(source: FleetSource, kind: KindName): FleetSource {
  return {
    name: source.name,
    type: source.type,
    read: async (wanted, { object }, signal) => {
      const isRefused = (cluster: string, k: KindName): boolean => cluster === 'hub' && k === kind
      const report = await source.read(
        wanted,
        { object: (cluster, k, raw, where) => (isRefused(cluster, k) ? undefined : object(cluster, k, raw, where)) },
        signal,
      )
      const refused = { state: 'refused', reason: 'forbidden' } as const
      const clusters = report.clusters.map(c =>
        c.role === 'hub' ? { ...c, coverage: new Map(c.coverage).set(kind, refused) } : c,
      )
      return { ...report, clusters }
    },
  }
}

describe('between two states of one lab', () => {
  // What was done to it, and what the controllers did then, is in the `what` of its expected.yaml.
  test('a cluster that lost its set: the decision, the Applications, the work and the finding', async () => {
    const diff = await between('healthy-article-3', 'set-label-lost')
    expect(lines(diff, 'clusters')).toEqual(['changed ManagedCluster/sno clusterSet: production -> '])
    expect(lines(diff, 'decisions')).toEqual([
      'changed openshift-gitops/Placement/production-clusters clusters: bm, sno -> bm',
    ])
    expect(lines(diff, 'applications').filter(line => line.startsWith('removed'))).toEqual([
      'removed openshift-gitops/Application/branding-sno',
      'removed openshift-gitops/Application/compliance-operator-sno',
      'removed openshift-gitops/Application/branding-sno on sno',
    ])
    expect(lines(diff, 'works')).toContain('removed sno/ManifestWork/branding-sno-64cd5')
    expect(diff.findings.map(f => [f.change, subjectText(f.subject), f.certain])).toContainEqual([
      'new',
      'ManagedCluster/sno',
      true,
    ])
    expect(diff.notCompared).toEqual([])
  })

  test('backwards everything is the other way round', async () => {
    const [there, back] = [
      await between('healthy-article-3', 'set-label-lost'),
      await between('set-label-lost', 'healthy-article-3'),
    ]
    expect(back.summary).toEqual({
      ...there.summary,
      added: there.summary.removed,
      removed: there.summary.added,
      newFindings: there.summary.goneFindings,
      goneFindings: there.summary.newFindings,
    })
    expect(lines(back, 'decisions')).toEqual([
      'changed openshift-gitops/Placement/production-clusters clusters: bm -> bm, sno',
    ])
  })

  test('a right that is missing on a spoke: sync and operation of the Application, on both sides', async () => {
    const diff = await between('healthy-article-3', 'pull-rbac-forbidden-retrying')
    const changed = diff.changes.filter(c => c.subject.name === 'branding-bm' && c.section === 'applications')
    expect(changed.map(c => c.subject.cluster)).toEqual(['hub', 'bm'])
    for (const { fields } of changed) {
      expect(fields).toContainEqual({ field: 'sync', before: 'Synced', after: 'OutOfSync' })
      expect(fields).toContainEqual({ field: 'operation', before: 'Succeeded', after: 'Running' })
    }
    expect(diff.findings.map(f => [f.change, f.subject.kind, f.explainedBy])).toEqual([['new', 'ServiceAccount', '']])
  })

  test.each(['pull-healthy', 'agent-healthy', 'two-independent-faults'])('%s and itself: nothing', async name => {
    const diff = await between(name, name)
    expect([diff.changes, diff.findings, diff.notCompared]).toEqual([[], [], []])
  })
})

describe('what could not be seen in one of the states', () => {
  test('is neither added nor removed', async () => {
    const fleet = await recorded('pull-healthy')
    for (const [before, after, state] of [
      [refusing(fleet, 'Application'), fleet, 'before'],
      [fleet, refusing(fleet, 'Application'), 'after'],
    ] as const) {
      const diff = await compare(before, after)
      expect(diff.changes).toEqual([])
      expect(diff.notCompared).toEqual([
        { state, cluster: 'hub', resource: 'applications.argoproj.io', reason: 'forbidden' },
      ])
    }
  })

  test('makes findings that came or went uncertain', async () => {
    const broken = await recorded('set-label-lost')
    const diff = await compare(refusing(broken, 'Secret'), broken)
    expect(diff.findings.filter(f => f.change === 'new').map(f => f.certain)).not.toContain(true)
    const same = await compare(broken, broken)
    expect(same.findings).toEqual([])
  })
})

describe('fleetctl diff', () => {
  const [healthy, broken] = ['healthy-article-3', 'set-label-lost'].map(name => `${FLEETS}/${name}.tgz`)
  const pair = [healthy ?? '', broken ?? '']

  test('tells the difference, and exits 1 for it only when asked', async () => {
    const { code, stdout } = await run(['diff', ...pair])
    expect(code).toBe(0)
    expect(stdout).toContain('~ ManagedCluster/sno: clusterSet production -> <none>')
    expect(stdout).toContain('~ openshift-gitops/Placement/production-clusters: clusters -sno')
    expect(stdout).toContain('- openshift-gitops/Application/branding-sno on sno')
    expect(stdout).toMatch(/new Error FLT0005 cluster-set-lost: ManagedCluster\/sno/)
    expect((await run(['diff', ...pair, '--exit-code'])).code).toBe(1)
    expect((await run(['diff', ...pair, '--exit-code', '-o', 'json'])).code).toBe(1)
    const same = await run(['diff', pair[0] ?? '', pair[0] ?? '', '--exit-code'])
    expect([same.code, same.stdout.trimEnd().split('\n').at(-1)]).toEqual([0, 'No difference.'])
  })

  test('takes the second state from --from, too, and refuses both at once', async () => {
    expect((await run(['diff', pair[0] ?? '', '--from', pair[1] ?? '', '--exit-code'])).code).toBe(1)
    expect((await run(['diff', ...pair, '--from', 'x'])).code).toBe(2)
    expect((await run(['diff', '/nowhere/at/all', pair[1] ?? ''])).code).toBe(2)
  })
})
