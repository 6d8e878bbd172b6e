import { inputsOf } from '../../fleet/fleet.ts'
import { principals } from '../../fleet/joins/agents.ts'
import { condition } from '../../fleet/joins/clusters.ts'
import { missing, subject } from '../../fleet/subject.ts'
import type { Check } from '../check.ts'
import { count, fact, MINUTE, olderThan } from '../support.ts'
import { AGENT_INPUTS, lookAtPod, notAgentHub, podsOf, principalDeployment } from './agent-support.ts'

/** What the last words of a principal mean (argocd-agent cmd/argocd-agent/principal.go, agent-mode.md 5). */
const LAST_WORDS: readonly (readonly [RegExp, string])[] = [
  [/not a TLS secret|tls\.crt.*empty/i, 'make the Secret anew with type kubernetes.io/tls'],
  [
    /could not read (TLS )?secret/i,
    'see that the GitOpsCluster is Ready (CertificatesReady): it writes the certificates, and the principal starts with them',
  ],
  [
    /resource proxy TLS|proxy certificate/i,
    'Secret argocd-agent-resource-proxy-tls is missing or broken: delete it and let the GitOpsCluster write it anew',
  ],
  [
    /JWT/,
    'Secret argocd-agent-jwt needs key jwt.key with a PKCS8 key: delete it and let the GitOpsCluster write it anew',
  ],
  [/could not parse auth|unknown auth method|agent id regex/i, 'correct spec.argoCDAgent.principal.auth'],
  [
    /unable to sync .* informer/i,
    'the principal may not list Applications: add its namespace to ARGOCD_CLUSTER_CONFIG_NAMESPACES of the operator',
  ],
  [/principal identity|principal-uid/i, 'delete ConfigMap argocd-agent-principal-identity and restart the principal'],
  [/redis/i, 'correct spec.argoCDAgent.principal.redis.serverAddress'],
]

export const principalDown: Check = {
  code: 'FLT0813',
  slug: 'principal-down',
  title: 'The principal of every agent hub runs',
  severity: 'error',
  category: 'agent',
  models: ['agent'],
  needs: { hub: ['ArgoCD', 'Deployment'] },
  uses: inputsOf(AGENT_INPUTS, { hub: ['Pod'] }),
  docs: {
    why: 'All agents hang on the principal, and since the operator puts its Redis proxy between Argo CD and Redis, so does the user interface of the hub. `status.phase` of the ArgoCD ignores it. It crashes at once when a certificate, the signing key or its auth string is missing or wrong, and after a minute when it lacks rights.',
    remedy:
      'Read the last message of its pod. Certificates and keys are written by the GitOpsCluster: it must exist and be Ready before the principal can start.',
    sources: ['agent-mode 1.2, 1.3, 5 (1-9), 8 (A05)'],
  },
  notApplicable: notAgentHub,
  *run(fleet) {
    for (const principal of fleet.join(principals)) {
      const { argo } = principal
      const { namespace, name } = argo.meta
      const deployment = principalDeployment(fleet, principal)
      if (deployment === undefined) {
        // Of a recording without any Deployment nothing can be said.
        if (!fleet.hub.knows('Deployment', namespace) || fleet.hub.of('Deployment').in(namespace).length === 0) continue
        const at = missing(subject('hub', 'Deployment', namespace, `${name}-agent-principal`))
        yield {
          subject: argo.subject,
          message: `ArgoCD "${name}" switches a principal on, but its Deployment "${at.name}" does not exist.`,
          evidence: [fact(argo, '.spec.argoCDAgent.principal.enabled', 'true'), fact(at, '', 'does not exist')],
          effect: 'no agent can connect',
          fix: 'see condition Reconciled of the ArgoCD and the log of the operator; an operator before 1.19 does not know the field',
        }
        continue
      }
      if (deployment.replicas > 0 && deployment.readyReplicas > 0) continue
      const pods = podsOf(fleet.hub, deployment)
      const containers = pods.flatMap(p => p.containers)
      const crashed = containers.find(c => c.lastMessage !== '') ?? containers.find(c => c.waitingReason !== '')
      const since = condition(deployment, 'Available')?.since ?? deployment.meta.created
      if (deployment.replicas > 0 && crashed === undefined && !olderThan(fleet.now, since, MINUTE)) continue
      const words = crashed === undefined ? '' : crashed.lastMessage.trim() || crashed.waitingReason
      yield {
        subject: deployment.subject,
        message:
          deployment.replicas === 0
            ? `The principal of ArgoCD "${name}" is scaled to 0.`
            : `The principal of ArgoCD "${name}" does not run: ${words || `${deployment.readyReplicas} of ${deployment.replicas} replicas ready`}.`,
        evidence: [
          fact(deployment, '.spec.replicas', deployment.replicas),
          fact(deployment, '.status.readyReplicas', deployment.readyReplicas),
          ...containers
            .slice(0, 3)
            .map(c =>
              fact(
                deployment,
                `pod .status.containerStatuses[${c.name}]`,
                `${c.waitingReason || 'ready'}, restarted ${count(c.restarts, 'time')}`,
              ),
            ),
        ],
        effect:
          'no agent is connected: nothing is delivered, all statuses are old, and trees in the user interface stay empty',
        fix:
          deployment.replicas === 0
            ? `oc -n ${namespace} scale deployment ${deployment.meta.name} --replicas=1`
            : (LAST_WORDS.find(([form]) => form.test(words))?.[1] ??
              (containers.some(c => c.lastMessage.trim() !== '')
                ? "mend what the pod's last message names"
                : lookAtPod(deployment, pods))),
        because: [{ subject: argo.subject, codes: ['FLT0802', 'FLT0830'] }],
        through: [argo.subject],
      }
    }
  },
}
