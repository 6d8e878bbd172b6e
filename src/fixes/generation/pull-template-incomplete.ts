import type { Finding } from '../../checks/check.ts'
import type { Fleet } from '../../fleet/fleet.ts'
import { PULL_TARGET, SKIP_RECONCILE } from '../../fleet/labels.ts'
import { delivered, edit, nameParameter } from '../edits.ts'
import type { Fix } from '../fix.ts'
import { lackingMarks } from './pull-marks.ts'

const NO_TARGET = 'which cluster the Application is for, only its author knows'

function noTarget({ subject: of }: Finding, fleet: Fleet): string | undefined {
  if (of.kind === 'ApplicationSet') return undefined
  const target = fleet.hub.of('Application').get(of.namespace, of.name)?.meta.annotations[PULL_TARGET] ?? ''
  return target === '' ? NO_TARGET : undefined
}

export const pullTemplateIncompleteFix: Fix = {
  code: 'FLT0304',
  does: 'complete label and annotations of the pull model in the template',
  risk: 'the Applications are carried to their clusters, and the Argo CD of the hub does not touch them any more; what it has made on the hub itself stays there',
  safe: true,
  kinds: ['ApplicationSet', 'Application'],
  hinders: noTarget,
  repair(input) {
    const { finding, fleet } = input
    const { subject: of } = finding
    const appSet = fleet.hub.of('ApplicationSet').get(of.namespace, of.name)
    const app = fleet.hub.of('Application').get(of.namespace, of.name)
    const marks =
      of.kind === 'ApplicationSet' && appSet !== undefined
        ? lackingMarks(appSet.template.labels, appSet.template.annotations, nameParameter(appSet.goTemplate))
        : lackingMarks(app?.meta.labels ?? {}, app?.meta.annotations ?? {}, '')
    if (Object.values(marks.annotations).includes('')) return NO_TARGET
    const metadata = { labels: marks.labels, annotations: marks.annotations }
    const lostHub = SKIP_RECONCILE in marks.annotations
    return {
      steps: [edit(input, of, delivered(of, { metadata }), 'all of them are needed for a pull Application')],
      ...(lostHub ? { afterwards: 'delete what the Argo CD of the hub has deployed on the hub itself' } : {}),
    }
  },
}
