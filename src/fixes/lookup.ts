import type { Finding } from '../checks/check.ts'
import type { Fleet } from '../fleet/fleet.ts'
import type { Fix } from './fix.ts'
import { FIXES } from './registry.ts'

const BY_CODE: ReadonlyMap<string, Fix> = new Map(FIXES.map(fix => [fix.code, fix]))

/** The fix of a check, where there is one. */
export function fixOf(code: string): Fix | undefined {
  return BY_CODE.get(code)
}

/**
 * Arguments of the command that mends a finding, without the program's name; empty where it cannot be mended by machine.
 *
 * @param fleet as the check saw it
 */
export function fixCommand(code: string, finding: Finding, fleet: Fleet): readonly string[] {
  const fix = fixOf(code)
  if (fix === undefined || fix.hinders?.(finding, fleet) !== undefined) return []
  const { namespace, name } = finding.subject
  return ['doctor', 'fix', code, ...(namespace === '' ? [] : ['-n', namespace]), name]
}
