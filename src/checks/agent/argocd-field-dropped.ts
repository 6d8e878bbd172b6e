import type { Check } from '../check.ts'
import { fact, names } from '../support.ts'

export const argocdFieldDropped: Check = {
  code: 'FLT0848',
  slug: 'argocd-field-dropped',
  title: 'ArgoCD resources hold what was applied of agent mode',
  severity: 'warning',
  category: 'agent',
  models: ['agent'],
  needs: { hub: ['ArgoCD'] },
  uses: { spoke: ['ArgoCD'] },
  docs: {
    why: 'The API server drops fields that the CRD does not know, without a word to a plain client: `destinationBasedMapping` of the principal before OpenShift GitOps 1.20, or `principal.allowedNamespaces`, which older documents show one level too high. What was applied stands in the annotation of the last `kubectl apply`; the resource does not have it, and the principal runs with the default.',
    remedy:
      'Update the operator, or put the field where the CRD has it (`kubectl explain argocd.spec.argoCDAgent --recursive`). Write with `--validate=strict`, which refuses unknown fields.',
    sources: ['agent-mode 0.1, 1.2, 5 (9, 36), 8 (A20)'],
  },
  *run(fleet) {
    for (const view of [fleet.hub, ...fleet.spokes.values()]) {
      for (const argo of view.of('ArgoCD').all) {
        if (argo.dropped.length === 0) continue
        const place = view.role === 'hub' ? '' : ` on cluster "${view.name}"`
        yield {
          subject: argo.subject,
          message: `ArgoCD "${argo.meta.name}"${place} does not hold ${names(argo.dropped)}, which ${argo.dropped.length === 1 ? 'was' : 'were'} applied to it.`,
          evidence: argo.dropped
            .slice(0, 8)
            .map(path => fact(argo, path, 'absent, the last applied configuration has it')),
          effect: 'the setting has no effect: the operator takes its default',
          fix: 'see whether the CRD knows the field (kubectl explain), and apply with --validate=strict; if it was taken out on purpose, take it out of the file too',
          ...(view.role === 'hub' ? {} : { clusters: [view.name] }),
          breaks: false,
        }
      }
    }
  },
}
