import { type Command, Option } from 'commander'
import { commaList, oneOf } from '../flags.ts'

/** Flags of every command that makes a plan, for what becomes of it. */
export function addPlanFlags(command: Command, accepts: readonly string[]): Command {
  command
    .addOption(
      new Option('--export <dir>', 'write the objects as files for Git into a folder, and nothing to a cluster'),
    )
    .addOption(
      new Option('--layout <name>', 'of the files: flat (default), kustomize or by-cluster').argParser(
        oneOf('--layout', ['flat', 'kustomize', 'by-cluster']),
      ),
    )
    .addOption(new Option('--plan-out <file>', 'save the plan for "apply -f", and write nothing to a cluster'))
    .option('--diff', 'show every field that is written')
    .option('--force-conflicts', 'take fields over that other field managers own')
  if (accepts.length > 0) {
    command.addOption(
      new Option('--accept <codes>', `accept dangers by name: ${accepts.join(', ')}`).argParser(commaList),
    )
  }
  return addApplyFlags(command)
}

/** Flags of every command that applies a plan. */
export function addApplyFlags(command: Command): Command {
  return command
    .addOption(
      new Option(
        '--dry-run <how>',
        'client sends nothing that writes, server lets the server check every write',
      ).argParser(oneOf('--dry-run', ['none', 'client', 'server'])),
    )
    .option('-y, --yes', 'do not ask; dangers still have to be accepted by name')
    .option('--partial', 'do what is possible where some steps are not allowed, instead of nothing')
    .option('--no-wait', 'do not wait for what controllers make of it')
}
