import { inputsOf } from '../../fleet/fleet.ts'
import { applications } from '../../fleet/joins/applications.ts'
import { clusters } from '../../fleet/joins/clusters.ts'
import { flavour } from '../../fleet/joins/flavour.ts'
import { selection } from '../../fleet/joins/selection.ts'
import { works } from '../../fleet/joins/works.ts'
import { subject } from '../../fleet/subject.ts'
import type { Check } from '../check.ts'
import { fact, names } from '../support.ts'

export const pullNotDecided: Check = {
  code: 'FLT0402',
  slug: 'pull-not-decided',
  title: 'A PlacementDecision in the namespace of every pull Application lists its cluster',
  severity: 'error',
  category: 'applications',
  models: ['pull'],
  needs: { hub: ['Application', 'PlacementDecision', 'ManagedCluster', 'ManifestWork'] },
  uses: inputsOf(applications, flavour),
  whole: { hub: ['PlacementDecision'] },
  docs: {
    why: "ACM propagates an Application only if a PlacementDecision in the Application's own namespace lists the target cluster. Otherwise it is rejected with a log line, and not tried again until the Application changes. Upstream OCM has no such gate.",
    remedy:
      'Create a ManagedClusterSetBinding and a Placement that selects the cluster in the namespace of the Application, then touch the Application (an annotation will do).',
    sources: ['push-pull 1.10 (7)'],
  },
  notApplicable: fleet => (fleet.join(flavour) === 'acm' ? undefined : 'the hub is not ACM: there is no such gate'),
  *run(fleet) {
    const { decidedIn } = fleet.join(selection)
    const managed = fleet.join(clusters).byName
    const { byApp } = fleet.join(works)
    for (const link of fleet.join(applications).all) {
      const { app, cluster } = link
      const { namespace, name } = app.meta
      if (!link.pullComplete || app.meta.deleting !== undefined || !managed.has(cluster)) continue
      if (decidedIn.get(namespace)?.has(cluster) === true) continue
      const delivered = byApp.has(`${namespace}/${name}`)
      yield {
        subject: app.subject,
        // One that was delivered goes on until it changes; one of an ApplicationSet will be deleted at the next requeue.
        severity: delivered || link.owner !== undefined ? 'warning' : 'error',
        message: `No PlacementDecision in namespace "${namespace}" lists cluster "${cluster}", so pull Application "${name}" is not propagated${delivered ? ' any more' : ''}.`,
        evidence: [
          fact(app, '', `target ${cluster}`),
          fact(app, '', `decided in ${namespace}: ${names([...(decidedIn.get(namespace) ?? [])].sort())}`),
        ],
        effect: delivered
          ? 'changes of the Application do not reach the cluster'
          : 'no ManifestWork is made, and the controller does not try again by itself',
        fix: `create a ManagedClusterSetBinding and a Placement that selects ${cluster} in ${namespace}, then touch the Application`,
        because: [
          { subject: subject('hub', 'ManagedCluster', '', cluster) },
          ...(link.appSet?.generators.flatMap(g => g.placements.map(p => ({ subject: p.placement.subject }))) ?? []),
          ...fleet.hub
            .of('Placement')
            .in(namespace)
            .map(p => ({ subject: p.subject })),
        ],
      }
    }
  },
}
