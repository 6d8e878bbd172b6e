import type { Argument, Command } from 'commander'
import { declareAgent } from './commands/agent/declare.ts'
import { declareApply } from './commands/apply/declare.ts'
import { declareBootstrap } from './commands/bootstrap/declare.ts'
import { declareCompletion } from './commands/completion/declare.ts'
import { declareConfig } from './commands/config/declare.ts'
import type { Engine } from './commands/deps.ts'
import { declareDiff } from './commands/diff/declare.ts'
import { declareDoctor } from './commands/doctor/declare.ts'
import { applyEnvironment } from './commands/environment.ts'
import { declareExplain } from './commands/explain/declare.ts'
import { addCommonFlags } from './commands/flags.ts'
import { commandPath, FleetctlCommand } from './commands/fleetctl-command.ts'
import { declareHelp } from './commands/help.ts'
import { addKubeFlags } from './commands/kube-flags.ts'
import { declarePlacement } from './commands/placement/declare.ts'
import { declarePlan } from './commands/plan/declare.ts'
import { declareRbac } from './commands/rbac/declare.ts'
import { type Action, actions } from './commands/run-action.ts'
import { declareSchema } from './commands/schema/declare.ts'
import { declareSnapshot } from './commands/snapshot/declare.ts'
import { declareTrace } from './commands/trace/declare.ts'
import { declareVersion } from './commands/version/declare.ts'
import { declareWait } from './commands/wait/declare.ts'
import type { Context } from './context.ts'
import type { ExitCode } from './errors.ts'
import { VERSION } from './version.ts'

interface ProgramDeps {
  readonly context: Context
  readonly engine: Engine
  /** Takes the exit code of the command that ran. */
  readonly done: (code: ExitCode) => void
}

/** The commands in the order of the help: name, one line that starts with a verb, and what declares the rest. */
const COMMANDS: readonly (readonly [name: string, summary: string, declare: Declare])[] = [
  ['doctor', 'find root causes of broken delivery in a fleet', declareDoctor],
  ['trace', 'walk the delivery chain and name the first broken hop', declareTrace],
  ['wait', 'wait until Applications, Placements or the fleet have what is asked', declareWait],
  ['bootstrap', 'set up delivery to clusters, by push, pull or agent', declareBootstrap],
  ['agent', 'switch a hub to agents, show and verify agent mode', declareAgent],
  ['placement', 'explain which clusters a Placement selects', declarePlacement],
  ['apply', 'apply a saved plan, or go on with one that was interrupted', declareApply],
  ['plan', 'list runs that wrote to a hub, and take them back', declarePlan],
  ['rbac', 'print the least roles that a run needs', declareRbac],
  ['snapshot', 'record a fleet, to look at it elsewhere or later', declareSnapshot],
  ['diff', 'compare two states of a fleet', declareDiff],
  ['explain', 'explain a check: what goes wrong, why, and how to mend it', declareExplain],
  ['config', 'show the settings that apply', declareConfig],
  ['schema', 'print the JSON Schema of what fleetctl prints', declareSchema],
  ['version', 'print the version of fleetctl', declareVersion],
  ['completion', 'print a completion script for a shell', declareCompletion],
  ['help', 'print help for a command', declareHelp],
]

type Declare = (program: Command, action: Action) => void

/** A new program: commander keeps what it parsed on the object, so each run builds its own. */
export function buildProgram({ context, engine, done }: ProgramDeps): Command {
  const program = new FleetctlCommand(context.command)
  program
    .summary('find why an Application does not arrive on a cluster')
    .description(
      'Finds why an Argo CD Application does not arrive on a cluster of an Open Cluster Management or Red Hat ACM fleet.',
    )
    .version(VERSION, '-V, --version', 'print the version')
    .helpOption('-h, --help', 'print help for a command')
    .helpCommand(false)
    .exitOverride()
    .configureOutput({
      writeOut: text => context.stdout.write(text),
      writeErr: text => context.stderr.write(text),
      getOutHelpWidth: () => (context.stdout.isTTY === true ? context.stdout.columns || 80 : 80),
      getOutHasColors: () => false,
      getErrHasColors: () => false,
    })
    .configureHelp({ showGlobalOptions: true, subcommandTerm: command => command.name(), commandUsage: usage })
    .addHelpText('afterAll', ({ command }) =>
      command.parent === null ? '\nEvery flag has a variable: FLEETCTL_FAIL_ON=warning is --fail-on warning.' : '',
    )
    .hook('preAction', async (_, command) => {
      applyEnvironment(command, context.env)
      const { applySettings } = await import('./commands/settings.ts')
      await applySettings(command, context)
    })
  addCommonFlags(program)
  addKubeFlags(program)

  const action = actions(context, engine, done)
  // A line that names no command (`--help`, `--version`) needs no more of them than the list.
  const isListOnly = context.argv.every(arg => arg.startsWith('-'))
  for (const [name, summary, declare] of COMMANDS) {
    if (isListOnly) program.command(name)
    else declare(program, action)
    program.commands.at(-1)?.summary(summary)
  }
  return program
}

/** `fleetctl trace app [flags] <name...>`, without the further names that kubectl users may type. */
function usage(command: Command): string {
  const args = command.registeredArguments.map(argument => argumentTerm(argument)).join(' ')
  const commands = command.commands.length > 0 ? ' [command]' : ''
  return `${commandPath(command)} [flags]${commands}${args === '' ? '' : ` ${args}`}`
}

function argumentTerm(argument: Argument): string {
  const name = `${argument.name()}${argument.variadic ? '...' : ''}`
  return argument.required ? `<${name}>` : `[${name}]`
}
