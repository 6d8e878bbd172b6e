import type { Command } from 'commander'
import { helpText } from '../help-text.ts'
import type { Action } from '../run-action.ts'

/** Declares `completion`. */
export function declareCompletion(program: Command, action: Action): void {
  program
    .command('completion')
    .argument('<shell>', 'bash, zsh, fish or powershell')
    .description(
      'Prints a script that makes the shell complete commands, flags, their values, checks and, with --from or ' +
        'FLEETCTL_FROM, names of Applications and clusters. kubectl and oc find kubectl_complete-fleetctl by themselves.',
    )
    .addHelpText('after', context =>
      helpText(context.command, {
        examples: [
          ['bash, for every shell', 'completion bash > ~/.local/share/bash-completion/completions/fleetctl'],
          ['zsh, for every shell', 'completion zsh > ~/.zfunc/_fleetctl'],
          ['fish, for every shell', 'completion fish > ~/.config/fish/completions/fleetctl.fish'],
          ['PowerShell, in this shell', 'completion powershell | Out-String | Invoke-Expression'],
        ],
        exitCodes: [0, 2],
        permissions: 'none',
      }),
    )
    .action(action(async call => (await import('./run.ts')).completion(call)))
}
