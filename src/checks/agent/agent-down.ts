import { condition } from '../../fleet/joins/clusters.ts'
import { OCM_CLUSTER_NAME } from '../../fleet/labels.ts'
import { subject } from '../../fleet/subject.ts'
import type { Check } from '../check.ts'
import { count, fact, MINUTE, olderThan } from '../support.ts'
import { agentDeployments, lookAtPod } from './agent-support.ts'

export const agentDown: Check = {
  code: 'FLT0805',
  slug: 'agent-down',
  title: 'The agent of every spoke runs',
  severity: 'error',
  category: 'agent',
  models: ['agent'],
  needs: { hub: ['ManagedCluster'], spoke: ['Deployment'] },
  uses: { hub: ['CertificateSigningRequest'], spoke: ['Pod'] },
  docs: {
    why: 'An agent that does not run delivers nothing and sends no status. The hub shows it nowhere: GitOpsCluster, Policy and add-on stay green, and the Applications keep their last status; only its time stops. The operator does not scale it back.',
    remedy:
      'Scale it to 1, or read the last message of its pod: a missing client certificate points to a signing request on the hub.',
    sources: ['agent-mode 4.5, 4.6, 5 (52), 8 (A05)', 'seen on running controllers: agent'],
  },
  *run(fleet) {
    for (const [cluster, view] of fleet.spokes) {
      for (const deployment of agentDeployments(view)) {
        const { namespace, name } = deployment.meta
        if (deployment.replicas > 0 && deployment.readyReplicas > 0) continue
        const pods = view
          .of('Pod')
          .in(namespace)
          .filter(p => p.meta.name.startsWith(`${name}-`))
        const crashing = pods
          .flatMap(p => p.containers)
          .filter(c => c.waitingReason === 'CrashLoopBackOff' || c.restarts > 1)
        const since = condition(deployment, 'Available')?.since
        if (
          deployment.replicas > 0 &&
          crashing.length === 0 &&
          !olderThan(view.readAt, since ?? deployment.meta.created, MINUTE)
        )
          continue
        yield {
          subject: deployment.subject,
          message:
            deployment.replicas === 0
              ? `The agent on cluster "${cluster}" is scaled to 0.`
              : `The agent on cluster "${cluster}" does not run: ${crashing[0]?.lastMessage.trim() || `${deployment.readyReplicas} of ${deployment.replicas} replicas ready`}.`,
          evidence: [
            fact(deployment, '.spec.replicas', deployment.replicas),
            fact(deployment, '.status.readyReplicas', deployment.readyReplicas),
            ...crashing
              .slice(0, 3)
              .map(c =>
                fact(
                  subject(cluster, 'Pod', namespace, pods[0]?.meta.name ?? name),
                  `.status.containerStatuses[${c.name}]`,
                  `${c.waitingReason || 'restarted'} ${count(c.restarts, 'time')}: ${c.lastMessage.trim()}`,
                ),
              ),
          ],
          effect: 'nothing is delivered to the cluster, and the status of its Applications on the hub is old',
          fix:
            deployment.replicas === 0
              ? `on ${cluster}: oc -n ${namespace} scale deployment ${name} --replicas=1`
              : crashing.some(c => c.lastMessage.trim() !== '')
                ? `mend what the pod's last message names, on ${cluster} in ${namespace}`
                : `on ${cluster}: ${lookAtPod(deployment, pods)}`,
          because: fleet.hub
            .of('CertificateSigningRequest')
            .all.filter(c => c.meta.labels[OCM_CLUSTER_NAME] === cluster)
            .map(c => ({ subject: c.subject })),
          clusters: [cluster],
        }
      }
    }
  },
}
