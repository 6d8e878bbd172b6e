import { type Command, Option } from 'commander'
import { AGENT_SETTINGS, SET_UPS } from '../../agent/choices.ts'
import { addSetting } from '../bootstrap/add-setting.ts'
import { commaList, oneOf } from '../flags.ts'

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
