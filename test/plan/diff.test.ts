import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { fieldChanges } from '../../src/plan/diff.ts'
import { appliedBy, managerNames, ownersAt } from '../../src/plan/managed-fields.ts'
import type { Manifest } from '../../src/plan/object.ts'
import { gitOpsOwner } from '../../src/plan/owner.ts'
import { fingerprint, holds, merge, wishOf } from '../../src/plan/values.ts'
import { isObject, type RawObject } from '../../src/raw.ts'
import { recordedFleet } from '../support/fleets.ts'

/** The one recorded object with managedFields: AppProject `default` of a hub with agents, written by kubectl. */
const project: RawObject = (() => {
  const file = join(recordedFleet('agent-healthy'), 'hub', 'appprojects.argoproj.io.yaml')
  const list: unknown = parse(readFileSync(file, 'utf8'))
  const [first] = isObject(list) && Array.isArray(list.items) ? list.items : []
  return isObject(first) ? first : {}
})()

/** managedFields as a kube-apiserver writes them after two server-side applies (kubernetes structured-merge-diff FieldsV1). */
const shared: RawObject = {
  apiVersion: 'cluster.open-cluster-management.io/v1beta1',
  kind: 'Placement',
  metadata: {
    name: 'demo',
    namespace: 'argo',
    labels: { team: 'a', tier: 'b' },
    managedFields: [
      {
        manager: 'fleetctl',
        operation: 'Apply',
        fieldsV1: {
          'f:metadata': { 'f:labels': { 'f:team': {} } },
          'f:spec': { 'f:clusterSets': {}, 'f:numberOfClusters': {} },
        },
      },
      {
        manager: 'kubectl',
        operation: 'Update',
        fieldsV1: { 'f:metadata': { 'f:labels': { '.': {}, 'f:tier': {} } }, 'f:spec': { 'f:tolerations': {} } },
      },
      { manager: 'placement', operation: 'Update', subresource: 'status', fieldsV1: { 'f:status': {} } },
    ],
  },
  spec: { clusterSets: ['x'], numberOfClusters: 2, tolerations: [], sortBy: 'ClusterName' },
  status: { numberOfSelectedClusters: 1 },
}

const manifest = (spec: RawObject, labels?: Record<string, string>): Manifest => ({
  apiVersion: 'cluster.open-cluster-management.io/v1beta1',
  kind: 'Placement',
  metadata: { name: 'demo', namespace: 'argo', ...(labels === undefined ? {} : { labels }) },
  spec,
})

describe('who owns what', () => {
  it('is read from a recorded object', () => {
    expect(managerNames(project)).toEqual(['kubectl-client-side-apply'])
    expect(ownersAt(project, ['spec', 'destinations'], 'fleetctl')).toEqual(['kubectl-client-side-apply'])
    expect(ownersAt(project, ['spec', 'roles'], 'fleetctl')).toEqual([])
  })

  it('leaves out subresources, and fleetctl itself', () => {
    expect(managerNames(shared)).toEqual(['fleetctl', 'kubectl'])
    expect(ownersAt(shared, ['spec', 'clusterSets'], 'fleetctl')).toEqual([])
    expect(ownersAt(shared, ['metadata', 'labels', 'tier'], 'fleetctl')).toEqual(['kubectl'])
    // Owning a map is not owning what is in it.
    expect(ownersAt(shared, ['metadata', 'labels', 'team'], 'fleetctl')).toEqual([])
  })

  it('knows the bare map that is left of one of which everything else was taken over', () => {
    // As a kube-apiserver leaves it of `labels: {team: a}` when another manager forces its own team.
    const left = (fields: RawObject, kind = 'Placement') => ({
      ...shared,
      kind,
      metadata: { name: 'demo', managedFields: [{ manager: 'kubectl-label', operation: 'Update', fieldsV1: fields }] },
    })
    expect(ownersAt(left({ 'f:metadata': { 'f:labels': {} } }), ['metadata', 'labels', 'team'], 'fleetctl')).toEqual([])
    expect(ownersAt(left({ 'f:spec': {} }), ['spec', 'controller'], 'fleetctl')).toEqual([])
    // One value to the server: whoever owns it owns what is in it.
    const ref = { 'f:spec': { 'f:placementRef': {} } }
    expect(ownersAt(left(ref, 'GitOpsCluster'), ['spec', 'placementRef', 'name'], 'fleetctl')).toEqual([
      'kubectl-label',
    ])
    expect(ownersAt(left({ 'f:spec': { 'f:clusterSets': {} } }), ['spec', 'clusterSets'], 'fleetctl')).toEqual([
      'kubectl-label',
    ])
  })

  it('tells what fleetctl applied, with the values of now', () => {
    expect(appliedBy(shared, 'fleetctl')).toEqual({
      metadata: { labels: { team: 'a' } },
      spec: { clusterSets: ['x'], numberOfClusters: 2 },
    })
    expect(appliedBy(project, 'fleetctl')).toEqual({})
  })
})

describe('field changes', () => {
  it('are none where the object holds what is wanted, whatever else it has', () => {
    expect(fieldChanges(manifest({ clusterSets: ['x'], numberOfClusters: 2 }, { team: 'a' }), shared)).toEqual([])
  })

  it('name field, former and new value, and owner', () => {
    const wanted = manifest(
      { clusterSets: ['x', 'y'], numberOfClusters: 2, tolerations: [{ key: 'k' }], predicates: [] },
      { team: 'a' },
    )
    expect(fieldChanges(wanted, shared)).toEqual([
      {
        path: '.spec.clusterSets',
        keys: ['spec', 'clusterSets'],
        change: 'change',
        from: ['x'],
        to: ['x', 'y'],
        owners: [],
      },
      {
        path: '.spec.tolerations',
        keys: ['spec', 'tolerations'],
        change: 'change',
        from: [],
        to: [{ key: 'k' }],
        owners: ['kubectl'],
      },
      { path: '.spec.predicates', keys: ['spec', 'predicates'], change: 'add', to: [], owners: [] },
    ])
  })

  it('hold what fleetctl applied before and does not want any more', () => {
    const changes = fieldChanges(manifest({ clusterSets: ['x'] }), shared)
    expect(changes.map(c => [c.change, c.path])).toEqual([
      ['remove', '.metadata.labels.team'],
      ['remove', '.spec.numberOfClusters'],
    ])
  })

  it('write keys with signs as kubectl does', () => {
    const [change] = fieldChanges(
      manifest({ clusterSets: ['x'], numberOfClusters: 2 }, { team: 'a', 'a.b/c': 'd' }),
      shared,
    )
    expect(change?.path).toBe('.metadata.labels["a.b/c"]')
  })
})

describe('values', () => {
  it('hold and merge maps, and take lists as one', () => {
    expect(holds({ a: { b: 1, c: 2 } }, { a: { b: 1 } })).toBe(true)
    expect(holds({ a: [1, 2] }, { a: [1] })).toBe(false)
    expect(merge({ a: { b: 1 }, l: [1] }, { a: { c: 2 }, l: [2] })).toEqual({ a: { b: 1, c: 2 }, l: [2] })
  })

  it('have a fingerprint that a report does not change and a wish does', () => {
    const later = { ...shared, status: { numberOfSelectedClusters: 9 } }
    expect(fingerprint(later)).toBe(fingerprint(shared))
    expect(fingerprint({ ...shared, spec: {} })).not.toBe(fingerprint(shared))
    expect(wishOf(shared)).not.toHaveProperty('status')
    expect(wishOf(shared)).not.toHaveProperty('metadata.managedFields')
  })
})

describe('GitOps owners', () => {
  const owned = (metadata: RawObject) => gitOpsOwner({ kind: 'Placement', metadata })?.text
  it.each([
    [{ annotations: { 'argocd.argoproj.io/tracking-id': 'app:g/K:ns/n' } }, 'Argo CD Application "app"'],
    [{ labels: { 'argocd.argoproj.io/instance': 'app' } }, 'Argo CD Application "app"'],
    [{ labels: { 'kustomize.toolkit.fluxcd.io/name': 'k' } }, 'Flux Kustomization "k"'],
    [
      { labels: { 'app.kubernetes.io/managed-by': 'Helm' }, annotations: { 'meta.helm.sh/release-name': 'r' } },
      'Helm release "r"',
    ],
    [{ ownerReferences: [{ kind: 'GitOpsCluster', name: 'g', controller: true }] }, 'GitOpsCluster "g"'],
    [
      { managedFields: [{ manager: 'config-policy-controller', operation: 'Update', fieldsV1: { 'f:spec': {} } }] },
      'a Policy',
    ],
  ])('%j', (metadata, text) => {
    expect(owned(metadata)).toBe(text)
  })

  it('are none where a person or a controller of the kind wrote', () => {
    expect(gitOpsOwner(shared)).toBeUndefined()
    expect(gitOpsOwner(project)).toBeUndefined()
  })
})
