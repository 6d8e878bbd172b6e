import { GITOPS_ADDON, GITOPS_ADDON_CONFIG } from '../../fleet/well-known.ts'
import type { Check, Evidence } from '../check.ts'
import { fact } from '../support.ts'

const CONFIG = 'addondeploymentconfigs'
/** What the GitOpsCluster controller writes for each cluster (agent-mode.md 1.9). */

export const addonConfigMissing: Check = {
  code: 'FLT0913',
  slug: 'addon-config-missing',
  title: 'Add-ons are installed with the config that was written for them',
  severity: 'warning',
  category: 'addons',
  models: ['push', 'pull', 'agent'],
  needs: { hub: ['ManagedClusterAddOn', 'AddOnDeploymentConfig'] },
  whole: { hub: ['AddOnDeploymentConfig'] },
  docs: {
    why: 'A ManagedClusterAddOn names the AddOnDeploymentConfig that its agent is rendered with. When it names one that does not exist, the agent stays as it is; when the GitOps add-on does not name the config that the GitOpsCluster writes, agent mode, images and the address of the principal do not reach the cluster.',
    remedy:
      'Name the config in `.spec.configs` of the ManagedClusterAddOn again; the GitOpsCluster controller does so at its next reconcile.',
    sources: ['agent-mode 1.9, 5 (66)'],
  },
  *run(fleet) {
    const configs = fleet.hub.of('AddOnDeploymentConfig')
    for (const mca of fleet.hub.of('ManagedClusterAddOn').all) {
      if (mca.meta.deleting !== undefined) continue
      const { namespace, name } = mca.meta
      const named = mca.configs.filter(c => c.resource === CONFIG)
      const evidence: Evidence[] = named
        .filter(c => configs.get(c.namespace, c.name) === undefined)
        .map(c => fact(mca, '.spec.configs', `${c.namespace}/${c.name}, which does not exist`))
      const own = name === GITOPS_ADDON ? configs.get(namespace, GITOPS_ADDON_CONFIG) : undefined
      if (own !== undefined && !named.some(c => c.namespace === namespace && c.name === GITOPS_ADDON_CONFIG))
        evidence.push(fact(mca, '.spec.configs', `does not name ${namespace}/${GITOPS_ADDON_CONFIG}`))
      if (evidence.length === 0) continue
      yield {
        subject: mca.subject,
        message: `Add-on "${name}" of cluster "${namespace}" is not installed with its config: ${evidence.map(e => e.value).join('; ')}.`,
        evidence,
        effect: 'its agent keeps the settings that it has, or gets the default ones',
        fix: `name ${namespace}/${own?.meta.name ?? 'an existing config'} in .spec.configs of ManagedClusterAddOn ${name} -n ${namespace}`,
        clusters: [namespace],
        breaks: false,
      }
    }
  },
}
