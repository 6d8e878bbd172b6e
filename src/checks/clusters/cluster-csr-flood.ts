import { OCM_ADDON_NAME, OCM_CLUSTER_NAME } from '../../fleet/labels.ts'
import { groupBy } from '../../fleet/maps.ts'
import { subject } from '../../fleet/subject.ts'
import type { Check } from '../check.ts'
import { ago, fact, MINUTE, olderThan } from '../support.ts'

/** Signer of the client certificates by which a cluster registers. */
const SIGNER = 'kubernetes.io/kube-apiserver-client'
const WINDOW = 10 * MINUTE
/** One for the registration and one for each add-on come together at a join; the same kind again and again does not. */
const MANY = 6

export const clusterCsrFlood: Check = {
  code: 'FLT0010',
  slug: 'cluster-csr-flood',
  title: 'No cluster asks for a new client certificate again and again',
  severity: 'warning',
  category: 'clusters',
  models: ['push', 'pull', 'agent'],
  needs: { hub: ['CertificateSigningRequest'] },
  docs: {
    why: "A registration agent asks for a certificate once, and again shortly before that one expires. Many requests within minutes mean that two agents of one cluster overwrite each other's secret `hub-kubeconfig-secret` (seen on single-node clusters with two pods of different settings), or that one cannot store what it gets.",
    remedy: 'On the cluster delete the older agent pod, and update the klusterlet.',
    sources: ['failures in the field A-6'],
  },
  *run(fleet) {
    const recent = fleet.hub
      .of('CertificateSigningRequest')
      .all.filter(
        csr =>
          csr.signer === SIGNER &&
          csr.meta.labels[OCM_ADDON_NAME] === undefined &&
          csr.meta.labels[OCM_CLUSTER_NAME] !== undefined &&
          csr.meta.created !== undefined &&
          !olderThan(fleet.now, csr.meta.created, WINDOW),
      )
    for (const [cluster, list] of groupBy(recent, csr => csr.meta.labels[OCM_CLUSTER_NAME] ?? '')) {
      if (list.length < MANY) continue
      yield {
        subject: subject('hub', 'ManagedCluster', '', cluster),
        message: `Cluster "${cluster}" has asked for ${list.length} client certificates within 10 minutes.`,
        evidence: list
          .slice(0, 5)
          .map(csr => fact(csr, '.metadata.creationTimestamp', ago(fleet.now, csr.meta.created))),
        effect: 'its agents lose their connection to the hub again and again',
        fix: `on ${cluster}: oc -n open-cluster-management-agent get pods; delete the older of two agent pods`,
        clusters: [cluster],
        breaks: false,
      }
    }
  },
}
