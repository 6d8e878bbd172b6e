import { describe, expect, test } from 'vitest'
import { CHECKS } from '../../src/checks/registry.ts'
import { diagnose, reported } from '../../src/diagnosis.ts'
import { clusters } from '../../src/fleet/joins/clusters.ts'
import { openPath } from '../../src/source/open.ts'
import { traceApp, traceAppSet, traceCluster } from '../../src/trace/run.ts'
import { recordedFleet } from '../support/fleets.ts'

/** Fleets in which one fault breaks several Applications, through other findings, and by several models. */
const BROKEN = ['acm-2.17-msa-deleted', 'msa-deleted', 'two-independent-faults', 'mixed-push-and-pull-share-object']

describe('doctor and trace do not disagree', () => {
  test.each(BROKEN)('%s: what a trace names is a root of the doctor', async name => {
    const source = await openPath(recordedFleet(name), {})
    const diagnosis = await diagnose(source, CHECKS)
    const roots = diagnosis.roots.map(root => {
      const { code, subject } = reported(diagnosis, root)
      return { code, subject }
    })
    for (const cluster of diagnosis.fleet.join(clusters).byName.keys()) {
      for (const { finding } of (await traceCluster(source, cluster)).traces) {
        if (finding !== null) expect(roots).toContainEqual({ code: finding.code, subject: finding.subject })
      }
    }
  })

  // Codes and objects of the root cause as expected.yaml of each fleet has it.
  test.each([
    ['push-predicate-no-match', 'node-baseline', 'FLT0105', 'Placement'],
    ['push-binding-deleted', 'branding-pull', 'FLT0102', 'ManagedClusterSetBinding'],
    ['placement-bad-toleration', 'node-baseline', 'FLT0103', 'Placement'],
    ['acm-placement-matchkey', 'branding-pull', 'FLT0208', 'ConfigMap'],
  ])('%s: the finding of ApplicationSet %s is the root that explains it', async (fleet, name, code, kind) => {
    const list = await traceAppSet(await openPath(recordedFleet(fleet), {}), { name })
    expect(list.finding).toMatchObject({ code, subject: { kind } })
    expect(new Set(list.traces.map(t => t.finding?.fingerprint))).toEqual(new Set([list.finding?.fingerprint]))
  })

  test('a pull Application that a fault of push keeps from being generated has that fault as its cause', async () => {
    const source = await openPath(recordedFleet('acm-2.17-msa-deleted'), {})
    const trace = await traceApp(source, { name: 'branding-sno' })
    expect(trace.model).toBe('pull')
    // The root in expected.yaml.
    expect(trace.firstBroken).toMatchObject({ kind: 'ManagedServiceAccount', namespace: 'sno', cluster: 'hub' })
  })
})

describe('a name that nothing has', () => {
  const open = () => openPath(recordedFleet('pull-healthy'), {})

  test.each([
    ['BRANDING-BM', 'did you mean openshift-gitops/branding-bm?'],
    ['brandign-bm', 'did you mean openshift-gitops/branding-bm?'],
    ['branding-pull', 'it is an ApplicationSet: fleetctl trace appset openshift-gitops/branding-pull'],
    ['sno', 'it is a ManagedCluster: fleetctl trace cluster sno'],
  ])('app %s', async (name, end) => {
    await expect(traceApp(await open(), { name })).rejects.toThrow(`no Application called "${name}"`)
    await expect(traceApp(await open(), { name })).rejects.toThrow(end)
  })

  test('an app in another namespace', async () => {
    const traced = traceApp(await open(), { namespace: 'nope', name: 'branding-bm' })
    await expect(traced).rejects.toThrow(/in namespace "nope".*did you mean openshift-gitops\/branding-bm\?$/)
  })

  test('an appset, a cluster', async () => {
    const source = await open()
    await expect(traceAppSet(source, { name: 'branding-bm' })).rejects.toThrow(/it is an Application: .* trace app /)
    await expect(traceCluster(source, 'SNO')).rejects.toThrow(/called "SNO"; did you mean sno\?$/)
    await expect(traceCluster(source, 'xxxxxxxx')).rejects.toThrow(/called "xxxxxxxx"$/)
  })
})
