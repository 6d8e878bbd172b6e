import { UsageError } from '../../errors.ts'
import { type Noun, nounOf } from './kinds.ts'

interface Reference {
  readonly namespace?: string
  readonly name: string
}

/**
 * Reads `NAME`, `NAMESPACE/NAME`, `KIND/NAME` or `KIND/NAMESPACE/NAME`.
 *
 * @param namespace value of --namespace, which must not say otherwise
 * @throws UsageError for another kind, an empty part, two namespaces
 */
export function parseReference(text: string, noun: Noun, namespace: string | undefined): Reference {
  const parts = text.split('/')
  const kind = parts.length > 1 ? nounOf(parts[0] ?? '') : undefined
  if (kind !== undefined && kind !== noun) {
    throw new UsageError(`"${text}" is no ${noun}; use "fleetctl trace ${kind} ${parts.slice(1).join('/')}"`)
  }
  const rest = kind === undefined ? parts : parts.slice(1)
  const name = rest.at(-1) ?? ''
  if (rest.length > 2 || rest.some(part => part === '')) {
    throw new UsageError(`"${text}" is not [NAMESPACE/]NAME or ${noun}/NAME`)
  }
  const own = rest.length === 2 ? rest[0] : undefined
  if (own !== undefined && namespace !== undefined && own !== namespace) {
    throw new UsageError(`two namespaces: "${text}" says ${own}, --namespace says ${namespace}`)
  }
  const either = own ?? namespace
  return either === undefined ? { name } : { namespace: either, name }
}
