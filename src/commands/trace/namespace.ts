import { type RawOptions, textOption } from '../flag-values.ts'

/** The namespace that -n names; none under -A, which wins, as in kubectl. */
export function namespaceFlag(options: RawOptions): string | undefined {
  const namespace = options.allNamespaces === true ? undefined : textOption(options, 'namespace')
  return namespace === '' ? undefined : namespace
}
