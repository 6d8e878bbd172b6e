import { type Command, Option } from 'commander'
import { SET_UPS } from '../../agent/set-up.ts'
import type { SettingName } from '../../bootstrap/settings.ts'
import { addSetting } from '../bootstrap/add-setting.ts'
import { commaList, oneOf } from '../flags.ts'

/** Settings of a bootstrap that a switch takes, too. */
export const AGENT_SETTINGS: readonly SettingName[] = [
  'namespace',
  'set',
  'clusters',
  'selector',
  'placement',
  'predicate',
  'gitopscluster',
  'channel',
  'spokeRights',
  'managedNamespaces',
  'appset',
  'appName',
  'repoUrl',
  'path',
  'revision',
  'project',
  'destNamespace',
  'sync',
]

/** Codes that `--accept` takes; what freezes or is lost is accepted by the names of the Applications. */
export const AGENT_GATE_CODES: readonly string[] = [
  'lost-applications',
  'move-clusters',
  'name-taken',
  'second-argocd',
  'gitops-owned',
  'by-hand',
]

/** Flags that say which set-up, for which clusters, at what price. */
export function addAgentFlags(command: Command): Command {
  command
    .addOption(
      new Option(
        '--setup <name>',
        'documented (the hub deploys nothing itself any more, default), hybrid, dedicated or upstream',
      ).argParser(oneOf('--setup', SET_UPS)),
    )
    .addOption(
      new Option(
        '--accept-frozen <names>',
        'accept that exactly these Applications freeze, as NAMESPACE/NAME or NAME',
      ).argParser(commaList),
    )
    .addOption(new Option('--agent-namespace <name>', 'dedicated: namespace of the second Argo CD'))
  for (const name of AGENT_SETTINGS) addSetting(command, name)
  return command
}
