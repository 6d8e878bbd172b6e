import { applications } from '../../fleet/joins/applications.ts'
import { groupBy } from '../../fleet/maps.ts'
import type { Check } from '../check.ts'
import { ago, count, fact, names } from '../support.ts'

export const controllerOffFreezes: Check = {
  code: 'FLT0801',
  slug: 'controller-off-freezes',
  title: 'No Application waits for an application controller that is switched off',
  severity: 'error',
  category: 'agent',
  models: ['push', 'local'],
  needs: { hub: ['ArgoCD', 'Application'] },
  uses: applications.inputs,
  whole: { hub: ['Secret'] },
  perObject: ['Secret'],
  docs: {
    why: 'With `spec.controller.enabled: false` the operator removes the application controller within a second. Every Application of the instance that no agent carries out freezes: no comparison, no sync, no self-heal, no deletion. Its status stays Synced and Healthy, with no condition and no event.',
    remedy:
      'Switch the controller on again (hybrid; needs Argo CD 3.4 and skip-reconcile on the secrets of agents), or give these Applications to an agent or to another Argo CD.',
    sources: ['agent-mode 2.6, 5 (43), 8 (A01)', 'seen on running controllers: half-switched hub'],
  },
  *run(fleet) {
    const byNamespace = groupBy(
      // One whose destination is no cluster of this Argo CD would not move with a controller either.
      fleet.join(applications).all.filter(l => l.model === 'push' || l.model === 'local'),
      l => l.argoNamespace,
    )
    const agentApps = new Set(
      fleet
        .join(applications)
        .all.filter(l => l.model === 'agent')
        .map(l => l.app),
    )
    for (const argo of fleet.hub.of('ArgoCD').all) {
      if (argo.controllerEnabled) continue
      const frozen = byNamespace.get(argo.meta.namespace) ?? []
      // An ApplicationSet for agents whose Placement lets the hub in makes one for the hub: the Placement is to blame.
      const stray = new Set(frozen.filter(l => l.model === 'local' && l.appSet?.owned.some(a => agentApps.has(a))))
      const living = frozen.filter(l => l.app.meta.deleting === undefined && !stray.has(l))
      if (living.length === 0) continue
      yield {
        subject: argo.subject,
        message: `The application controller of ArgoCD "${argo.meta.name}" is switched off, and ${count(frozen.length, 'Application')} that no agent carries out ${frozen.length === 1 ? 'is' : 'are'} frozen: ${names(frozen.map(l => l.app.meta.name))}.`,
        evidence: [
          fact(argo, '.spec.controller.enabled', 'false'),
          ...frozen
            .slice(0, 6)
            .map(l =>
              fact(
                l.app,
                '.status.reconciledAt',
                l.app.reconciledAt === undefined ? 'absent' : ago(fleet.now, l.app.reconciledAt),
              ),
            ),
        ],
        effect: 'nothing of them is compared, synced or deleted; Synced and Healthy are old',
        fix: 'set spec.controller.enabled: true (hybrid), or move these Applications to an agent or another Argo CD instance',
        through: frozen.map(l => l.app.subject),
      }
    }
  },
}
