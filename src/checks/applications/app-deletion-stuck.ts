import { inputsOf } from '../../fleet/fleet.ts'
import { type AppLink, applications, skipsReconcile } from '../../fleet/joins/applications.ts'
import { works } from '../../fleet/joins/works.ts'
import { subject } from '../../fleet/subject.ts'
import type { Check } from '../check.ts'
import { pullSwitchCauses } from '../delivery/pull-support.ts'
import { ago, fact, MINUTE, names, olderThan, SECOND } from '../support.ts'

/** The propagation controller removes the finalizer within a second or two, even while the spoke is out of reach (seen). */
const PULL_WITHIN = 15 * SECOND
/** Argo CD prunes what it deployed first, which takes its time. */
const PUSH_WITHIN = 10 * MINUTE

const FINALIZER = /^(resources-finalizer|post-delete-finalizer|pre-delete-finalizer)\.argocd\.argoproj\.io/

function why(
  now: number,
  link: AppLink,
  hasWork: boolean,
): { readonly text: string; readonly fix: string } | undefined {
  const { app } = link
  const { deleting } = app.meta
  if (link.pullComplete) {
    if (!olderThan(now, deleting, PULL_WITHIN)) return undefined
    return {
      text: `the propagation controller, which would remove its finalizer, does not act${hasWork ? '' : ' (its ManifestWork is gone already)'}`,
      fix: 'start the propagation controller: such Applications go within seconds of its start',
    }
  }
  if (skipsReconcile(app)) {
    return {
      text: 'skip-reconcile keeps the Argo CD of the hub away, and without the pull label and target the propagation controller does not see it',
      fix: `if nothing was delivered: oc -n ${app.meta.namespace} patch applications.argoproj.io ${app.meta.name} --type=merge -p '{"metadata":{"finalizers":null}}'; else add the pull label, so that the controller cleans up`,
    }
  }
  if (!olderThan(now, deleting, PUSH_WITHIN)) return undefined
  return {
    text: 'Argo CD cannot finish pruning what it deployed',
    fix: 'see whether its cluster can be reached and its application controller runs',
  }
}

export const appDeletionStuck: Check = {
  code: 'FLT0405',
  slug: 'app-deletion-stuck',
  title: 'No Application on the hub hangs in its deletion',
  severity: 'error',
  category: 'applications',
  models: ['push', 'pull', 'agent', 'local'],
  needs: { hub: ['Application'] },
  uses: inputsOf(applications, works),
  docs: {
    why: 'The finalizer of an Application is removed by whoever reconciles it: the Argo CD of the hub for push, the propagation controller for pull. A pull Application with skip-reconcile and without the pull label belongs to nobody and hangs for ever; a pull Application hangs while the propagation controller is down, even when its workload is gone already.',
    remedy:
      'Bring back the controller that is responsible. Strip the finalizer only when nothing was delivered, or when what stays behind does not matter.',
    sources: ['push-pull 1.9, 1.10, 1.14', 'agent-mode 2.6'],
  },
  *run(fleet) {
    const { byApp } = fleet.join(works)
    for (const link of fleet.join(applications).all) {
      const { app } = link
      const { namespace, name, deleting, finalizers } = app.meta
      if (deleting === undefined || !finalizers.some(f => FINALIZER.test(f))) continue
      const reason = why(fleet.now, link, byApp.has(`${namespace}/${name}`))
      if (reason === undefined) continue
      yield {
        subject: app.subject,
        message: `Application "${name}" in namespace "${namespace}" was deleted ${ago(fleet.now, deleting)} and cannot go: ${reason.text}.`,
        evidence: [
          fact(app, '.metadata.finalizers', names(finalizers)),
          ...(link.owner !== undefined && link.appSet === undefined
            ? [fact(app, '.metadata.ownerReferences', `ApplicationSet ${link.owner.name}, which does not exist`)]
            : []),
        ],
        effect: 'it stays in the list with an old status; an ApplicationSet cannot make it anew',
        fix: reason.fix,
        because: [
          ...pullSwitchCauses(fleet),
          ...(link.model === 'pull'
            ? []
            : fleet.hub
                .of('ArgoCD')
                .in(link.argoNamespace)
                .map(a => ({ subject: a.subject }))),
          ...(link.model === 'push' ? [{ subject: subject('hub', 'ManagedCluster', '', link.cluster) }] : []),
        ],
      }
    }
  },
}
