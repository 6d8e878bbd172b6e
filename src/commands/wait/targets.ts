import { UsageError } from '../../errors.ts'
import { didYouMean } from '../../ui/nearest.ts'
import { WAIT_KINDS, type WaitKind, waitKindOf } from '../../wait/goals.ts'
import type { Target } from '../../wait/judge.ts'

interface Targets {
  readonly kind: WaitKind
  /** Empty for the fleet. */
  readonly targets: readonly Target[]
}

/**
 * Reads `KIND NAME...` and `KIND/NAME...`, where NAME may be NAMESPACE/NAME.
 *
 * @param namespace value of --namespace, which must not say otherwise
 * @param spokes of Applications: clusters that they may go to
 * @throws UsageError for an unknown kind, two kinds, no name, an empty part, two namespaces
 */
export function parseTargets(
  args: readonly string[],
  namespace: string | undefined,
  spokes: readonly string[],
): Targets {
  const [first = ''] = args
  const kind = waitKindOf(first.split('/')[0] ?? '')
  if (kind === undefined) {
    const hint = didYouMean(first.split('/')[0] ?? '', WAIT_KINDS, `: expected ${WAIT_KINDS.join(', ')}`)
    throw new UsageError(`cannot wait for "${first}"${hint}`)
  }
  const words = first.includes('/') ? args : args.slice(1)
  if (kind === 'fleet') {
    if (first.includes('/') || words.length > 0) throw new UsageError('the fleet has no name: use "wait fleet"')
    return { kind, targets: [] }
  }
  if (words.length === 0) throw new UsageError(`missing name: use "wait ${kind} NAME" or "wait ${kind}/NAME"`)
  const targets = words.map(word => {
    const target = parseTarget(word, kind, namespace)
    return kind === 'app' && spokes.length > 0 ? { ...target, spokes } : target
  })
  const byName = new Map(targets.map(t => [`${t.namespace ?? ''}/${t.name}`, t]))
  return { kind, targets: [...byName.values()] }
}

function parseTarget(word: string, kind: WaitKind, namespace: string | undefined): Target {
  const parts = word.split('/')
  const own = parts.length > 1 ? waitKindOf(parts[0] ?? '') : undefined
  if (own !== undefined && own !== kind) {
    throw new UsageError(`"${word}" is no ${kind}; one kind can be waited for at a time`)
  }
  const rest = own === undefined ? parts : parts.slice(1)
  const name = rest.at(-1) ?? ''
  if (rest.length > 2 || rest.some(part => part === '')) {
    throw new UsageError(`"${word}" is not [NAMESPACE/]NAME or ${kind}/NAME`)
  }
  const inside = rest.length === 2 ? rest[0] : undefined
  if (inside !== undefined && namespace !== undefined && inside !== namespace) {
    throw new UsageError(`two namespaces: "${word}" says ${inside}, --namespace says ${namespace}`)
  }
  const either = inside ?? namespace
  return either === undefined ? { name } : { namespace: either, name }
}
