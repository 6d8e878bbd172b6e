import type { Finding } from '../../checks/check.ts'
import type { Fleet } from '../../fleet/fleet.ts'
import { GITOPS_ADDON, GITOPS_ADDON_CONFIG } from '../../fleet/well-known.ts'
import { textAt } from '../../raw.ts'
import { edit, listOf, NOT_SEEN } from '../edits.ts'
import type { Fix } from '../fix.ts'

function noConfig({ subject: { namespace, name } }: Finding, fleet: Fleet): string | undefined {
  return name === GITOPS_ADDON &&
    fleet.hub.of('AddOnDeploymentConfig').get(namespace, GITOPS_ADDON_CONFIG) !== undefined
    ? undefined
    : 'the config that it names does not exist, and which other is meant only its author knows'
}

export const addonConfigMissingFix: Fix = {
  code: 'FLT0913',
  does: 'name the config again that the GitOpsCluster writes for the add-on',
  risk: 'the agent of the add-on is rendered anew with the settings of that config',
  safe: true,
  kinds: ['ManagedClusterAddOn'],
  hinders: noConfig,
  repair(input) {
    const { finding } = input
    const { namespace } = finding.subject
    const there = listOf(input, finding.subject, 'spec', 'configs')
    if (there === undefined) return NOT_SEEN
    const config = {
      group: 'addon.open-cluster-management.io',
      resource: 'addondeploymentconfigs',
      namespace,
      name: GITOPS_ADDON_CONFIG,
    }
    const others = there.filter(c => textAt(c, 'resource') !== config.resource)
    return {
      steps: [
        edit(
          input,
          finding.subject,
          { spec: { configs: [...others, config] } },
          'mode, images and address of the principal come from it',
        ),
      ],
    }
  },
}
