import { parsesTrue } from '../../fleet/joins/applications.ts'
import { ownerAppSet } from '../../fleet/joins/appsets.ts'
import { PULL_LABEL, PULL_TARGET, SKIP_RECONCILE } from '../../fleet/labels.ts'
import type { Base, StringMap } from '../../fleet/records.ts'
import type { Check, Evidence } from '../check.ts'
import { fact } from '../support.ts'

interface Lack {
  readonly text: string
  readonly effect: string
  readonly fix: string
  readonly evidence: (of: Base, prefix: string) => Evidence
}

/** What a pull Application, or the template of one, lacks. Something else than pull is meant when it has neither mark. */
function lacks(labels: StringMap, annotations: StringMap): readonly Lack[] {
  const label = labels[PULL_LABEL]
  const target = annotations[PULL_TARGET]
  if (label === undefined && target === undefined) return []
  const found: Lack[] = []
  if (!parsesTrue(label)) {
    found.push({
      text:
        label === undefined
          ? `label ${PULL_LABEL} is missing`
          : `label ${PULL_LABEL} is "${label}", which is no true boolean`,
      effect:
        'no ManifestWork is made and nothing says so; with skip-reconcile and a finalizer even a deletion hangs for ever',
      fix: `add label ${PULL_LABEL}: "true" (a quoted string)`,
      evidence: (of, prefix) => fact(of, `${prefix}labels[${PULL_LABEL}]`, label ?? 'absent'),
    })
  }
  if (target === undefined || target === '') {
    found.push({
      text: `annotation ${PULL_TARGET} is ${target === '' ? 'empty' : 'missing'}`,
      effect: 'no ManifestWork is made and nothing says so',
      fix: `add annotation ${PULL_TARGET}: '{{name}}'`,
      evidence: (of, prefix) => fact(of, `${prefix}annotations[${PULL_TARGET}]`, target ?? 'absent'),
    })
  }
  const skip = annotations[SKIP_RECONCILE]
  if (!parsesTrue(skip)) {
    found.push({
      text:
        skip === undefined
          ? `annotation ${SKIP_RECONCILE} is missing`
          : `annotation ${SKIP_RECONCILE} is "${skip}", which is no true boolean and is ignored`,
      effect:
        'the Argo CD of the hub reconciles it too: the resources of every cluster land on the hub, and every sync there starts one on the spokes',
      fix: `add annotation ${SKIP_RECONCILE}: "true", then delete the copies on the hub`,
      evidence: (of, prefix) => fact(of, `${prefix}annotations[${SKIP_RECONCILE}]`, skip ?? 'absent'),
    })
  }
  return found
}

export const pullTemplateIncomplete: Check = {
  code: 'FLT0304',
  slug: 'pull-template-incomplete',
  title: 'Pull Applications carry the pull label, their target and skip-reconcile',
  severity: 'error',
  category: 'generation',
  models: ['pull'],
  needs: { hub: ['Application'] },
  uses: { hub: ['ApplicationSet'] },
  docs: {
    why: 'The propagation controller ignores an Application without the label `pull-to-ocm-managed-cluster` (a true boolean, as a quoted string) or without the annotation `ocm-managed-cluster`; nothing in the API shows it. Without `skip-reconcile` the Application is propagated and reconciled on the hub as well. A value that does not parse as a boolean ("yes") counts as absent.',
    remedy: 'Complete the template of the ApplicationSet; Applications made by hand are completed themselves.',
    sources: [
      'push-pull 1.9, 1.10, 5 (6, 24)',
      'stolostron/multicloud-integrations:propagation-controller/application/application_controller.go',
    ],
  },
  *run(fleet) {
    for (const appSet of fleet.hub.of('ApplicationSet').all) {
      const { labels, annotations } = appSet.template
      const found = lacks(labels, annotations)
      const first = found[0]
      if (first === undefined) continue
      yield {
        subject: appSet.subject,
        message: `The template of pull ApplicationSet "${appSet.meta.name}" is incomplete: ${found.map(l => l.text).join('; ')}.`,
        evidence: found.map(l => l.evidence(appSet, '.spec.template.metadata.')),
        effect: first.effect,
        fix: found.map(l => l.fix).join('; '),
      }
    }
    for (const app of fleet.hub.of('Application').all) {
      if (ownerAppSet(app) !== undefined || app.meta.deleting !== undefined) continue
      const found = lacks(app.meta.labels, app.meta.annotations)
      const first = found[0]
      if (first === undefined) continue
      yield {
        subject: app.subject,
        message: `Pull Application "${app.meta.name}" in namespace "${app.meta.namespace}" is incomplete: ${found.map(l => l.text).join('; ')}.`,
        evidence: found.map(l => l.evidence(app, '.metadata.')),
        effect: first.effect,
        fix: found.map(l => l.fix).join('; '),
      }
    }
  },
}
