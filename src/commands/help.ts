import type { Command } from 'commander'
import { EXIT, UsageError } from '../errors.ts'
import { didYouMean } from '../ui/nearest.ts'
import { commandPath } from './fleetctl-command.ts'
import type { Action } from './run-action.ts'

/** Declares `help [command...]`, which prints on stdout what `--help` prints. */
export function declareHelp(program: Command, action: Action): void {
  program
    .command('help')
    .argument('[command...]', 'command whose help is wanted')
    .description('Prints the help of a command, as --help does.')
    .action(
      action(async ({ args }) => {
        let found = program
        for (const name of args) found = subcommand(found, name)
        found.outputHelp()
        return EXIT.ok
      }),
    )
}

function subcommand(command: Command, name: string): Command {
  const found = command.commands.find(c => c.name() === name || c.aliases().includes(name))
  if (found !== undefined) return found
  const names = command.commands.map(c => c.name())
  const path = commandPath(command)
  throw new UsageError(`unknown command "${name}" for "${path}"${didYouMean(name, names, `; see "${path} --help"`)}`)
}
