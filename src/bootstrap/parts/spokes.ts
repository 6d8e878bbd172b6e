import { UsageError } from '../../errors.ts'
import type { Placement } from '../../fleet/records.ts'
import { ADDON_ARGOCD, GITOPS_NAMESPACE, GITOPS_OPERATOR } from '../../fleet/well-known.ts'
import type { Wait, Want } from '../../plan/make-steps.ts'
import { type PredicateInput, placement, type Requirement } from '../../plan/manifests/placement.ts'
import {
  configurationPolicy,
  operatorPolicy,
  type PolicyTemplate,
  placementBinding,
  policy,
} from '../../plan/manifests/policy.ts'
import { clusterRoleBinding, managedByNamespace } from '../../plan/manifests/rbac.ts'
import type { Blueprint } from '../blueprint.ts'
import { checkNamespace, listed } from '../names.ts'
import { bindingPart } from './clusters.ts'
import { homePart } from './namespace.ts'
import { placementInput } from './placement.ts'

const SECTION = 'Argo CD on the clusters'
/** The instances are called so by the operator and by ACM's add-on; their accounts carry the name (push-pull.md 1.12). */
const INSTANCES = { policy: GITOPS_NAMESPACE, addon: ADDON_ARGOCD, none: GITOPS_NAMESPACE }

type Rights = 'cluster-admin' | 'namespaces' | 'none'

/** Rights of the clusters' own Argo CD. Where somebody else installed it, they see to its rights unless asked. */
export function rightsOf({ settings, spokeGitops }: Blueprint): Rights {
  if (settings.spokeRights !== undefined) return settings.spokeRights
  if (settings.managedNamespaces !== undefined) return 'namespaces'
  return spokeGitops === 'none' ? 'none' : 'cluster-admin'
}

/** Namespace of Argo CD on the clusters. @throws UsageError for one where the Argo CD that is installed does not run */
export function spokeNamespace({ settings, hub, spokeGitops }: Blueprint): string {
  const wanted = settings.spokeNamespace
  if (wanted === undefined) return hub.flavour === 'upstream' ? 'argocd' : GITOPS_NAMESPACE
  if (spokeGitops !== 'none' && wanted !== GITOPS_NAMESPACE) {
    throw new UsageError(
      `--spoke-namespace "${wanted}" is for an Argo CD that runs there already (--spoke-gitops none); what is installed runs in ${GITOPS_NAMESPACE}`,
    )
  }
  return checkNamespace(wanted, '--spoke-namespace')
}

function installation(blueprint: Blueprint): readonly PolicyTemplate[] {
  const { settings, hub } = blueprint
  return [
    configurationPolicy(`${GITOPS_OPERATOR}-namespace`, [
      { apiVersion: 'v1', kind: 'Namespace', metadata: { name: GITOPS_OPERATOR } },
    ]),
    operatorPolicy({
      name: GITOPS_OPERATOR,
      namespace: GITOPS_OPERATOR,
      channel: settings.channel ?? (hub.operator.channel || 'latest'),
      source: 'redhat-operators',
      sourceNamespace: 'openshift-marketplace',
    }),
  ]
}

function rights(blueprint: Blueprint): readonly PolicyTemplate[] {
  const { spokeGitops, model, settings } = blueprint
  const namespace = spokeNamespace(blueprint)
  const instance = INSTANCES[spokeGitops]
  const account = `${instance}-argocd-application-controller`
  const granted = rightsOf(blueprint)
  const objects: PolicyTemplate[] = []
  if (model === 'agent' && spokeGitops === 'addon') {
    // The agent reports what it may read (agent-mode.md 2.3, step 8).
    const agent = `${instance}-agent-agent`
    objects.push(clusterRoleBinding(`${agent}-view`, 'view', { namespace, name: agent }))
  }
  if (granted === 'cluster-admin') {
    objects.push(clusterRoleBinding(`${account}-cluster-admin`, 'cluster-admin', { namespace, name: account }))
  }
  if (granted === 'namespaces') {
    const managed = settings.managedNamespaces ?? []
    if (managed.length === 0) {
      throw new UsageError('--spoke-rights namespaces needs --managed-namespaces: the namespaces that Argo CD manages')
    }
    for (const name of managed) {
      objects.push(managedByNamespace(checkNamespace(name, '--managed-namespaces'), namespace))
    }
  }
  return objects.length === 0 ? [] : [configurationPolicy('openshift-gitops-controller-rbac', objects)]
}

function requirementsOf(list: readonly { key: string; operator: string; values: readonly string[] }[]): Requirement[] {
  return list.map(({ key, operator, values }) => ({
    key,
    // What is on the hub has passed the same validation.
    operator: operator as Requirement['operator'],
    ...(values.length === 0 ? {} : { values }),
  }))
}

function predicatesOf({ predicates }: Placement): readonly PredicateInput[] {
  return predicates.map(({ labelSelector, claimExpressions, celExpressions }) => ({
    labels: requirementsOf([
      ...Object.entries(labelSelector?.matchLabels ?? {}).map(([key, v]) => ({ key, operator: 'In', values: [v] })),
      ...(labelSelector?.matchExpressions ?? []),
    ]),
    claims: requirementsOf(claimExpressions),
    cel: celExpressions,
  }))
}

/** A namespace of their own for the policies: with a binding and the same selection as Argo CD's Placement. */
function policyHome(blueprint: Blueprint, namespace: string): readonly Want[] {
  const { hub, set } = blueprint
  const { existing, name } = blueprint.placement
  if (set === undefined) {
    throw new UsageError('--policy-namespace needs --set: the set has to be bound in that namespace, too')
  }
  const input = placementInput(blueprint)
  const predicates = input?.predicates ?? (existing === undefined ? [] : predicatesOf(existing))
  return [
    ...homePart(blueprint, SECTION, namespace, 'home of the policies'),
    ...bindingPart(blueprint, namespace),
    {
      type: 'object',
      section: SECTION,
      manifest: placement(hub.version, {
        ...(input ?? { clusterSets: [set.name] }),
        namespace,
        name,
        ...(predicates.length === 0 ? {} : { predicates }),
      }),
      why: 'selects for the policies what the Placement of Argo CD selects; a policy takes only one of its own namespace',
    },
  ]
}

/** Policies: Argo CD on the clusters (option B of the pull model), and the rights of their controllers. */
export function spokesPart(blueprint: Blueprint, clusters: readonly string[]): readonly (Want | Wait)[] {
  const { hub, spokeGitops, argoNamespace, settings, set, parts } = blueprint
  const installs = spokeGitops === 'policy' && parts.has('spoke-gitops')
  const templates = [...(installs ? installation(blueprint) : []), ...rights(blueprint)]
  if (templates.length === 0) return []
  if (hub.flavour !== 'acm' || !hub.serves('Policy')) {
    throw new UsageError(
      'this hub serves no policies.policy.open-cluster-management.io; give the rights on the clusters yourself and pass --spoke-rights none',
    )
  }
  const namespace = checkNamespace(settings.policyNamespace ?? argoNamespace, '--policy-namespace')
  const home = namespace === argoNamespace ? [] : policyHome(blueprint, namespace)
  const base = set?.name ?? blueprint.placement.name
  const name = `${base}-${installs ? 'spoke-gitops' : 'spoke-rights'}`
  const granted = rightsOf(blueprint)
  const what = [
    ...(installs ? ['OpenShift GitOps'] : []),
    ...(granted === 'cluster-admin' ? ['cluster-admin for its controller'] : []),
    ...(granted === 'namespaces' ? [`namespaces ${listed(settings.managedNamespaces ?? [])} for its controller`] : []),
  ]
  return [
    ...home,
    {
      type: 'object',
      section: SECTION,
      manifest: policy(hub.version, { namespace, name, templates }),
      why: `keeps on every cluster of the Placement: ${what.join(', ') || 'read rights for the agent'}`,
      risk:
        granted === 'cluster-admin'
          ? {
              level: 'high',
              text: "whoever may change the Applications' Git repository or project is administrator of every cluster",
            }
          : { level: 'low', text: 'enforced on every cluster of the Placement' },
      reversible: {
        yes: true,
        text: 'deleting the Policy leaves on the clusters what it made there: the operator, namespaces and rights',
      },
    },
    {
      type: 'object',
      section: SECTION,
      manifest: placementBinding(hub.version, {
        namespace,
        name,
        placement: blueprint.placement.name,
        policy: name,
      }),
      why: 'binds the policy to the Placement',
    },
    {
      type: 'wait',
      section: SECTION,
      signal: { signal: 'compliant', namespace, policy: name, clusters },
      why: 'rights and Argo CD have to be there before the first sync: automated sync gives up after some tries',
    },
  ]
}
