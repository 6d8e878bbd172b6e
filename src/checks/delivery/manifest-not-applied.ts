import { condition } from '../../fleet/joins/clusters.ts'
import { works } from '../../fleet/joins/works.ts'
import type { ManifestStatus, ManifestWork } from '../../fleet/records.ts'
import { missing, type Subject, subject } from '../../fleet/subject.ts'
import type { Check } from '../check.ts'
import { conditionFact, fact } from '../support.ts'
import { clusterCauses } from './pull-support.ts'

/** Message of the apply step where the spoke has no such kind (push-pull.md 1.11). */
const NO_KIND = /the server doesn't have a resource type "([^"]+)"|no matches for kind "([^"]+)"/

const CRDS: Readonly<Record<string, string>> = {
  Application: 'applications.argoproj.io',
  AppProject: 'appprojects.argoproj.io',
  ArgoCD: 'argocds.argoproj.io',
}

interface Reading {
  readonly subject: Subject
  readonly text: string
  readonly fix: string
}

function read(work: ManifestWork, manifest: ManifestStatus, message: string): Reading {
  const cluster = work.meta.namespace
  const kind = NO_KIND.exec(message)
    ?.slice(1)
    .find(k => k !== undefined)
  const crd = kind === undefined ? undefined : CRDS[kind]
  if (crd !== undefined) {
    return {
      subject: missing(subject(cluster, 'CustomResourceDefinition', '', crd)),
      text: `cluster "${cluster}" does not know kind ${kind}: Argo CD (OpenShift GitOps) is not installed there`,
      fix: `install OpenShift GitOps on ${cluster} (policy or GitOps add-on)`,
    }
  }
  const what = `${manifest.kind} ${manifest.namespace === '' ? '' : `${manifest.namespace}/`}${manifest.name}`
  const fix = message.includes('being terminated')
    ? `wait until namespace ${manifest.namespace} is gone on ${cluster}, or finish its deletion`
    : message.includes('is forbidden')
      ? `give the work agent of ${cluster} rights on ${manifest.group || 'core'}/${manifest.kind} (ClusterRole labelled open-cluster-management.io/aggregate-to-work: "true")`
      : message.includes('not found')
        ? `create what is missing on ${cluster}`
        : 'mend what the message names'
  return {
    subject: work.subject,
    text: `cluster "${cluster}" refuses ${what}: ${message.replace(/^Failed to apply manifest: /, '')}`,
    fix,
  }
}

export const manifestNotApplied: Check = {
  code: 'FLT0605',
  slug: 'manifest-not-applied',
  title: 'Every manifest of a ManifestWork could be applied on its cluster',
  severity: 'error',
  category: 'delivery',
  models: ['pull', 'agent'],
  needs: { hub: ['ManifestWork'] },
  uses: { hub: ['ManagedCluster'] },
  docs: {
    why: 'The condition of the work only says "Failed to apply manifest work"; the reason stands per manifest. Report and hub Application show Unknown, or even the values of before, without any reason. Without Argo CD on the spoke the manifest entry has an empty resource name, so a search by resource misses it.',
    remedy:
      'Read the condition `Applied` of the manifest: install what is missing, give the work agent the right, or repair the namespace that is terminating.',
    sources: ['push-pull 1.11, 1.13', 'seen on running controllers: 1.11'],
  },
  *run(fleet) {
    const pull = new Set(fleet.join(works).all.map(w => w.work))
    for (const work of fleet.hub.of('ManifestWork').all) {
      if (condition(work, 'Applied')?.status !== 'False' || work.meta.deleting !== undefined) continue
      const bad = work.manifestStatuses.filter(m => condition(m, 'Applied')?.status === 'False')
      const first = bad.find(m => m.kind === 'Application') ?? bad[0]
      const message = first === undefined ? '' : (condition(first, 'Applied')?.message ?? '')
      const reading =
        first === undefined
          ? {
              subject: work.subject,
              text: `ManifestWork "${work.meta.name}" of cluster "${work.meta.namespace}" could not be applied`,
              fix: 'read the log of the work agent',
            }
          : read(work, first, message)
      yield {
        subject: reading.subject,
        severity: pull.has(work) ? 'error' : 'warning',
        message: `${reading.text}.`,
        evidence: [
          conditionFact(work, 'Applied'),
          ...bad
            .slice(0, 5)
            .map(m =>
              fact(
                work,
                `.status.resourceStatus.manifests[${m.kind} ${m.name}].conditions[Applied]`,
                condition(m, 'Applied')?.message ?? '',
              ),
            ),
        ],
        effect:
          'the content of the ManifestWork is not on the cluster; report and hub Application say Unknown, or what was before',
        fix: reading.fix,
        because: clusterCauses(work.meta.namespace),
        through: [work.subject],
        clusters: [work.meta.namespace],
      }
    }
  },
}
