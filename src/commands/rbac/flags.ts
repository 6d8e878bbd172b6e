import type { RbacCommand } from '../../rbac/roles.ts'
import { listOption, type RawOptions } from '../flag-values.ts'
import { kubeFlags } from '../kube-flags.ts'

export interface RbacFlags {
  readonly command: RbacCommand
  readonly side: 'hub' | 'spoke'
  /** Namespaces of Argo CD. */
  readonly argo: readonly string[]
  readonly secrets: boolean
}

export function rbacFlags(options: RawOptions): RbacFlags {
  return {
    command: commandOf(options.for),
    side: options.on === 'spoke' ? 'spoke' : 'hub',
    argo: [...new Set(listOption(options, 'namespace'))].sort(),
    secrets: kubeFlags(options).secrets,
  }
}

/** The flag's parser has refused everything else. */
function commandOf(value: unknown): RbacCommand {
  return value === 'trace' || value === 'bootstrap' || value === 'agent' ? value : 'doctor'
}
