import { applications } from '../../fleet/joins/applications.ts'
import { isWorkName } from '../../fleet/joins/works.ts'
import { trigger } from '../edits.ts'
import type { FixInput, Repair } from '../fix.ts'
import { TOUCHED } from '../touched.ts'

/** Has the propagation controller look again at the Application of the ManifestWork that a finding is about. */
export function touchApplication(input: FixInput): Repair | string {
  const { finding, fleet } = input
  const { namespace: cluster, name } = finding.subject
  const link = fleet.join(applications).all.find(l => l.cluster === cluster && isWorkName(name, l.app))
  if (link === undefined) return 'its Application is gone'
  const annotations = { [TOUCHED]: new Date(fleet.now).toISOString() }
  const why = 'the controller acts when the Application changes'
  return { steps: [trigger(input, link.app.subject, { metadata: { annotations } }, why)] }
}
