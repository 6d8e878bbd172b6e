import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { openPath } from '../../src/source/open.ts'
import { expectSchema } from '../support/expect-schema.ts'
import { recordedFleet } from '../support/fleets.ts'
import { type Outcome, runCli } from './run-cli.ts'

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'fleetctl-cli-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** The commands with the real reader over a recorded fleet. */
function cli(fleet: string, ...argv: string[]): Promise<Outcome> {
  return runCli([...argv, '--from', recordedFleet(fleet)], { cwd: folder, engine: { openPath } })
}

const GIT = ['--repo-url', 'https://git.example.test/fleet.git', '--path', 'apps/{{name}}']
const DEMO = ['--clusters', 'bm,sno', '--set', 'demo', ...GIT]

function valid(kind: string, text: string): unknown {
  const document: unknown = JSON.parse(text)
  expectSchema(kind, document)
  return document
}

describe('bootstrap against a recording', () => {
  it.each([
    ['push', 'push-only', 'mixed-healthy'],
    ['pull', 'pull-only', 'pull-healthy'],
    ['agent', 'agent-only', 'agent-healthy'],
    ['agent', 'agent-on-mixed', 'mixed-healthy'],
    ['pull', 'upstream', 'upstream-healthy'],
  ])('%s writes files for Git (%s)', async (model, name, fleet) => {
    const clusters = fleet === 'upstream-healthy' ? [...GIT, '--placement', 'edge'] : DEMO
    const { code, stdout, stderr } = await cli(fleet, 'bootstrap', model, ...clusters, '--export', name, '--yes')
    expect({ code, stderr }).toEqual({ code: 0, stderr: expect.stringMatching(/^wrote \d+ files to \S+\n$/) })
    expect(stdout).toContain(`Plan: bootstrap ${model}`)
    const { resources } = parse(readFileSync(join(folder, name, 'kustomization.yaml'), 'utf8'))
    expect(resources.length).toBeGreaterThan(0)
    expect(readdirSync(join(folder, name))).toEqual(expect.arrayContaining(['README.md', ...resources]))
  })

  it('shows a plan in text and as JSON with the same exit code, which says whether a danger is open', async () => {
    const text = await cli('mixed-healthy', 'bootstrap', 'pull', ...DEMO)
    expect(text.code).toBe(6)
    expect(text.stdout).toContain('lost-applications   needs --accept lost-applications')
    const json = await cli('mixed-healthy', 'bootstrap', 'pull', ...DEMO, '-o', 'json')
    expect(json.code).toBe(6)
    expect(valid('Plan', json.stdout)).toMatchObject({
      kind: 'Plan',
      title: 'bootstrap pull',
      target: { type: 'recording' },
    })
    const accepted = await cli(
      'mixed-healthy',
      'bootstrap',
      'pull',
      ...DEMO,
      '--accept',
      'lost-applications,move-clusters',
    )
    expect(accepted.code).toBe(0)
  })

  it('has steps that can be used alone', async () => {
    const steps: readonly (readonly [string[], string[]])[] = [
      [
        ['clusterset', 'demo', '--clusters', 'bm'],
        ['ManagedClusterSet', 'ManagedCluster'],
      ],
      [['binding', 'production', '-n', 'openshift-gitops'], ['ManagedClusterSetBinding']],
      [['placement', 'two', '--set', 'production', '--predicate', 'vendor=OpenShift'], ['Placement']],
      [['gitopscluster', 'g', '--placement', 'production-clusters'], ['GitOpsCluster']],
      [['appset', 'shop', '--model', 'pull', '--placement', 'production-clusters', ...GIT], ['ApplicationSet']],
      [
        ['rbac', '--placement', 'production-clusters', '--service-account', 'd', '--preset', 'read-only'],
        ['ManagedServiceAccount', 'ClusterPermission', 'ManagedServiceAccount', 'ClusterPermission'],
      ],
      [
        ['rbac', '--placement', 'production-clusters', '--model', 'pull', '--spoke-rights', 'cluster-admin'],
        ['Policy', 'PlacementBinding'],
      ],
      [
        ['spoke-gitops', '--placement', 'production-clusters'],
        ['Policy', 'PlacementBinding'],
      ],
      [
        ['spoke-gitops', '--placement', 'production-clusters', '--spoke-gitops', 'addon'],
        ['Policy', 'PlacementBinding', 'GitOpsCluster'],
      ],
    ]
    for (const [argv, kinds] of steps) {
      const { stdout, stderr } = await cli('mixed-healthy', 'bootstrap', ...argv, '-o', 'json')
      expect(stderr).toBe('')
      const objects = JSON.parse(stdout).steps.filter((s: { type: string }) => s.type === 'object')
      expect([argv[0], objects.map((s: { subject: { kind: string } }) => s.subject.kind)]).toEqual([argv[0], kinds])
    }
  })

  it('says what a part lacks, and how to get it', async () => {
    const placed = ['--placement', 'production-clusters']
    const silent = await cli('mixed-healthy', 'bootstrap', 'appset', 'shop', ...placed, ...GIT)
    expect(silent).toMatchObject({ code: 2, stderr: expect.stringContaining('--model must say') })
    const unbound = await cli('mixed-healthy', 'bootstrap', 'binding', 'west')
    expect(unbound.code).toBe(2)
    expect(unbound.stderr).toContain(
      '"west" does not exist; "bootstrap clusterset west --clusters …" puts some into it',
    )
  })

  it('reads a file, lets flags win over it, and prints one', async () => {
    const printed = await runCli(['bootstrap', 'pull', ...DEMO, '--print-config'])
    expect(printed).toMatchObject({ code: 0, stderr: '' })
    writeFileSync(join(folder, 'b.yaml'), printed.stdout)
    const fromFile = await cli('mixed-healthy', 'bootstrap', '-f', 'b.yaml', '-o', 'json')
    const fromFlags = await cli('mixed-healthy', 'bootstrap', 'pull', ...DEMO, '-o', 'json')
    const { createdAt: _a, ...a } = JSON.parse(fromFile.stdout)
    const { createdAt: _b, ...b } = JSON.parse(fromFlags.stdout)
    expect(a).toEqual(b)
    const over = await cli('mixed-healthy', 'bootstrap', 'pull', '-f', 'b.yaml', '--appset', 'other', '-o', 'json')
    expect(over.stdout).toContain('"name": "other"')
  })

  it('shows every field with --diff', async () => {
    const { stdout } = await cli('mixed-healthy', 'bootstrap', 'pull', ...DEMO, '--diff')
    expect(stdout).toMatch(/\+ kind: ApplicationSet/)
    expect(stdout).toMatch(/\+ +argocd\.argoproj\.io\/skip-reconcile: "true"/)
  })

  it.each([
    [['bootstrap'], 'nothing says what to set up'],
    [['bootstrap', 'pul'], 'unknown command "pul" for "fleetctl bootstrap"; did you mean "pull"?'],
    [['bootstrap', 'pull', '--clusters', 'bm', '--sett', 'x'], 'did you mean "--set"?'],
    [['bootstrap', 'pull', ...DEMO, '--layout', 'flat'], '--layout needs --export'],
    [['bootstrap', 'pull', ...DEMO, '--dry-run', 'server'], 'needs a live hub'],
    [['bootstrap', 'pull', ...DEMO, '--accept', 'everything'], '--accept knows no danger "everything"'],
    [['bootstrap', 'pull', ...DEMO, '--service-account', 'd'], 'unknown flag --service-account'],
    [['bootstrap', 'push', ...DEMO, '--number-of-clusters', '-1'], 'expected a whole number'],
    [['bootstrap', 'push', ...DEMO, '--rules', 'nope.yaml'], 'cannot read "nope.yaml" of --rules'],
    [['bootstrap', 'clusterset', 'demo', '--clusters', 'zz'], 'no managed cluster "zz"'],
    [['apply', '-f', 'x'], '--from has no meaning here'],
  ])('%j is one line and exit 2', async (argv, message) => {
    const { code, stdout, stderr } = await cli('mixed-healthy', ...argv)
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toContain(message)
    expect(stderr.trimEnd()).not.toContain('\n')
  })
})

describe('placement explain', () => {
  const WHERE = { namespace: 'openshift-gitops', name: 'production-clusters' }

  it('gives the shape that scripts rely on', async () => {
    const { code, stdout } = await cli('mixed-healthy', 'placement', 'explain', 'production-clusters', '-o', 'json')
    expect(code).toBe(0)
    expect(valid('PlacementExplanation', stdout)).toMatchObject({
      kind: 'PlacementExplanation',
      placement: WHERE,
      selected: ['bm', 'sno'],
      notSelected: [{ cluster: 'local-cluster', reason: 'no-set', detail: expect.any(String) }],
      certain: true,
      satisfied: { status: 'True', reason: 'AllDecisionsScheduled' },
      decided: ['bm', 'sno'],
      edit: null,
    })
  })

  it('previews an edit: what goes, and which Applications with it', async () => {
    writeFileSync(
      join(folder, 'edit.yaml'),
      `apiVersion: cluster.open-cluster-management.io/v1beta1
kind: Placement
metadata: {name: production-clusters}
spec:
  clusterSets: [production]
  predicates: [{requiredClusterSelector: {labelSelector: {matchLabels: {name: bm}}}}]
`,
    )
    const { code, stdout } = await cli(
      'mixed-healthy',
      'placement',
      'explain',
      '-f',
      'edit.yaml',
      '-n',
      'openshift-gitops',
      '-o',
      'json',
    )
    expect(code).toBe(0)
    expect(valid('PlacementExplanation', stdout)).toMatchObject({
      selected: ['bm'],
      edit: {
        comes: [],
        mayGo: [],
        goes: ['sno'],
        applications: {
          made: [],
          lost: [
            { name: 'branding-sno', cluster: 'sno' },
            { name: 'compliance-operator-sno', cluster: 'sno' },
          ],
        },
      },
    })
  })

  it('previews a label that a cluster is to get, on every Placement that it touches', async () => {
    writeFileSync(
      join(folder, 'label.yaml'),
      `apiVersion: cluster.open-cluster-management.io/v1
kind: ManagedCluster
metadata: {name: local-cluster, labels: {cluster.open-cluster-management.io/clusterset: production}}
`,
    )
    const { stdout } = await cli(
      'mixed-healthy',
      'placement',
      'explain',
      'production-clusters',
      '-f',
      'label.yaml',
      '-o',
      'json',
    )
    const report = JSON.parse(stdout)
    // The recorded hub carries vendor=OpenShift, as the Placement asks.
    expect(report.edit.comes).toEqual(report.selected.includes('local-cluster') ? ['local-cluster'] : [])
    expect([...report.selected, ...report.notSelected.map((n: { cluster: string }) => n.cluster)].sort()).toEqual([
      'bm',
      'local-cluster',
      'sno',
    ])
  })

  it.each([
    [['nope'], 'there is no Placement "nope"'],
    [[], 'name a Placement, or pass -f'],
    [['a/b/c'], 'is not [NAMESPACE/]NAME'],
    [['a/b', '-n', 'c'], 'two namespaces'],
    [['-f', 'missing.yaml'], 'cannot read "missing.yaml"'],
  ])('%j is one line and exit 2', async (argv, message) => {
    const { code, stdout, stderr } = await cli('mixed-healthy', 'placement', 'explain', ...argv)
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toContain(message)
  })

  it.each([
    ['spec: {predicate: []}', 'no field "spec.predicate"'],
    ['spec: [', 'x.yaml:'],
  ])('a Placement with %j is refused', async (rest, message) => {
    writeFileSync(
      join(folder, 'x.yaml'),
      `apiVersion: cluster.open-cluster-management.io/v1beta1\nkind: Placement\nmetadata: {name: a, namespace: b}\n${rest}\n`,
    )
    const { code, stderr } = await cli('mixed-healthy', 'placement', 'explain', '-f', 'x.yaml')
    expect(code).toBe(2)
    expect(stderr).toContain(message)
  })
})
