import { UsageError } from '../../errors.ts'
import type { Requirement } from '../../plan/manifests/placement.ts'
import { requirementsError } from './selector.ts'

/** Splits at commas that are not inside parentheses. */
function parts(text: string): string[] {
  return text.split(/,(?![^(]*\))/).map(part => part.trim())
}

function parsePart(part: string): Requirement | undefined {
  const set = /^(\S+)\s+(in|notin)\s+\(([^)]*)\)$/.exec(part)
  if (set !== null) {
    const [, key = '', operator, list = ''] = set
    const values = list.split(',').map(value => value.trim())
    return { key, operator: operator === 'in' ? 'In' : 'NotIn', values }
  }
  const equals = /^([^\s=!]+)\s*(==?|!=)\s*(\S*)$/.exec(part)
  if (equals !== null) {
    const [, key = '', operator, value = ''] = equals
    return { key, operator: operator === '!=' ? 'NotIn' : 'In', values: [value] }
  }
  const exists = /^(!?)\s*([^\s=!()]+)$/.exec(part)
  return exists === null ? undefined : { key: exists[2] ?? '', operator: exists[1] === '!' ? 'DoesNotExist' : 'Exists' }
}

/**
 * Reads a selector in the notation of `kubectl get -l`: `env=prod,region in (eu,us),!legacy`.
 *
 * @param flag for messages
 * @throws UsageError for anything that Kubernetes would refuse
 */
export function parseSelector(text: string, flag: string): readonly Requirement[] {
  const requirements = parts(text).map(part => {
    const parsed = parsePart(part)
    if (parsed === undefined) {
      throw new UsageError(`invalid selector "${text}" for ${flag}: "${part}" is not KEY=VALUE, KEY in (A,B) or !KEY`)
    }
    return parsed
  })
  const error = requirementsError(requirements.map(r => ({ ...r, values: r.values ?? [] })))
  if (error !== undefined) throw new UsageError(`invalid selector "${text}" for ${flag}: ${error}`)
  return requirements
}
