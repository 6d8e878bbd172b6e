import { isObject } from '../../../src/raw.ts'
import type { Patch } from '../../support/patch.ts'
import { type Case, MINUTE } from './case.ts'

const NAMESPACE = 'openshift-gitops'
const BASELINE = `hub/Application/${NAMESPACE}/baseline-bm`

/** What Argo CD says of an Application. */
function says(patch: Patch, ref: string, sync: string, health: string): void {
  patch.set(ref, ['status', 'sync', 'status'], sync)
  patch.set(ref, ['status', 'health'], { status: health })
}

/** What a ManifestWork was fed back of its Application, from a spoke that was not read. */
function feeds(patch: Patch, cluster: string, work: string, values: Readonly<Record<string, string>>): void {
  patch.forget(cluster)
  const { status } = patch.edit(`hub/ManifestWork/${cluster}/${work}`)
  const change = (value: unknown): void => {
    if (Array.isArray(value)) value.forEach(change)
    else if (isObject(value)) {
      const to = values[String(value.name)]
      if (to !== undefined && isObject(value.fieldValue)) value.fieldValue.string = to
      else Object.values(value).forEach(change)
    }
  }
  change(status)
}

/** States of Applications of which no fleet was recorded, each the work of the application controller alone. */
export const STATE_CASES: readonly Case[] = [
  {
    slug: 'app-state-unknown',
    fleet: 'push-healthy',
    fault: 'the health check of a resource fails itself',
    change: p => {
      says(p, BASELINE, 'Synced', 'Unknown')
      p.later(MINUTE)
    },
    subject: `${NAMESPACE}/Application/baseline-bm`,
    severity: 'warning',
    says: /has health Unknown, and no condition says why/,
  },
  {
    slug: 'app-state-unknown',
    fleet: 'push-healthy',
    fault: 'a comparison could not be made',
    change: p => {
      says(p, BASELINE, 'Unknown', 'Healthy')
      p.later(MINUTE)
    },
    subject: `${NAMESPACE}/Application/baseline-bm`,
    severity: 'error',
    says: /has sync Unknown, and no condition says why/,
  },
  {
    slug: 'workload-unhealthy',
    fleet: 'push-healthy',
    fault: 'what runs is broken, and is not what Git says either',
    change: p => {
      says(p, BASELINE, 'OutOfSync', 'Degraded')
      p.later(10 * MINUTE)
    },
    subject: `${NAMESPACE}/Application/baseline-bm`,
    severity: 'error',
    says: /is Degraded and OutOfSync/,
  },
  {
    slug: 'out-of-sync',
    fleet: 'push-healthy',
    fault: 'somebody deleted resources on the cluster, and nothing heals them',
    change: p => {
      says(p, BASELINE, 'OutOfSync', 'Missing')
      p.later(10 * MINUTE)
    },
    subject: `${NAMESPACE}/Application/baseline-bm`,
    severity: 'error',
    says: /OutOfSync for some time with resources that are missing/,
  },
  {
    slug: 'spoke-reports-trouble',
    fleet: 'pull-healthy',
    fault: 'a spoke that was not read does not know the health of its workload',
    change: p => {
      feeds(p, 'bm', 'branding-bm-49ce0', { healthStatus: 'Unknown' })
      p.later(2 * MINUTE)
    },
    subject: `${NAMESPACE}/Application/branding-bm on bm`,
    severity: 'warning',
    says: /nobody knows whether its workload is well/,
  },
  {
    slug: 'spoke-reports-trouble',
    fleet: 'pull-healthy',
    fault: 'on a spoke that was not read a new object waits for a sync by hand',
    change: p => {
      p.unset(`hub/Application/${NAMESPACE}/branding-bm`, ['spec', 'syncPolicy', 'automated'])
      feeds(p, 'bm', 'branding-bm-49ce0', { healthStatus: 'Missing', syncStatus: 'OutOfSync' })
      p.later(2 * MINUTE)
    },
    subject: `${NAMESPACE}/Application/branding-bm on bm`,
    severity: 'warning',
    says: /it stays OutOfSync/,
  },
]
