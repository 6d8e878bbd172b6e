import { describe, expect, test } from 'vitest'
import type { ReportedFinding } from '../../src/checks/report.ts'
import { runDoctor } from '../../src/doctor.ts'
import { say } from '../support/expected.ts'
import { recorded } from '../support/fleets.ts'
import { type Patch, patched, patchedFleet } from '../support/patch.ts'

/** Everything that a finding explains, at any depth, as `slug subject`. */
function explained(finding: ReportedFinding): string[] {
  return finding.explains.flatMap(f => [`${f.slug} ${say(f.subject)}`, ...explained(f)])
}

async function errorsOf(name: string, change: (patch: Patch) => void = () => {}) {
  const { findings } = await runDoctor(patchedFleet(await recorded(name), change))
  return findings.filter(f => f.severity === 'error')
}

describe('one cause', () => {
  test('a deleted binding explains the empty decision and all that follows, down to the report', async () => {
    const [binding, ...others] = await errorsOf('pull-binding-deleted')
    expect(others).toEqual([])
    expect(binding && say(binding.subject)).toBe('hub/ManagedClusterSetBinding/openshift-gitops/production')
    expect(binding?.subject.missing).toBe(true)
    const all = binding === undefined ? [] : explained(binding)
    expect(all).toEqual(
      expect.arrayContaining([
        'placement-selects-nothing hub/Placement/openshift-gitops/production-clusters',
        'goc-registers-nothing hub/GitOpsCluster/openshift-gitops/gitops-production',
        'appset-applications-missing hub/ApplicationSet/openshift-gitops/branding-pull',
        'report-ghost hub/MulticlusterApplicationSetReport/openshift-gitops/branding-pull',
      ]),
    )
  })

  test('the outage of a cluster explains its add-ons and the feedback that still says Healthy', async () => {
    const [outage, ...others] = await errorsOf('pull-cluster-unknown-report-healthy')
    expect(others).toEqual([])
    expect(outage && say(outage.subject)).toBe('hub/ManagedCluster/bm')
    const all = outage === undefined ? [] : explained(outage)
    for (const addon of ['cluster-proxy', 'managed-serviceaccount'])
      expect(all).toContain(`addon-unavailable hub/ManagedClusterAddOn/bm/${addon}`)
    expect(all.filter(text => text.startsWith('feedback-stale'))).toHaveLength(1)
    // Add-ons of the other cluster are well.
    expect(all.filter(text => text.includes('/sno/'))).toEqual([])
  })

  test('an effect shows the worst of what it explains, and counts what it touches', async () => {
    const [binding] = await errorsOf('pull-binding-deleted')
    expect(binding?.severity).toBe('error')
    const [forbidden] = await errorsOf('pull-rbac-forbidden-gave-up')
    expect(forbidden?.impact).toEqual({
      applications: 1,
      clusters: 1,
      applicationNames: ['openshift-gitops/branding-bm'],
      clusterNames: ['bm'],
    })
  })
})

describe('two causes', () => {
  test('faults that have nothing to do with each other both stay', async () => {
    const roots = await errorsOf('two-independent-faults')
    expect(roots.map(f => say(f.subject)).sort()).toEqual([
      'hub/ApplicationSet/openshift-gitops/node-baseline',
      'hub/ManagedClusterSetBinding/acm-policies/retail-emea',
    ])
    // The Applications that fail from the template stand nowhere else.
    expect(roots.flatMap(explained).filter(text => text.includes('Application/openshift-gitops/baseline'))).toEqual([])
  })

  test('a second fault laid over a first one is not swallowed', async () => {
    const sno = 'hub/ManagedCluster/sno'
    const unknown = (patch: Patch) => {
      const conditions = patch.edit(sno).status
      if (typeof conditions !== 'object' || conditions === null) throw new Error('sno has no status')
      patch.set(
        sno,
        ['status', 'conditions'],
        [
          { type: 'HubAcceptedManagedCluster', status: 'True' },
          { type: 'ManagedClusterJoined', status: 'True' },
          {
            type: 'ManagedClusterConditionAvailable',
            status: 'Unknown',
            reason: 'ManagedClusterLeaseUpdateStopped',
            lastTransitionTime: '2026-11-30T16:00:00Z',
          },
        ],
      )
    }
    const roots = await errorsOf('pull-rbac-forbidden-gave-up', unknown)
    expect(roots.map(f => say(f.subject)).sort()).toEqual([
      'bm/ServiceAccount/openshift-gitops/openshift-gitops-argocd-application-controller',
      'hub/ManagedCluster/sno',
    ])
  })

  test('mending one fault leaves the other', async () => {
    const bind = (patch: Patch) => {
      const other = patch.edit('hub/ManagedClusterSetBinding/openshift-gitops/retail-emea')
      patch.add('hub', 'ManagedClusterSetBinding', {
        ...other,
        metadata: { name: 'retail-emea', namespace: 'acm-policies', uid: 'made-anew' },
      })
      patch.add('hub', 'PlacementDecision', {
        metadata: {
          name: 'policy-fleet-decision-9',
          namespace: 'acm-policies',
          labels: { 'cluster.open-cluster-management.io/placement': 'policy-fleet' },
        },
        status: { decisions: [{ clusterName: 'bm' }, { clusterName: 'sno' }] },
      })
    }
    const roots = await errorsOf('two-independent-faults', bind)
    expect(roots.map(f => say(f.subject))).toEqual(['hub/ApplicationSet/openshift-gitops/node-baseline'])
  })
})

test('an unrelated fault is no cause: an outage elsewhere leaves a missing secret alone', async () => {
  const fleet = await patched('mixed-healthy', patch => {
    patch.remove('hub/Secret/openshift-gitops/bm-application-manager-cluster-secret')
    patch.remove('hub/Application/openshift-gitops/compliance-operator-bm')
    const addon = 'hub/ManagedClusterAddOn/sno/managed-serviceaccount'
    patch.set(
      addon,
      ['status', 'conditions'],
      [{ type: 'Available', status: 'False', reason: 'x', lastTransitionTime: '2026-11-30T15:00:00Z' }],
    )
  })
  const errors = (await runDoctor(fleet)).findings.filter(f => f.severity === 'error')
  expect(errors.map(f => say(f.subject)).sort()).toEqual([
    'hub/ManagedClusterAddOn/sno/managed-serviceaccount',
    'hub/Secret/openshift-gitops/bm-application-manager-cluster-secret',
  ])
  const secret = errors.find(f => f.subject.kind === 'Secret')
  expect(secret && explained(secret)).toContain(
    'appset-applications-missing hub/ApplicationSet/openshift-gitops/compliance-operator',
  )
})
