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
  /** The Policy is compliant on all of these clusters. */
  | {
      readonly signal: 'compliant'
      readonly namespace: string
      readonly policy: string
      readonly clusters: readonly string[]
    }
  /** These Applications of the hub are there, Synced and, as far as the model reports it, Healthy. */
  | { readonly signal: 'synced'; readonly namespace: string; readonly applications: readonly string[] }

const names = (list: readonly string[]): string => (list.length === 0 ? 'no cluster' : list.join(', '))

/** What is awaited, in words, after "until". */
export function signalText(signal: Signal): string {
  switch (signal.signal) {
    case 'decided':
      return `Placement ${signal.namespace}/${signal.placement} decides on ${names(signal.clusters)}`
    case 'registered':
      return `GitOpsCluster ${signal.namespace}/${signal.name} has registered ${names(signal.clusters)}`
    case 'condition': {
      const { kind, namespace, name } = signal.subject
      return `${kind} ${namespace === '' ? '' : `${namespace}/`}${name} has condition ${signal.type}=${signal.status}`
    }
    case 'exists': {
      const { kind, namespace, name } = signal.subject
      return `${kind} ${namespace === '' ? '' : `${namespace}/`}${name} exists`
    }
    case 'compliant':
      return `Policy ${signal.namespace}/${signal.policy} is compliant on ${names(signal.clusters)}`
    case 'synced':
      return `Applications ${signal.applications.join(', ')} in ${signal.namespace} are Synced`
  }
}
