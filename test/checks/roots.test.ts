import { expect, test } from 'vitest'
import { runDoctor } from '../../src/doctor.ts'
import { subjectText } from '../../src/fleet/subject.ts'
import { type RawObject, recorded } from '../support/fleets.ts'
import { type Patch, patchedFleet } from '../support/patch.ts'
import { base64, MINUTE, setCondition } from './catalogue/case.ts'

/*
 * Faults with what controllers make of them, of which no fleet was recorded: rows of the failure tables (push-pull 1.7 to 1.9)
 * whose root is another object than the one that shows it. Messages are those of the tables.
 */
const NAMESPACE = 'openshift-gitops'
const SET = `hub/ApplicationSet/${NAMESPACE}/node-baseline`
const APP = `hub/Application/${NAMESPACE}/baseline-bm`
const SECRET = `hub/Secret/${NAMESPACE}/bm-application-manager-cluster-secret`
const CONFIG_MAP = `hub/ConfigMap/${NAMESPACE}/acm-placement`

interface Story {
  readonly story: string
  /** Where it is not `push-healthy`. */
  readonly fleet?: string
  readonly change: (patch: Patch) => void
  /** Code and object of the one new root. */
  readonly root: string
  /** Codes of what lies under it. */
  readonly explains: readonly string[]
}

function before(patch: Patch, ms: number): string {
  const now = patch.clusters.find(c => c.role === 'hub')?.readAt ?? 0
  return new Date(now - ms).toISOString()
}

/** An error that the ApplicationSet controller has written. */
function errorOf(patch: Patch, reason: string, message: string): void {
  const since = { lastTransitionTime: before(patch, 10 * MINUTE), message }
  setCondition(patch, SET, 'ErrorOccurred', { status: 'True', reason, ...since })
  setCondition(patch, SET, 'ResourcesUpToDate', { status: 'False', reason: 'ErrorOccurred', ...since })
}

/** A sync that has failed with a message. */
function failed(patch: Patch, message: string): void {
  const state = patch.edit(APP).status as RawObject
  const [startedAt, finishedAt] = [before(patch, 12 * MINUTE), before(patch, 10 * MINUTE)]
  state.operationState = { operation: { sync: {} }, phase: 'Failed', message, startedAt, finishedAt }
}

function told(patch: Patch, type: string, message: string): void {
  const conditions = [{ type, message, lastTransitionTime: before(patch, 10 * MINUTE) }]
  patch.set(APP, ['status', 'conditions'], conditions)
  patch.set(APP, ['status', 'sync', 'status'], 'Unknown')
}

const STORIES: readonly Story[] = [
  {
    story: 'the proxy of one cluster is down, and a sync there was refused',
    change: p => {
      setCondition(p, 'hub/ManagedClusterAddOn/bm/cluster-proxy', 'Available', {
        status: 'False',
        reason: 'ManagedClusterAddOnLeaseUpdateStopped',
        lastTransitionTime: before(p, 15 * MINUTE),
      })
      failed(
        p,
        'failed to discover server resources for group version v1: Get "https://cluster-proxy-addon-user.multicluster-engine.svc.cluster.local:9092/bm/api/v1": dial tcp 172.30.0.9:9092: connect: connection refused',
      )
    },
    root: 'FLT0901 bm/ManagedClusterAddOn/cluster-proxy',
    explains: ['FLT0513'],
  },
  {
    story: 'the token has expired, and a sync was refused',
    change: p => {
      const msa = 'hub/ManagedServiceAccount/bm/application-manager'
      p.set(msa, ['status', 'expirationTimestamp'], before(p, 60 * MINUTE))
      failed(p, 'failed to discover server resources for group version v1: Unauthorized')
    },
    root: 'FLT0214 bm/ManagedServiceAccount/application-manager',
    explains: ['FLT0513'],
  },
  {
    story: 'the URL in a cluster secret was changed under an Application',
    change: p => {
      p.set(SECRET, ['data', 'server'], base64('https://api.bm.example.test:6443'))
      told(
        p,
        'InvalidSpecError',
        'application destination spec is invalid: error getting cluster by server "https://cluster-proxy-addon-user.multicluster-engine.svc.cluster.local:9092/bm": rpc error: code = NotFound',
      )
    },
    root: `FLT0406 ${NAMESPACE}/Application/baseline-bm`,
    explains: ['FLT0513', 'FLT0317'],
  },
  {
    story: 'an old cluster secret has the same name',
    change: p => {
      const old = structuredClone(p.edit(SECRET)) as { metadata: RawObject; data: RawObject }
      Object.assign(old.metadata, { name: 'bm-old', uid: 'bm-old' })
      old.data.server = base64('https://api.bm.example.test:6443')
      p.add('hub', 'Secret', old)
      p.set(APP, ['spec', 'destination'], { name: 'bm', namespace: 'default' })
      told(
        p,
        'InvalidSpecError',
        'application destination spec is invalid: unable to find destination server: there are 2 clusters with the same name: [https://api.bm.example.test:6443 https://cluster-proxy-addon-user.multicluster-engine.svc.cluster.local:9092/bm]',
      )
    },
    root: `FLT0215 ${NAMESPACE}/Secret/bm-application-manager-cluster-secret`,
    explains: ['FLT0513'],
  },
  {
    story: 'the kind in the ConfigMap is no plural, which the controller calls forbidden',
    change: p => {
      p.set(CONFIG_MAP, ['data', 'kind'], 'PlacementDecision')
      errorOf(
        p,
        'ApplicationGenerationFromParamsError',
        'failed to get dynamic resources: placementdecision.cluster.open-cluster-management.io is forbidden: User "system:serviceaccount:openshift-gitops:openshift-gitops-applicationset-controller" cannot list resource "placementdecision" in API group "cluster.open-cluster-management.io" in the namespace "openshift-gitops"',
      )
    },
    root: `FLT0208 ${NAMESPACE}/ConfigMap/acm-placement`,
    explains: ['FLT0302'],
  },
  {
    story: 'a template gives every Application one name',
    change: p => {
      p.set(SET, ['spec', 'template', 'metadata', 'name'], 'baseline')
      errorOf(
        p,
        'ApplicationValidationError',
        'ApplicationSet node-baseline contains applications with duplicate name: baseline',
      )
    },
    root: `FLT0307 ${NAMESPACE}/ApplicationSet/node-baseline`,
    explains: ['FLT0302'],
  },
  {
    story: 'the cluster secret of an agent was deleted, and its Application names the cluster',
    fleet: 'agent-healthy',
    change: p => p.remove(`hub/Secret/${NAMESPACE}/cluster-bm`),
    root: `FLT0213 ${NAMESPACE}/Secret/cluster-bm`,
    explains: ['FLT0414'],
  },
  {
    story: 'the binding in the namespace of a team was deleted before its pull Application was propagated',
    fleet: 'pull-standalone-healthy',
    change: p => {
      p.remove('hub/ManagedClusterSetBinding/kiosk-team/production')
      p.set('hub/PlacementDecision/kiosk-team/kiosk-stores-decision-1', ['status', 'decisions'], [])
      setCondition(p, 'hub/Placement/kiosk-team/kiosk-stores', 'PlacementSatisfied', {
        status: 'False',
        reason: 'NoManagedClusterSetBindings',
        message: 'No valid ManagedClusterSetBindings found in placement namespace',
      })
      p.removeAll(o => o.kind === 'ManifestWork' && String((o.raw.metadata as RawObject).name).startsWith('kiosk-'))
      p.removeAll(
        o => o.cluster !== 'hub' && o.kind === 'Application' && (o.raw.metadata as RawObject).name === 'kiosk',
      )
    },
    root: 'FLT0102 kiosk-team/ManagedClusterSetBinding/production',
    explains: ['FLT0105'],
  },
]

test.each(STORIES)('$story', async ({ fleet: name = 'push-healthy', change, root, explains }) => {
  const fleet = await recorded(name)
  const known = new Set((await runDoctor(fleet)).findings.map(f => f.fingerprint))
  const { findings } = await runDoctor(patchedFleet(fleet, change))
  const errors = findings.filter(f => f.severity === 'error' && !known.has(f.fingerprint))
  expect(errors.map(f => `${f.code} ${subjectText(f.subject)}`)).toEqual([root])
  expect(errors[0]?.explains.map(f => f.code)).toEqual(explains)
})
