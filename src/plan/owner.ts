import { isObject, type RawObject, textAt, valueAt } from '../raw.ts'
import { managerNames } from './managed-fields.ts'

/** Somebody who puts an object back to what they want: a change beside them does not last. */
export interface GitOpsOwner {
  readonly by: 'argocd' | 'flux' | 'helm' | 'subscription' | 'policy' | 'controller'
  /** Who it is, e.g. `Argo CD Application "platform"`. */
  readonly text: string
}

const label = (object: RawObject, name: string): string => textAt(object, 'metadata', 'labels', name)
const annotation = (object: RawObject, name: string): string => textAt(object, 'metadata', 'annotations', name)

/** Field managers of tools that come back. */
const MANAGERS: Readonly<Record<string, GitOpsOwner>> = {
  'argocd-controller': { by: 'argocd', text: 'an Argo CD Application' },
  'argocd-application-controller': { by: 'argocd', text: 'an Argo CD Application' },
  'kustomize-controller': { by: 'flux', text: 'a Flux Kustomization' },
  'helm-controller': { by: 'flux', text: 'a Flux HelmRelease' },
  'config-policy-controller': { by: 'policy', text: 'a Policy' },
  'multicluster-operators-subscription': { by: 'subscription', text: 'an ACM Subscription' },
}

/** Kinds that Argo CD's controllers themselves write on the hub: their hand on them is no sign of Git. */
const ARGO_OWN = new Set(['AppProject', 'Application'])

function argoOwner(object: RawObject): GitOpsOwner | undefined {
  // `app:group/kind:namespace/name`; an Application outside Argo CD's namespace is `namespace_name`.
  const tracked = annotation(object, 'argocd.argoproj.io/tracking-id').split(':')[0] ?? ''
  const name = tracked || label(object, 'argocd.argoproj.io/instance')
  return name === '' ? undefined : { by: 'argocd', text: `Argo CD Application "${name}"` }
}

function markedOwner(object: RawObject): GitOpsOwner | undefined {
  const flux = label(object, 'kustomize.toolkit.fluxcd.io/name')
  if (flux !== '') return { by: 'flux', text: `Flux Kustomization "${flux}"` }
  const release = label(object, 'helm.toolkit.fluxcd.io/name')
  if (release !== '') return { by: 'flux', text: `Flux HelmRelease "${release}"` }
  const subscription = annotation(object, 'apps.open-cluster-management.io/hosting-subscription')
  if (subscription !== '') return { by: 'subscription', text: `ACM Subscription "${subscription}"` }
  if (label(object, 'app.kubernetes.io/managed-by') === 'Helm') {
    const helm = annotation(object, 'meta.helm.sh/release-name')
    return { by: 'helm', text: helm === '' ? 'a Helm release' : `Helm release "${helm}"` }
  }
  return undefined
}

function controllerOwner(object: RawObject): GitOpsOwner | undefined {
  const owners = valueAt(object, 'metadata', 'ownerReferences')
  const owner = (Array.isArray(owners) ? owners : []).find(o => isObject(o) && o.controller === true)
  return owner === undefined
    ? undefined
    : { by: 'controller', text: `${textAt(owner, 'kind')} "${textAt(owner, 'name')}"` }
}

/**
 * Who keeps an object as it is in Git or in another object: by tracking marks, owner references, and the hand of a GitOps
 * tool in its fields. Undefined where nothing tells.
 */
export function gitOpsOwner(object: RawObject): GitOpsOwner | undefined {
  const marked = argoOwner(object) ?? markedOwner(object) ?? controllerOwner(object)
  if (marked !== undefined || ARGO_OWN.has(textAt(object, 'kind'))) return marked
  return managerNames(object)
    .map(name => MANAGERS[name])
    .find(owner => owner !== undefined)
}
