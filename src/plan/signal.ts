import type { Subject } from '../fleet/subject.ts'

/** What a plan waits for between two steps, as data: evaluated again and again on the hub until it holds. */
export type Signal =
  /** The Placement's decisions hold all of these clusters. */
  | {
      readonly signal: 'decided'
      readonly namespace: string
      readonly placement: string
      readonly clusters: readonly string[]
    }
  /** The Placement's decisions hold none of these clusters. */
  | {
      readonly signal: 'undecided'
      readonly namespace: string
      readonly placement: string
      readonly clusters: readonly string[]
    }
  /** The GitOpsCluster is Ready and has registered all of these clusters. */
  | {
      readonly signal: 'registered'
      readonly namespace: string
      readonly name: string
      readonly clusters: readonly string[]
    }
  /** A condition of an object has this status. */
  | { readonly signal: 'condition'; readonly subject: Subject; readonly type: string; readonly status: string }
  | { readonly signal: 'exists'; readonly subject: Subject }
  | { readonly signal: 'gone'; readonly subject: Subject }
  /** The object that was deleted is gone; a new one of its name may have been made. */
  | { readonly signal: 'deleted'; readonly subject: Subject }
  /** None of the Applications is there. */
  | { readonly signal: 'none-of'; readonly namespace: string; readonly applications: readonly string[] }
  /** There is a new object of the name, made since the one with this uid. */
  | { readonly signal: 'renewed'; readonly subject: Subject; readonly uid: string }
  /** A Deployment or StatefulSet runs its newest template on all replicas, and the template holds the text, if one is given. */
  | { readonly signal: 'rolled-out'; readonly subject: Subject; readonly mentions: string }
  /** A Route has a host, and no router refuses it. */
  | { readonly signal: 'routed'; readonly subject: Subject }
  /** The add-on is Available on all of these clusters. */
  | { readonly signal: 'addon'; readonly addon: string; readonly clusters: readonly string[] }
  /** The Policy is compliant on all of these clusters. */
  | {
      readonly signal: 'compliant'
      readonly namespace: string
      readonly policy: string
      readonly clusters: readonly string[]
    }
  /** These Applications of the hub are there, Synced and, as far as the model reports it, Healthy. */
  | { readonly signal: 'synced'; readonly namespace: string; readonly applications: readonly string[] }
  /** These are Synced, too, and it was an agent that said so (agent-mode.md 4.6). */
  | { readonly signal: 'reported'; readonly namespace: string; readonly applications: readonly string[] }

const names = (list: readonly string[]): string => (list.length === 0 ? 'no cluster' : list.join(', '))

const named = ({ kind, namespace, name }: Subject): string =>
  `${kind} ${namespace === '' ? '' : `${namespace}/`}${name}`

/** What is awaited, in words, after "until". */
export function signalText(signal: Signal): string {
  switch (signal.signal) {
    case 'decided':
      return `Placement ${signal.namespace}/${signal.placement} decides on ${names(signal.clusters)}`
    case 'undecided':
      return `Placement ${signal.namespace}/${signal.placement} no longer decides on ${names(signal.clusters)}`
    case 'registered':
      return `GitOpsCluster ${signal.namespace}/${signal.name} has registered ${names(signal.clusters)}`
    case 'condition':
      return `${named(signal.subject)} has condition ${signal.type}=${signal.status}`
    case 'exists':
      return `${named(signal.subject)} exists`
    case 'gone':
    case 'deleted':
      return `${named(signal.subject)} is gone`
    case 'none-of':
      return `Applications ${signal.applications.join(', ')} in ${signal.namespace} are gone`
    case 'renewed':
      return `${named(signal.subject)} is made anew`
    case 'rolled-out':
      return `${named(signal.subject)} is rolled out${signal.mentions === '' ? '' : ` with ${signal.mentions}`}`
    case 'routed':
      return `${named(signal.subject)} has a host`
    case 'addon':
      return `add-on ${signal.addon} is Available on ${names(signal.clusters)}`
    case 'reported':
      return `agents report Applications ${signal.applications.join(', ')} in ${signal.namespace} as Synced`
    case 'compliant':
      return `Policy ${signal.namespace}/${signal.policy} is compliant on ${names(signal.clusters)}`
    case 'synced':
      return `Applications ${signal.applications.join(', ')} in ${signal.namespace} are Synced`
  }
}
