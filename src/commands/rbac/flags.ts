import type { RbacCommand } from '../../rbac/roles.ts'
import { listOption, type RawOptions } from '../flag-values.ts'
import { kubeFlags } from '../kube-flags.ts'

/** Commands that roles can be printed for. */
export const COMMANDS: readonly RbacCommand[] = ['doctor', 'trace', 'bootstrap', 'agent']

export interface RbacFlags {
  readonly command: RbacCommand
  readonly side: 'hub' | 'spoke'
  /** Namespaces of Argo CD. */
  readonly argo: readonly string[]
  readonly secrets: boolean
}

export function rbacFlags(options: RawOptions): RbacFlags {
  return {
    command: COMMANDS.find(name => name === options.for) ?? 'doctor',
    side: options.on === 'spoke' ? 'spoke' : 'hub',
    argo: [...new Set(listOption(options, 'namespace'))].sort(),
    secrets: kubeFlags(options).secrets,
  }
}
