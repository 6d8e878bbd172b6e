import { UsageError } from '../errors.ts'

/** Whom a role is given to: an entry of a binding's `subjects`. */
export type BoundTo = Readonly<Record<'kind' | 'name', string>> & {
  readonly apiGroup?: string
  readonly namespace?: string
}

const GROUP = 'rbac.authorization.k8s.io'

/**
 * Reads `user:NAME`, `group:NAME` or `serviceaccount:NAMESPACE:NAME`.
 *
 * @throws UsageError for anything else
 */
export function parseBoundTo(text: string): BoundTo {
  const cut = text.indexOf(':')
  const [type, name] = cut < 0 ? ['', text] : [text.slice(0, cut), text.slice(cut + 1)]
  if (name !== '' && type === 'user') return { apiGroup: GROUP, kind: 'User', name }
  if (name !== '' && type === 'group') return { apiGroup: GROUP, kind: 'Group', name }
  const [namespace = '', account = '', more] = name.split(':')
  if (type === 'serviceaccount' && namespace !== '' && account !== '' && more === undefined) {
    return { kind: 'ServiceAccount', namespace, name: account }
  }
  throw new UsageError(
    `invalid value "${text}" for --to: expected user:NAME, group:NAME or serviceaccount:NAMESPACE:NAME`,
  )
}
