import { listed } from '../../bootstrap/names.ts'
import { isHandedOut } from '../../checks/agent/project-excludes-agent.ts'
import { applications } from '../../fleet/joins/applications.ts'
import { frozenWithout, keyOf } from '../frozen.ts'
import { unseen } from '../hub.ts'
import { failed, ifSeen, ofClusters, ok, type PreconditionCheck, unknown } from './precondition.ts'

/** P7 and P8. */
const noneFreezes: PreconditionCheck = {
  code: 'none-freezes',
  title: 'no Application needs the controller of the hub',
  weight: 'blocks',
  judge({ fleet, argoNamespace, argo, setup }) {
    if (setup !== 'documented') return ok(`with --setup ${setup} the controller of the hub goes on`)
    const frozen = frozenWithout(fleet, argoNamespace, argo?.controllerEnabled ?? true)
    const gap = unseen(fleet.hub, 'Application', 'Secret')
    if (frozen.length > 0) {
      return failed(
        `Applications of ${argoNamespace}: ${listed(frozen.map(keyOf))}`,
        'choose --setup hybrid or dedicated, give them to agents first, or name them with --accept-frozen',
      )
    }
    return gap === undefined ? ok(`no Application of ${argoNamespace} is pushed or deployed to the hub`) : unknown(gap)
  },
}

/** P9. */
const finalizers: PreconditionCheck = {
  code: 'no-stuck-deletion',
  title: 'no Application that freezes has a finalizer',
  weight: 'warns',
  judge({ fleet, argoNamespace, argo, setup }) {
    if (setup !== 'documented') return ok('the controller goes on and handles them')
    const held = frozenWithout(fleet, argoNamespace, argo?.controllerEnabled ?? true).filter(f => f.hasFinalizer)
    if (held.length > 0) {
      return failed(
        listed(held.map(keyOf)),
        'do not delete them while the controller is off: they would wait for it for ever',
      )
    }
    return ifSeen(fleet.hub, ['Application'], () => ok('none of them has resources-finalizer.argocd.argoproj.io'))
  },
}

/** P17: the plan mends it for the project of the new Applications; others are told. */
const projects: PreconditionCheck = {
  code: 'projects-match',
  title: 'every AppProject in use matches the agents',
  weight: 'warns',
  judge: hub =>
    ofClusters(hub, () =>
      ifSeen(hub.fleet.hub, ['AppProject', 'Application'], () => {
        const { fleet, agentNamespace, clusters } = hub
        const used = new Set(
          fleet
            .join(applications)
            .all.filter(l => l.argoNamespace === agentNamespace && clusters.includes(l.cluster))
            .map(l => l.app.project || 'default'),
        )
        const bad = fleet.hub
          .of('AppProject')
          .in(agentNamespace)
          .filter(p => used.has(p.meta.name) || p.meta.name === 'default')
          .filter(p => clusters.some(cluster => !isHandedOut(fleet, p, cluster)))
          .map(p => p.meta.name)
        return bad.length === 0
          ? ok('their destinations match the name of every chosen cluster')
          : failed(
              `AppProject ${listed(bad)}`,
              "the principal keeps them from the agents: add a destination with name '*', server '*', namespace '*', and for agents before 0.9 sourceNamespaces '*'",
            )
      }),
    ),
}

/** P20. */
const unshared: PreconditionCheck = {
  code: 'clusters-not-pushed-to',
  title: 'no Application is pushed to a cluster that gets an agent',
  weight: 'blocks',
  judge: hub =>
    ofClusters(hub, () =>
      ifSeen(hub.fleet.hub, ['Application', 'Secret'], () => {
        const pushed = hub.fleet
          .join(applications)
          .all.filter(
            l =>
              l.argoNamespace === hub.agentNamespace &&
              hub.clusters.includes(l.cluster) &&
              (l.model === 'push' || l.model === 'unknown'),
          )
        return pushed.length === 0
          ? ok('none is')
          : failed(
              listed(pushed.map(l => `${l.key} to ${l.cluster}`)),
              'push and agent secrets have the same name, and Argo CD refuses both: give the Applications to the agent first ("agent appset"), or choose other clusters',
            )
      }),
    ),
}

/** P27. */
const notPulled: PreconditionCheck = {
  code: 'clusters-not-pulled-to',
  title: 'no pull Application goes to a cluster that gets an agent',
  weight: 'blocks',
  judge: hub =>
    ofClusters(hub, () =>
      ifSeen(hub.fleet.hub, ['Application'], () => {
        const pulled = hub.fleet
          .join(applications)
          .all.filter(l => l.model === 'pull' && hub.clusters.includes(l.cluster))
        return pulled.length === 0
          ? ok('none does')
          : failed(
              listed(pulled.map(l => `${l.key} on ${l.cluster}`)),
              'ManifestWork and agent would both own the Application there: remove or move them first',
            )
      }),
    ),
}

export const APPLICATION_CHECKS: readonly PreconditionCheck[] = [noneFreezes, finalizers, projects, unshared, notPulled]
