import { Command, type ErrorOptions } from 'commander'
import { UsageError } from '../errors.ts'
import { didYouMean } from '../ui/nearest.ts'

/** The command path as the user types it: `kubectl fleetctl trace app`. */
export function commandPath(command: Command): string {
  const parent = command.parent
  return parent === null ? command.name() : `${commandPath(parent)} ${command.name()}`
}

/** Every long flag that the command and those above it take. */
function flagsOf(command: Command | null): string[] {
  if (command === null) return ['--help']
  return [...command.options.flatMap(option => option.long ?? []), ...flagsOf(command.parent)]
}

/**
 * A command that tells usage errors in one line and without the usage text: they are thrown as `UsageError` for the one
 * place that catches. A group without a command prints its help and is content.
 */
export class FleetctlCommand extends Command {
  override createCommand(name?: string): FleetctlCommand {
    return new FleetctlCommand(name)
  }

  override help(): never {
    return super.help()
  }

  override error(message: string, options?: ErrorOptions): never {
    throw new UsageError(this.#explain(message, options?.code))
  }

  #explain(message: string, code: string | undefined): string {
    const path = commandPath(this)
    const help = `; see "${path} --help"`
    const quoted = /'([^']*)'/.exec(message)?.[1] ?? ''
    switch (code) {
      case 'commander.unknownOption':
        return `unknown flag ${quoted} for "${path}"${didYouMean(quoted, flagsOf(this), help)}`
      case 'commander.unknownCommand':
        return this.#unknownCommand(quoted)
      case 'commander.excessArguments':
        if (this.commands.length > 0) return this.#unknownCommand(this.args[0] ?? '')
        return `unexpected argument "${this.args[this.registeredArguments.length] ?? ''}" for "${path}"${help}`
      case 'commander.missingArgument':
        return `missing ${quoted === '' ? 'argument' : quoted} for "${path}"${help}`
      case 'commander.optionMissingArgument':
        return `flag ${quoted.split(/[ ,]+/).find(part => part.startsWith('--')) ?? quoted} needs a value`
      default:
        return message.replace(/^error: /, '').replaceAll('\n', ' ')
    }
  }

  #unknownCommand(name: string): string {
    const names = this.commands.flatMap(command => [command.name(), ...command.aliases()])
    const path = commandPath(this)
    // A path, as other tools take it.
    const otherwise = /[./]/.test(name) ? `; a source to read is given by --from ${name}` : `; see "${path} --help"`
    return `unknown command "${name}" for "${path}"${didYouMean(name, names, otherwise)}`
  }
}
