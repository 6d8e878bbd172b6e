import { waitsForAgent } from '../../checks/work-agent.ts'
import { payloadKey, works } from '../../fleet/joins/works.ts'
import { trigger } from '../edits.ts'
import type { Fix } from '../fix.ts'
import { TOUCHED } from '../touched.ts'

export const spokeAppMissingFix: Fix = {
  code: 'FLT0518',
  does: 'touch the ManifestWork so that the work agent looks at once',
  risk: 'none: the work agent would make the Application anew by itself within six minutes',
  safe: true,
  inGit: false,
  kinds: ['ManifestWork'],
  hinders: ({ subject: { cluster, namespace, name } }, fleet) => {
    if (fleet.spokes.get(cluster)?.serves('Application') === false) return 'Argo CD is not installed on the cluster'
    const list = fleet.join(works).byPayload.get(payloadKey(cluster, namespace, name)) ?? []
    return list.some(w => waitsForAgent(fleet.now, w.work)) ? `the work agent of ${cluster} does not react` : undefined
  },
  repair(input) {
    const { finding, fleet } = input
    const { cluster, namespace, name } = finding.subject
    const list = fleet.join(works).byPayload.get(payloadKey(cluster, namespace, name)) ?? []
    if (list.length === 0) return 'no ManifestWork carries the Application'
    const annotations = { [TOUCHED]: new Date(fleet.now).toISOString() }
    return {
      steps: list.map(w =>
        trigger(
          input,
          w.work.subject,
          { metadata: { annotations } },
          `the work agent of ${cluster} makes what is not there`,
        ),
      ),
    }
  },
}
