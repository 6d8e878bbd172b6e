import { RBAC_COMMANDS, type RbacCommand } from '../../rbac/commands.ts'
import { listOption, type RawOptions } from '../flag-values.ts'
import { kubeFlags } from '../kube-flags.ts'

export interface RbacFlags {
  readonly command: RbacCommand
  readonly side: 'hub' | 'spoke'
  /** Namespaces of Argo CD. */
  readonly argo: readonly string[]
  readonly secrets: boolean
  /** With what is watched, too. */
  readonly watch: boolean
}

/** The flags of `rbac`, with their defaults. */
export function rbacFlags(options: RawOptions): RbacFlags {
  return {
    command: RBAC_COMMANDS.find(name => name === options.for) ?? 'doctor',
    side: options.on === 'spoke' ? 'spoke' : 'hub',
    argo: [...new Set(listOption(options, 'namespace'))].sort(),
    secrets: kubeFlags(options).secrets,
    watch: options.watch === true,
  }
}
