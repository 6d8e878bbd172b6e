import { type Command, Option } from 'commander'
import { commaList, oneOf } from '../flags.ts'
import { helpText } from '../help-text.ts'
import type { Action } from '../run-action.ts'

const FORMATS = 'text (default), json, yaml, jsonl, name, jsonpath=..., custom-columns=...'

/** Declares `plan` with its commands: what was applied before, and the way back. */
export function declarePlan(program: Command, action: Action): void {
  const plan = program
    .command('plan')
    .description('Every command that writes keeps a journal of what was before. These commands read it.')
    .addHelpText('after', context =>
      helpText(context.command, {
        examples: [
          ['What was written, newest last', 'plan list'],
          ['One run, step by step', 'plan show 20261130T154106Z-1f3a2c'],
          ['Take it back', 'plan revert 20261130T154106Z-1f3a2c'],
        ],
        exitCodes: [0, 2, 4, 6, 7],
        permissions: 'none but for revert, which needs get, patch and delete on the objects of the run',
      }),
    )
  plan
    .command('list')
    .summary('list runs')
    .description('Lists the runs of which there is a journal, oldest first.')
    .addHelpText('after', context =>
      helpText(context.command, {
        formats: FORMATS,
        examples: [
          ['All runs', 'plan list'],
          ['Those that were interrupted', 'plan list -o \'jsonpath={.runs[?(@.state=="interrupted")].id}\''],
          ['As JSON', 'plan list -o json'],
        ],
        exitCodes: [0, 2],
        permissions: 'none',
      }),
    )
    .action(action(async call => (await import('./list.ts')).planList(call)))
  plan
    .command('show')
    .argument('<run>', 'id of the run, or its beginning')
    .summary('show one run, step by step')
    .description('Shows what a run did, step by step, and what was before.')
    .addHelpText('after', context =>
      helpText(context.command, {
        formats: FORMATS,
        examples: [
          ['One run', 'plan show 20261130T154106Z-1f3a2c'],
          ['By the beginning of its id', 'plan show 20261130'],
          ['As JSON', 'plan show 20261130 -o json'],
        ],
        exitCodes: [0, 2],
        permissions: 'none',
      }),
    )
    .action(action(async call => (await import('./list.ts')).planShow(call)))
  plan
    .command('revert')
    .argument('<run>', 'id of the run, or its beginning')
    .summary('take a run back')
    .description(
      'Deletes what the run made and puts back the fields that it changed, last step first. What somebody has changed ' +
        'since is left alone and said.',
    )
    .addOption(
      new Option('--dry-run <how>', 'client shows what would be done').argParser(
        oneOf('--dry-run', ['none', 'client']),
      ),
    )
    .option('-y, --yes', 'do not ask')
    .addOption(
      new Option('--accept-lost <names>', 'accept that agents delete exactly these Applications').argParser(commaList),
    )
    .addHelpText('after', context =>
      helpText(context.command, {
        formats: FORMATS,
        examples: [
          ['See what would be done', 'plan revert 20261130T154106Z-1f3a2c --dry-run=client'],
          ['Take the run back', 'plan revert 20261130T154106Z-1f3a2c'],
          ['Without being asked', 'plan revert 20261130 --yes'],
        ],
        exitCodes: [0, 2, 4, 6, 7],
        permissions: 'get, patch and delete on the objects of the run',
      }),
    )
    .action(action(async call => (await import('./revert.ts')).planRevertRun(call)))
}
