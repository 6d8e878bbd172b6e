import type { Check } from '../check.ts'
import { fact, names } from '../support.ts'
import { compareVersions, gitopsVersion } from './operator-support.ts'

export const operatorVersionSkew: Check = {
  code: 'FLT0911',
  slug: 'operator-version-skew',
  title: 'OpenShift GitOps on the hub is as new as on the spokes',
  severity: 'warning',
  category: 'addons',
  models: ['pull', 'agent'],
  needs: { hub: ['ClusterServiceVersion'], spoke: ['ClusterServiceVersion'] },
  docs: {
    why: 'The hub must run the version of its spokes or a newer one. When spokes were updated first, Applications that are rendered or validated on the hub lack what the spokes know, and agents are refused by a principal of another version. Nothing in the product compares the two.',
    remedy: 'Update the hub first. With channel `latest` and automatic approval on the spokes pin the channel there.',
    sources: ['push-pull 3', 'failures in the field L-3'],
  },
  *run(fleet) {
    const hub = gitopsVersion(fleet.hub)
    if (hub === undefined) return
    const newer = [...fleet.spokes].flatMap(([cluster, view]) => {
      const csv = gitopsVersion(view)
      return csv !== undefined && compareVersions(csv.version, hub.version) > 0 ? [{ cluster, csv }] : []
    })
    if (newer.length === 0) return
    yield {
      subject: hub.subject,
      message: `OpenShift GitOps is ${hub.version} on the hub and newer on ${names(newer.map(n => `${n.cluster} (${n.csv.version})`))}.`,
      evidence: [
        fact(hub, '.spec.version', hub.version),
        ...newer.slice(0, 6).map(n => fact(n.csv, '.spec.version', n.csv.version)),
      ],
      effect: 'fields that only the spokes know are lost or refused; agents may be cut off',
      fix: 'update OpenShift GitOps on the hub',
      clusters: newer.map(n => n.cluster),
      breaks: false,
      through: [],
    }
  },
}
