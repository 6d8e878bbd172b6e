import { works } from '../../fleet/joins/works.ts'
import { switchesPullOff } from '../../fleet/pull-switch.ts'
import type { Check } from '../check.ts'
import { count, fact } from '../support.ts'

export const pullSwitchedOff: Check = {
  code: 'FLT0404',
  slug: 'pull-switched-off',
  title: 'The pull model is not switched off',
  severity: 'error',
  category: 'applications',
  models: ['pull'],
  needs: { hub: ['ConfigMap', 'ManifestWork'] },
  docs: {
    why: 'Since ACM 2.17 a ConfigMap of the pull controllers can switch the basic pull model off. At their next start the controllers set every pull ManifestWork to ReadOnly and stop propagation and aggregation: everything freezes at its last state, and no condition anywhere says so.',
    remedy:
      'Remove `pullModel.basic.disabled` from the ConfigMap and restart the controllers; they rewrite all ManifestWorks within seconds.',
    sources: ['push-pull 1.10 (4), 5 (23)'],
  },
  *run(fleet) {
    const pull = fleet.join(works).all
    for (const configMap of fleet.hub.of('ConfigMap').all) {
      if (!switchesPullOff(configMap)) continue
      yield {
        subject: configMap.subject,
        severity: pull.length > 0 ? 'error' : 'warning',
        message: `ConfigMap "${configMap.meta.name}" in namespace "${configMap.meta.namespace}" switches the basic pull model off; ${count(pull.length, 'pull ManifestWork')} ${pull.length === 1 ? 'is' : 'are'} frozen.`,
        evidence: [fact(configMap, '.data[config.yaml]', 'pullModel.basic.disabled: true')],
        effect:
          'changes on the hub do not reach the spokes, reports are frozen; reported health is that of the last moment',
        fix: 'remove pullModel.basic.disabled from config.yaml and restart the pull controllers',
        through: pull.map(w => w.work.subject),
      }
    }
  },
}
