/** Objects whose names the controllers fix, so that no label and no reference is needed to find them. */

/** Add-ons of a cluster that push, the cluster proxy and Argo CD on the cluster rest on (push-pull.md 1.15). */
export const MSA_ADDON = 'managed-serviceaccount'
export const PROXY_ADDON = 'cluster-proxy'
export const GITOPS_ADDON = 'gitops-addon'

/** Settings of the GitOps add-on in the namespace of each cluster (agent-mode.md 1.9). */
export const GITOPS_ADDON_CONFIG = 'gitops-addon-config'

/** ManifestWork that brings the CA to a cluster with an agent (agent-mode.md 1.9). */
export const AGENT_CA_WORK = 'argocd-agent-ca-mw'

/** Where the operator and ACM's add-on run Argo CD, and what the operator calls its own instance there (push-pull.md 1.6). */
export const GITOPS_NAMESPACE = 'openshift-gitops'

/** The ArgoCD that ACM's add-on makes on a cluster (push-pull.md 1.12, agent-mode.md 1.10). */
export const ADDON_ARGOCD = 'acm-openshift-gitops'

/** OLM package of the operator; its Subscription may have any name, in any namespace (agent-mode.md 1.1). */
export const GITOPS_OPERATOR = 'openshift-gitops-operator'

/** ConfigMap with the switch of ACM's pull model, in the namespace of its controllers (push-pull.md 1.10). */
export const CONTROLLER_CONFIG_MAP = 'multicluster-integrations-config'

/** The hub's Service whose existence turns cluster secrets to the proxy's address (push-pull.md 1.7); its place is fixed. */
export const CLUSTER_PROXY_SERVICE = { namespace: 'multicluster-engine', name: 'cluster-proxy-addon-user' }

/** ConfigMap with the authority of in-cluster addresses; OpenShift puts it into every namespace. */
export const SERVICE_CA = { name: 'openshift-service-ca.crt', key: 'service-ca.crt' }

/** Lease in the namespace of a cluster, by which the hub tells that it is alive (push-pull.md 1.1). */
export const CLUSTER_LEASE = 'managed-cluster-lease'

/** Where klusterlet and agents of add-ons live unless told otherwise (defaults of the Klusterlet and of the add-on framework). */
export const KLUSTERLET_NAMESPACE = 'open-cluster-management-agent'
export const ADDON_NAMESPACE = 'open-cluster-management-agent-addon'

/** Secrets of a principal (agent-mode.md 1.4, 1.7), of its agents (1.10) and of the Redis beside them. */
export const AGENT_CA = 'argocd-agent-ca'
export const PRINCIPAL_TLS = 'argocd-agent-principal-tls'
export const RESOURCE_PROXY_TLS = 'argocd-agent-resource-proxy-tls'
export const AGENT_JWT = 'argocd-agent-jwt'
export const AGENT_CLIENT_TLS = 'argocd-agent-client-tls'
export const ARGO_REDIS = 'argocd-redis'

/** By which a principal lives (agent-mode.md 1.4, 1.7, 1.10). */
export const PRINCIPAL_SECRETS = [AGENT_CA, AGENT_JWT, PRINCIPAL_TLS, RESOURCE_PROXY_TLS] as const

/** What ACM issues for a principal from the CA, for 30 days (agent-mode.md 1.7). */
export const PRINCIPAL_CERTIFICATES: readonly string[] = [PRINCIPAL_TLS, RESOURCE_PROXY_TLS]
