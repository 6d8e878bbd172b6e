import { parsesTrue } from '../../fleet/joins/applications.ts'
import { flavour } from '../../fleet/joins/flavour.ts'
import { reports } from '../../fleet/joins/reports.ts'
import { works } from '../../fleet/joins/works.ts'
import { PULL_LABEL } from '../../fleet/labels.ts'
import type { Check } from '../check.ts'
import { fact } from '../support.ts'

/** Longest value of a label (apimachinery validation); it must end in a letter or a digit. */
const LONGEST = 63

export const reportNameInvalid: Check = {
  code: 'FLT0704',
  slug: 'report-name-invalid',
  title: 'The report of every pull ApplicationSet can be created',
  severity: 'error',
  category: 'status',
  models: ['pull'],
  needs: { hub: ['ApplicationSet', 'ManifestWork'] },
  uses: { hub: ['MulticlusterApplicationSetReport', 'CustomResourceDefinition', 'GitOpsCluster', 'ManagedCluster'] },
  docs: {
    why: 'The report carries a label with namespace and name of the ApplicationSet, cut at 63 characters. When the cut falls on a dash, an underscore or a dot, the API server refuses the report, with a log line only: no report and no hub status ever come.',
    remedy:
      'Rename the ApplicationSet by a character or two (its Applications are made anew), or move it to a namespace with a name of another length.',
    sources: ['push-pull 1.13, 3'],
  },
  *run(fleet) {
    if (fleet.join(flavour) !== 'acm') return
    const { byAppSet } = fleet.join(works)
    const have = fleet.join(reports).byAppSet
    for (const appSet of fleet.hub.of('ApplicationSet').all) {
      const { namespace, name } = appSet.meta
      if (!parsesTrue(appSet.template.labels[PULL_LABEL])) continue
      const whole = `${namespace}.${name}`
      const label = whole.slice(0, LONGEST)
      if (/[A-Za-z0-9]$/.test(label)) continue
      const waiting = byAppSet.get(`${namespace}/${name}`)?.length ?? 0
      const lacking = waiting > 0 && !have.has(`${namespace}/${name}`)
      yield {
        subject: appSet.subject,
        severity: lacking ? 'error' : 'warning',
        message: `The report of pull ApplicationSet "${name}" cannot be created: its label would be "${label}", which ends in "${label.slice(-1)}".`,
        evidence: [
          fact(appSet, '', `${whole} has ${whole.length} characters and is cut after ${LONGEST}`),
          fact(appSet, '', `${waiting} ManifestWorks`),
        ],
        effect: 'its hub Applications never get a status',
        fix: 'rename the ApplicationSet, so that the cut falls on a letter or a digit',
        breaks: lacking,
      }
    }
  },
}
