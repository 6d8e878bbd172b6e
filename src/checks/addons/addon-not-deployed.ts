import { condition } from '../../fleet/joins/clusters.ts'
import { subject } from '../../fleet/subject.ts'
import { GITOPS_ADDON, MSA_ADDON, PROXY_ADDON } from '../../fleet/well-known.ts'
import type { Check } from '../check.ts'
import { conditionFact, conditionText, MINUTE, olderThan } from '../support.ts'

/** Add-ons that delivery rests on; others are not the matter of this check. */
const MATTERS = new Set([
  MSA_ADDON,
  PROXY_ADDON,
  GITOPS_ADDON,
  'config-policy-controller',
  'governance-policy-framework',
])
const TYPES = ['ManifestApplied', 'RegistrationApplied', 'Configured']
/** An add-on that was just made is registered and applied within seconds once its cluster answers. */
const DONE_WITHIN = MINUTE

export const addonNotDeployed: Check = {
  code: 'FLT0904',
  slug: 'addon-not-deployed',
  title: 'The add-ons that delivery rests on could be registered and applied',
  severity: 'warning',
  category: 'addons',
  models: ['push', 'pull', 'agent'],
  needs: { hub: ['ManagedClusterAddOn'] },
  docs: {
    why: 'An add-on comes to a cluster in steps: its config is worked out, its agent is given rights on the hub, its manifests are applied by the work agent. A step that fails stands in a condition of its own, while `Available` may still say what was before, or nothing.',
    remedy:
      'Read the condition that is False; look at ManifestWork `addon-<name>-deploy-0` in the namespace of the cluster and at the AddOnTemplate it was made from.',
    sources: ['push-pull 1.15', 'agent-mode 5 (50), 8 (A13)'],
  },
  *run(fleet) {
    for (const mca of fleet.hub.of('ManagedClusterAddOn').all) {
      const { name, namespace, deleting } = mca.meta
      if (!MATTERS.has(name) || deleting !== undefined) continue
      const bad = TYPES.flatMap(type => {
        const c = condition(mca, type)
        return c?.status === 'False' && olderThan(fleet.now, c.since, DONE_WITHIN) ? [c] : []
      })
      const progressing = condition(mca, 'Progressing')
      if (progressing?.reason === 'Failed' || progressing?.reason === 'ConfigurationUnsupported') bad.push(progressing)
      const first = bad[0]
      if (first === undefined) continue
      yield {
        subject: mca.subject,
        message: `Add-on "${name}" of cluster "${namespace}" could not be deployed: ${first.type} ${conditionText(first)}.`,
        evidence: bad.map(c => conditionFact(mca, c.type)),
        effect: `the add-on on ${namespace} is not what the hub says, or not there at all`,
        fix: `see ManifestWork addon-${name}-deploy-0 in namespace ${namespace}, and the configs of the add-on`,
        because: [{ subject: subject('hub', 'ManagedCluster', '', namespace) }, { subject: mca.subject }],
        clusters: [namespace],
        breaks: false,
      }
    }
  },
}
