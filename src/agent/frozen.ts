import { isDnsLabel } from '../bootstrap/names.ts'
import type { Fleet } from '../fleet/fleet.ts'
import { type AppLink, applications, skipsReconcile } from '../fleet/joins/applications.ts'
import { RESOURCES_FINALIZER } from '../fleet/labels.ts'
import type { Subject } from '../fleet/subject.ts'

/** An Application that the hub's own controller deploys, and that stands still without it. */
export interface FrozenApplication {
  readonly subject: Subject
  /** `push` to another cluster, `local` to the hub itself, `unknown` where no secret has its destination. */
  readonly model: 'push' | 'local' | 'unknown'
  /** ManagedCluster that it deploys to; empty where that is not known. */
  readonly cluster: string
  /** `namespace/name` of the ApplicationSet that makes it; empty for one that was made alone. */
  readonly applicationSet: string
  /** How it can live on without the hub's controller. */
  readonly otherWay: {
    readonly by: 'agent' | 'controller'
    readonly text: string
  }
  /** Its deletion would wait for ever for the controller. */
  readonly hasFinalizer: boolean
  /** The controller is off today: it is frozen already. */
  readonly already: boolean
}

function otherWay({ model, cluster, appSet }: AppLink): FrozenApplication['otherWay'] {
  const controller = 'a controller of the hub: --setup hybrid or dedicated'
  if (model === 'local') return { by: 'controller', text: `it deploys to the hub itself and needs ${controller}` }
  if (cluster === '' || !isDnsLabel(cluster)) return { by: 'controller', text: `only ${controller}` }
  const how =
    appSet === undefined
      ? `destination.name: ${cluster}`
      : `fleetctl agent appset ${appSet.appSet.meta.namespace}/${appSet.appSet.meta.name}`
  return { by: 'agent', text: `an agent on ${cluster} (${how}), or ${controller}` }
}

/**
 * Applications of an Argo CD that its own controller reconciles. What an agent or a ManifestWork carries is not among them,
 * nor what is told to skip reconciliation (agent-mode.md 2.1 P7 and P8, 2.6).
 */
export function frozenWithout(
  fleet: Fleet,
  argoNamespace: string,
  controllerEnabled: boolean,
): readonly FrozenApplication[] {
  return fleet
    .join(applications)
    .all.flatMap((link): FrozenApplication[] => {
      const { app, model, cluster, appSet } = link
      if (link.argoNamespace !== argoNamespace || skipsReconcile(app)) return []
      if (model !== 'push' && model !== 'local' && model !== 'unknown') return []
      return [
        {
          subject: app.subject,
          model,
          cluster,
          applicationSet: appSet === undefined ? '' : `${appSet.appSet.meta.namespace}/${appSet.appSet.meta.name}`,
          otherWay: otherWay(link),
          hasFinalizer: app.meta.finalizers.some(f => f.startsWith(RESOURCES_FINALIZER)),
          already: !controllerEnabled,
        },
      ]
    })
    .sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1))
}

/** `namespace/name`, by which `--accept-frozen` names it. */
export function keyOf({ subject }: Pick<FrozenApplication, 'subject'>): string {
  return `${subject.namespace}/${subject.name}`
}

/** What a list of names lacks, and what it has too much: it is accepted only when it names exactly these Applications. */
interface Accepted {
  readonly isExact: boolean
  readonly lacks: readonly string[]
  readonly tooMuch: readonly string[]
}

/**
 * Holds names that a user accepted against the Applications that they are about.
 *
 * @param named `namespace/name`, or a name alone for one in `home`
 */
export function compareAccepted(named: readonly string[], keys: readonly string[], home: string): Accepted {
  const full = new Set(named.map(name => (name.includes('/') ? name : `${home}/${name}`)))
  const wanted = new Set(keys)
  const lacks = keys.filter(key => !full.has(key))
  const tooMuch = [...full].filter(key => !wanted.has(key)).sort()
  return { isExact: lacks.length === 0 && tooMuch.length === 0, lacks, tooMuch }
}
