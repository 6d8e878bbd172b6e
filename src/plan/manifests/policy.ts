import type { Manifest } from '../object.ts'
import type { ApiVersionOf } from './served.ts'

/** A template of a Policy: an object that the policy framework makes on each cluster. */
export type PolicyTemplate = Readonly<Record<string, unknown>>

interface PolicyInput {
  readonly namespace: string
  readonly name: string
  readonly templates: readonly PolicyTemplate[]
}

/** A Policy that is enforced on every cluster of the Placement that it is bound to. */
export function policy(version: ApiVersionOf, { namespace, name, templates }: PolicyInput): Manifest {
  return {
    apiVersion: version('Policy'),
    kind: 'Policy',
    metadata: { name, namespace },
    spec: {
      remediationAction: 'enforce',
      disabled: false,
      'policy-templates': templates.map(objectDefinition => ({ objectDefinition })),
    },
  }
}

/** Binds a Policy to a Placement; all three must be in one namespace (push-pull.md 1.16). */
export function placementBinding(
  version: ApiVersionOf,
  input: { readonly namespace: string; readonly name: string; readonly placement: string; readonly policy: string },
): Manifest {
  return {
    apiVersion: version('PlacementBinding'),
    kind: 'PlacementBinding',
    metadata: { name: input.name, namespace: input.namespace },
    placementRef: { apiGroup: 'cluster.open-cluster-management.io', kind: 'Placement', name: input.placement },
    subjects: [{ apiGroup: 'policy.open-cluster-management.io', kind: 'Policy', name: input.policy }],
  }
}

/** Objects that must be on the cluster. What is on it beyond that, and the objects when the policy goes, are left alone. */
export function configurationPolicy(name: string, objects: readonly PolicyTemplate[]): PolicyTemplate {
  return {
    apiVersion: 'policy.open-cluster-management.io/v1',
    kind: 'ConfigurationPolicy',
    metadata: { name },
    spec: {
      remediationAction: 'enforce',
      severity: 'high',
      'object-templates': objects.map(objectDefinition => ({ complianceType: 'musthave', objectDefinition })),
    },
  }
}

interface OperatorInput {
  readonly name: string
  readonly namespace: string
  readonly channel: string
  readonly source: string
  readonly sourceNamespace: string
}

/** An operator that must be installed. The remediation is stated, since it has no other default than to look on (push-pull.md 1.16). */
export function operatorPolicy(operator: OperatorInput): PolicyTemplate {
  const { name, namespace, channel, source, sourceNamespace } = operator
  return {
    apiVersion: 'policy.open-cluster-management.io/v1beta1',
    kind: 'OperatorPolicy',
    metadata: { name },
    spec: {
      remediationAction: 'enforce',
      severity: 'high',
      complianceType: 'musthave',
      subscription: { name, namespace, channel, source, sourceNamespace },
      upgradeApproval: 'Automatic',
    },
  }
}
