import { oneLine } from './sanitize.ts'
import type { Named } from './view.ts'

/** `kind.group/name` as `kubectl -o name` prints it, one a line. */
export function toNames(objects: readonly Named[]): string {
  return objects.map(object => `${resourceName(object)}\n`).join('')
}

function resourceName({ group, kind, name }: Named): string {
  return oneLine(`${kind.toLowerCase()}${group === '' ? '' : `.${group}`}/${name}`)
}
