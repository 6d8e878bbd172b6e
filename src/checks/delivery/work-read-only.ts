import { works } from '../../fleet/joins/works.ts'
import type { Check } from '../check.ts'
import { fact } from '../support.ts'
import { pullSwitchCauses } from './pull-support.ts'

export const workReadOnly: Check = {
  code: 'FLT0607',
  slug: 'work-read-only',
  title: 'No pull ManifestWork is read only',
  severity: 'warning',
  category: 'delivery',
  models: ['pull'],
  needs: { hub: ['ManifestWork'] },
  uses: { hub: ['ConfigMap'] },
  docs: {
    why: 'Update strategy ReadOnly makes the work agent report without applying: changes on the hub no longer arrive, and Applied stays True. The pull controllers set it when the pull model is switched off.',
    remedy: 'Switch the pull model on again and restart the controllers: every reconcile rewrites the strategy.',
    sources: ['push-pull 1.10 (4), 1.11'],
  },
  *run(fleet) {
    for (const { work, cluster } of fleet.join(works).all) {
      if (!work.updateStrategies.some(s => s.type === 'ReadOnly' && s.group === 'argoproj.io')) continue
      yield {
        subject: work.subject,
        breaks: true,
        message: `ManifestWork "${work.meta.name}" in namespace "${cluster}" is read only: cluster "${cluster}" does not apply its content.`,
        evidence: [fact(work, '.spec.manifestConfigs[].updateStrategy.type', 'ReadOnly')],
        effect: 'changes on the hub do not reach the cluster, while Applied stays True',
        fix: 'switch the pull model on and restart the pull controllers',
        because: pullSwitchCauses(fleet),
      }
    }
  },
}
